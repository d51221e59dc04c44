/* Reading JSON, by json-c. A value is a `struct json_object *`; NULL stands for a value that is
 * missing, and for JSON's null. Every function here takes NULL and values of any type. */
#ifndef ASSAY_TOOL_JSON_H
#define ASSAY_TOOL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json_object.h>
#include <json-c/json_object_iterator.h>
#include <json-c/json_tokener.h>
#include <json-c/json_util.h>

/* A parser that many texts can be read with. NULL: memory is out. Owned by the caller
 * (json_tokener_free). */
struct json_tokener *json_reader_new(void);

struct json_failure {
    const char *text; /* what is wrong; static */
    size_t position;  /* in bytes */
    bool out_of_memory;
};

/* The one value that the text is. Owned by the caller (json_object_put). NULL: it is not JSON, or
 * null; `failure`, where it is not NULL, says why. */
struct json_object *json_read(struct json_tokener *reader, const char *text, size_t length,
                              struct json_failure *failure);
/* The same with a parser of its own. */
struct json_object *json_read_once(const char *text, size_t length);

/* The text of a string; NULL of everything else. Owned by the value. */
const char *json_string(struct json_object *value);
bool json_is_true(struct json_object *value);
/* The number of elements of an array; 0 of everything else. */
size_t json_length(struct json_object *array);

/* Members of objects; NULL and 0 where they are missing or something else. */
const char *json_text(struct json_object *object, const char *key);
/* "" instead of NULL. */
const char *json_text_or(struct json_object *object, const char *key);
uint64_t json_number(struct json_object *object, const char *key);

/* A line of JSON. Control characters of U+0080 to U+009F are written as \uXXXX: json-c leaves them,
 * and a terminal obeys them. */
void json_write_line(FILE *file, const char *text, size_t length);

/* for (...) over the elements of an array; `index` and `count` are size_t of the caller's. */
#define JSON_EACH_ELEMENT(array_, index_, count_, element_)                                      \
    for ((count_) = json_length(array_), (index_) = 0;                                           \
         (index_) < (count_) && ((element_) = json_object_array_get_idx((array_), (index_)), 1); \
         (index_)++)

/* The members of an object, in their order; of anything else none.
 *     struct json_object_iterator at = json_members(object);
 *     while (json_next_member(&at, &name, &value)) ... */
struct json_object_iterator json_members(struct json_object *object);
bool json_next_member(struct json_object_iterator *at, const char **name,
                      struct json_object **value);

#endif
