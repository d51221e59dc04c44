/* Remembers which types and constants a module has, by their content. Private to src/spirv/edit/.
 * Threads: the thread of the edit. */
#ifndef ASSAY_SPIRV_EDIT_MEMO_H
#define ASSAY_SPIRV_EDIT_MEMO_H

#include "spirv/edit/edit.h"

/* An instruction without its result. */
struct spirv_content {
    uint32_t first_word;
    uint32_t type; /* type id of a constant; 0 for a type */
    const uint32_t *operands;
    uint32_t count;
};

/* Finds the type or constant of this content that may be shared; `*id` is 0 if there is none.
 * `result` is the index of the word with the result's id; the word before it is the type. Returns
 * false if memory was out. */
bool spirv_edit_memo_find(struct spirv_edit *edit, const struct spirv_content *content,
                          uint32_t result, uint32_t *id) MUST_CHECK;

#endif
