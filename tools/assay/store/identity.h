/* Decides when two findings are the same, that is, are repaired in the same place. The rule, the
 * place in the program and in its shader, and the types and names of objects count. Handles, values
 * and numbers in names change from run to run and do not count. */
#ifndef ASSAY_TOOL_IDENTITY_H
#define ASSAY_TOOL_IDENTITY_H

#include <stdint.h>

#include "assay/store/json.h"

struct identity {
    /* hash of the rule, the call sites to the instruction, the place in a shader, the types and
     * names of objects, and the text without numbers */
    uint64_t key[2];
    /* the same hash, but with the functions of call sites if they are known, which survive a new
     * build */
    uint64_t site;
    uint64_t loose; /* the same hash without call sites */
    uint64_t place; /* hash of the call site; 0: not known */
    uint64_t pair;  /* for a hazard: hash of both call sites with their accesses; else 0 */
};

void identity_find(struct identity *identity, struct json_object *finding);

/* Returns a hash of a part of a finding with this id, without numbers and names in quotation marks.
 * `part` is the key of the part. */
uint64_t identity_of_part(const char *id, const char *part, const char *text);

/* Writes the place in a shader that a finding's rows name: its line or instruction, and the set and
 * binding that it uses. Its numbers count, as those of a call site do. "": there is none. */
#define SHADER_PLACE_SIZE 4352
void identity_shader_place(struct json_object *finding, char place[SHADER_PLACE_SIZE]);

/* Returns the length of a number in a name that may change from run to run: digits, an address, or
 * a word of hexadecimal digits such as a part of a UUID; 0: there is none. `inside`: the text is in
 * the middle of a word, where only digits count. */
size_t number_in_name(const char *text, bool inside);

/* Returns the file's name without its directory. */
const char *base_name(const char *path);

#endif
