/* Decides when two findings are the same one: a person would mend both in the same place. They
 * differ in the rule, the place in the program and its shader, and the types and names of objects.
 * Handles, values and numbers in names change from run to run and do not count. */
#ifndef ASSAY_TOOL_IDENTITY_H
#define ASSAY_TOOL_IDENTITY_H

#include <stdint.h>

#include "assay/store/json.h"

struct identity {
    /* same rule, same call sites (to the instruction), same place in a shader, same kinds and names
     * of objects, same text but for numbers */
    uint64_t key[2];
    /* the same, but call sites by function where that is known: outlives a rebuild */
    uint64_t site;
    uint64_t loose; /* the same without call sites */
    uint64_t place; /* the call site; 0: not known */
    uint64_t pair;  /* of a hazard: both call sites with what they did; else 0 */
};

void identity_find(struct identity *identity, struct json_object *finding);

/* A part of what an id says (`part` is its key) that is the same but for numbers and names in
 * quotation marks. */
uint64_t identity_of_part(const char *id, const char *part, const char *text);

/* Writes the place in a shader that a finding's rows name: its line or instruction, and the set and
 * binding that it uses. There numbers do count, as in a call site. "" where there is none. */
#define SHADER_PLACE_SIZE 4352
void identity_shader_place(struct json_object *finding, char place[SHADER_PLACE_SIZE]);

/* The length of a number in a name, which is another one in the next run. It is digits, an address,
 * or a word of hexadecimal digits such as a part of a UUID. 0: here is none. `inside`: in the
 * middle of a word, where only digits are one. */
size_t number_in_name(const char *text, bool inside);

/* The file's name without its directory. */
const char *base_name(const char *path);

#endif
