/* Reads JSON, by json-c. A value is a `struct json_object *`; NULL stands for a missing value, and
 * for JSON's null. Every function here accepts NULL, and values of any type. */
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

/* Makes a parser that can read many texts. The caller frees it (json_tokener_free). NULL: memory is
 * out. */
struct json_tokener *json_reader_new(void);

struct json_failure {
    const char *text; /* the mistake in the text; static */
    size_t position;  /* index of the byte */
    bool out_of_memory;
};

/* Parses a text, which is one value. The caller frees it (json_object_put). NULL: the text is null,
 * or not JSON; `failure`, if it is not NULL, says why. */
struct json_object *json_read(struct json_tokener *reader, const char *text, size_t length,
                              struct json_failure *failure);
/* The same with a temporary parser. */
struct json_object *json_read_once(const char *text, size_t length);

/* Returns the text of a string, which the value owns; NULL: it is another value. */
const char *json_string(struct json_object *value);
bool json_is_true(struct json_object *value);
/* Returns the number of elements of an array; 0: it is another value. */
size_t json_length(struct json_object *array);

/* These return a member of an object; NULL or 0: it is missing, or of another type. */
const char *json_text(struct json_object *object, const char *key);
/* The same, with "" in place of NULL. */
const char *json_text_or(struct json_object *object, const char *key);
uint64_t json_number(struct json_object *object, const char *key);

/* Writes a line of JSON. Control characters from U+0080 to U+009F are written as \uXXXX, since
 * json-c does not escape them, and a terminal would act on them. */
void json_write_line(FILE *file, const char *text, size_t length);

/* A loop over the elements of an array. `index_` and `count_` are variables (size_t) of the
 * caller. */
#define JSON_EACH_ELEMENT(array_, index_, count_, element_)                                      \
    for ((count_) = json_length(array_), (index_) = 0;                                           \
         (index_) < (count_) && ((element_) = json_object_array_get_idx((array_), (index_)), 1); \
         (index_)++)

/* Iterates over the members of an object, in their order. Other values have none.
 *     struct json_object_iterator at = json_members(object);
 *     while (json_next_member(&at, &name, &value)) ... */
struct json_object_iterator json_members(struct json_object *object);
bool json_next_member(struct json_object_iterator *at, const char **name,
                      struct json_object **value);

#endif
