/* Reads JSON, by json-c. */
#include "assay/store/json.h"

/* The deepest nesting of values that is read; findings have five levels. */
#define DEPTH_MOST 64

struct json_tokener *json_reader_new(void)
{
    struct json_tokener *reader = json_tokener_new_ex(DEPTH_MOST);
    if (reader)
        json_tokener_set_flags(reader, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    return reader;
}

struct json_object *json_read(struct json_tokener *reader, const char *text, size_t length,
                              struct json_failure *failure)
{
    struct json_failure reason = {.text = "it is empty"};
    struct json_object *value = NULL;
    json_tokener_reset(reader);
    if (length > INT32_MAX) {
        reason.text = "it is longer than 2 GiB";
    } else if (length) {
        value = json_tokener_parse_ex(reader, text, (int)length);
        enum json_tokener_error error = json_tokener_get_error(reader);
        reason.position = json_tokener_get_parse_end(reader);
        reason.text =
            error == json_tokener_continue ? "it ends too early" : json_tokener_error_desc(error);
        reason.out_of_memory = error == json_tokener_error_memory;
        if (error == json_tokener_success && reason.position < length) {
            json_object_put(value);
            value = NULL;
            reason.text = "something follows the value";
        } else if (!value && error == json_tokener_success) {
            reason.text = "it is null";
        }
    }
    if (failure)
        *failure = reason;
    return value;
}

struct json_object *json_read_once(const char *text, size_t length)
{
    struct json_tokener *reader = json_reader_new();
    struct json_object *value = reader ? json_read(reader, text, length, NULL) : NULL;
    json_tokener_free(reader);
    return value;
}

const char *json_string(struct json_object *value)
{
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

bool json_is_true(struct json_object *value)
{
    return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
}

size_t json_length(struct json_object *array)
{
    return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

const char *json_text(struct json_object *object, const char *key)
{
    return json_string(json_object_object_get(object, key));
}

const char *json_text_or(struct json_object *object, const char *key)
{
    const char *text = json_text(object, key);
    return text ? text : "";
}

uint64_t json_number(struct json_object *object, const char *key)
{
    struct json_object *value = json_object_object_get(object, key);
    return json_object_is_type(value, json_type_int) ? json_object_get_uint64(value) : 0;
}

struct json_object_iterator json_members(struct json_object *object)
{
    return json_object_is_type(object, json_type_object) ? json_object_iter_begin(object)
                                                         : json_object_iter_init_default();
}

bool json_next_member(struct json_object_iterator *at, const char **name,
                      struct json_object **value)
{
    struct json_object_iterator end = json_object_iter_init_default();
    if (json_object_iter_equal(at, &end))
        return false;
    *name = json_object_iter_peek_name(at);
    *value = json_object_iter_peek_value(at);
    json_object_iter_next(at);
    return true;
}

void json_write_line(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i],
                            next = i + 1 < length ? (unsigned char)text[i + 1] : 0;
        if (byte == 0xc2 && (next & 0xe0) == 0x80) {
            fprintf(file, "\\u%04x", next);
            i++;
        } else {
            fputc(byte, file);
        }
    }
    fputc('\n', file);
}
