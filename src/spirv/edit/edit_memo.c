/* Finds a type or constant that a module already has, by its content. It uses a hash table of the
 * section of globals, which is made at the first search. Each search first adds the instructions
 * that were appended to the section since. */
#include "spirv/edit/edit_memo.h"

#include <string.h>

#define TABLE_FIRST_SLOTS 256u /* twice the number of types and constants in small shaders */

/* An instruction of the section of globals, by its content. */
struct memo_slot {
    uint32_t hash;
    uint32_t place; /* 1 + index of its first word in the section, 0: no instruction */
};

/* The hash table of the types and constants that a module has. */
struct spirv_edit_memo {
    struct memo_slot *slots;   /* open addressing; each content once */
    uint32_t slot_count, used; /* a power of two, at least twice `used` */
    uint32_t globals_read;     /* words of the section of globals that are in the table */
    uint64_t *decorated;       /* a bit for each id that has decorations */
    uint32_t decorated_words;  /* of that array */
    uint32_t annotations_read; /* words of the section of annotations that were read */
};

void spirv_edit_free_memo(struct spirv_edit *edit)
{
    if (!edit->memo)
        return;
    mem_free(edit->memo->slots);
    mem_free(edit->memo->decorated);
    mem_free(edit->memo);
    edit->memo = NULL;
}

/* Returns the index of the word with the result's id in a type or constant that may be shared; 0:
 * it may not be. 2.8 "Types and Variables": types that are neither aggregates nor pointers must be
 * unique. */
static uint32_t shared_result(uint32_t first_word)
{
    const struct spirv_instruction_rule *rule;
    uint32_t length = spirv_word_length(first_word);
    switch (spirv_word_opcode(first_word)) {
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpConstantCompositeReplicateEXT:
    case SpvOpConstantSampler:
    case SpvOpConstantNull:
        return length > 2 ? 2 : 0;
    case SpvOpTypeStruct:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeNodePayloadArrayAMDX:
        return 0;
    default:
        rule = spirv_instruction_rule((uint16_t)spirv_word_opcode(first_word));
        return rule && rule->has_result && !rule->has_type && length > 1 &&
               strncmp(rule->name, "OpType", 6) == 0;
    }
}

/* True if there may be several instructions of the same content that decorations distinguish:
 * constants (BuiltIn WorkgroupSize), pointers (ArrayStride). */
static bool told_apart(uint32_t first_word)
{
    uint32_t opcode = spirv_word_opcode(first_word);
    return shared_result(first_word) == 2 || opcode == SpvOpTypePointer ||
           opcode == SpvOpTypeUntypedPointerKHR;
}

/* Adds a word to a multiplicative hash. */
static uint32_t hash_word(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

/* Returns a hash of the content, which does not include the result's id. */
static uint32_t content_hash(const struct spirv_content *content)
{
    uint32_t hash = hash_word(hash_word(0, content->first_word), content->type);
    for (uint32_t i = 0; i < content->count; i++)
        hash = hash_word(hash, content->operands[i]);
    return hash;
}

/* Returns the content of an instruction whose result is in word `result`; with 2, word 1 is the
 * type. */
static struct spirv_content content_of(const uint32_t *words, uint32_t result)
{
    assert(result == 1 || result == 2);
    return (struct spirv_content){.first_word = words[0],
                                  .type = result == 2 ? words[1] : 0,
                                  .operands = words + result + 1,
                                  .count = spirv_word_length(words[0]) - result - 1};
}

/* Returns the slot of this content, or the empty slot where it belongs. The table is never full. */
static struct memo_slot *memo_find(const struct spirv_edit *edit,
                                   const struct spirv_content *content, uint32_t hash)
{
    assert(edit->memo && content);
    const struct spirv_edit_memo *memo = edit->memo;
    const uint32_t *globals = edit->sections[SPIRV_SECTION_GLOBALS].words;
    for (uint32_t i = hash;; i++) {
        struct memo_slot *slot = &memo->slots[i & (memo->slot_count - 1)];
        if (!slot->place)
            return slot;
        const uint32_t *words = &globals[slot->place - 1];
        if (slot->hash != hash || words[0] != content->first_word)
            continue;
        struct spirv_content found = content_of(words, shared_result(words[0]));
        if (found.type == content->type &&
            (!content->count ||
             memcmp(found.operands, content->operands, content->count * sizeof(*words)) == 0))
            return slot;
    }
}

/* Doubles the table. Returns false if memory is out. */
static bool memo_grow(struct spirv_edit_memo *memo)
{
    assert(!(memo->slot_count & (memo->slot_count - 1)));
    uint32_t count = memo->slot_count ? memo->slot_count * 2 : TABLE_FIRST_SLOTS;
    struct memo_slot *slots = mem_alloc_zeroed(count * sizeof(*slots));
    if (!slots)
        return false;
    for (uint32_t i = 0; i < memo->slot_count; i++) {
        if (!memo->slots[i].place)
            continue;
        uint32_t to = memo->slots[i].hash;
        while (slots[to & (count - 1)].place)
            to++;
        slots[to & (count - 1)] = memo->slots[i];
    }
    mem_free(memo->slots);
    memo->slots = slots;
    memo->slot_count = count;
    return true;
}

/* True if an annotation that was read names the id. */
static bool memo_is_decorated(const struct spirv_edit_memo *memo, uint32_t id)
{
    return id / 64 < memo->decorated_words && (memo->decorated[id / 64] >> id % 64 & 1);
}

/* Marks the ids that annotations name, beginning where the last call ended. Returns false if memory
 * is out. */
static bool read_annotations(struct spirv_edit *edit)
{
    struct spirv_edit_memo *memo = edit->memo;
    const struct spirv_buffer *section = &edit->sections[SPIRV_SECTION_ANNOTATIONS];
    uint32_t needed = edit->bound / 64 + 1;
    if (needed > memo->decorated_words && memo->annotations_read < section->count) {
        uint32_t count = needed + needed / 2;
        uint64_t *decorated = mem_resize(memo->decorated, count * sizeof(*decorated));
        if (!decorated)
            return false;
        memset(decorated + memo->decorated_words, 0,
               (count - memo->decorated_words) * sizeof(*decorated));
        memo->decorated = decorated;
        memo->decorated_words = count;
    }
    while (memo->annotations_read < section->count) {
        const uint32_t *words = &section->words[memo->annotations_read];
        uint32_t length = spirv_word_length(words[0]), opcode = spirv_word_opcode(words[0]);
        bool groups = opcode == SpvOpGroupDecorate || opcode == SpvOpGroupMemberDecorate;
        for (uint32_t i = 1; i < (groups ? length : length < 2 ? length : 2); i++)
            if (words[i] / 64 < memo->decorated_words)
                memo->decorated[words[i] / 64] |= 1ull << words[i] % 64;
        memo->annotations_read += length;
    }
    return true;
}

/* Brings the table up to date with the sections. Returns false if memory is out. */
static bool read_globals(struct spirv_edit *edit)
{
    if (!edit->memo)
        edit->memo = mem_alloc_zeroed(sizeof(*edit->memo));
    struct spirv_edit_memo *memo = edit->memo;
    const struct spirv_buffer *section = &edit->sections[SPIRV_SECTION_GLOBALS];
    if (!memo || !read_annotations(edit) || (!memo->slots && !memo_grow(memo)))
        return false;
    while (memo->globals_read < section->count) {
        const uint32_t *words = &section->words[memo->globals_read];
        uint32_t result = shared_result(words[0]);
        if (result) {
            if (memo->used * 2 >= memo->slot_count && !memo_grow(memo))
                return false;
            struct spirv_content content = content_of(words, result);
            uint32_t hash = content_hash(&content);
            struct memo_slot *slot = memo_find(edit, &content, hash);
            memo->used += !slot->place;
            if (!slot->place || memo_is_decorated(memo, section->words[slot->place - 1 + result]))
                *slot = (struct memo_slot){.hash = hash, .place = memo->globals_read + 1};
        }
        memo->globals_read += spirv_word_length(words[0]);
    }
    return true;
}

bool spirv_edit_memo_find(struct spirv_edit *edit, const struct spirv_content *content,
                          uint32_t result, uint32_t *id)
{
    *id = 0;
    if (!read_globals(edit))
        return false;
    if (shared_result(content->first_word) != result)
        return true;
    const struct memo_slot *slot = memo_find(edit, content, content_hash(content));
    if (slot->place)
        *id = edit->sections[SPIRV_SECTION_GLOBALS].words[slot->place - 1 + result];
    if (*id && told_apart(content->first_word) && memo_is_decorated(edit->memo, *id))
        *id = 0;
    return true;
}
