/* Finds the line of the shader's source that a SPIR-V instruction comes from. Debug instructions
 * before the instruction give its place; the sources in the module have the text. */
#include "spirv/module/source.h"

#include <string.h>

#include <spirv/unified1/NonSemanticShaderDebugInfo.h>
#include <spirv/unified1/spirv.h>

/* Levels of scopes that are searched for the function around them. */
#define SCOPES_MOST 1024

/* Index of the first operand of an OpExtInst, after its type, result, set and instruction. */
#define EXTENDED_OPERANDS 5

/* The source, line and function that are in force at an instruction. Ids; 0: none. */
struct place {
    const struct spirv_instruction *op_line; /* NULL: there is none */
    /* the DebugLine in force; NULL: there is none */
    const struct spirv_instruction *debug_line;
    uint32_t scope;
    uint32_t inlined_at;
};

/* Returns operand `index` of a debug instruction; 0: the instruction has no such operand. */
static uint32_t debug_operand(const struct spirv_module *module,
                              const struct spirv_instruction *instruction, uint32_t index)
{
    return EXTENDED_OPERANDS + index < instruction->length
               ? spirv_words(module, instruction)[EXTENDED_OPERANDS + index]
               : 0;
}

/* True if the instruction set's name begins with `name`; a version may follow. */
static bool import_begins(const struct spirv_module *module, const struct spirv_instruction *import,
                          const char *name)
{
    size_t length = strlen(name);
    return import && import->opcode == SpvOpExtInstImport &&
           (import->length - 2u) * sizeof(uint32_t) > length &&
           memcmp(&spirv_words(module, import)[2], name, length) == 0;
}

/* Means that an instruction does not belong to a debug set. */
#define NOT_DEBUG UINT32_MAX
/* Returns the kind of a debug instruction (enum NonSemanticShaderDebugInfoInstructions), or
 * NOT_DEBUG. `literal` is set if its operands are numbers, not ids of constants. */
static uint32_t debug_instruction(const struct spirv_module *module,
                                  const struct spirv_instruction *instruction, bool *literal)
{
    if (!instruction || instruction->opcode != SpvOpExtInst ||
        instruction->length < EXTENDED_OPERANDS)
        return NOT_DEBUG;
    const uint32_t *words = spirv_words(module, instruction);
    const struct spirv_instruction *import = spirv_definition(module, words[3]);
    *literal = import_begins(module, import, "OpenCL.DebugInfo.100");
    return *literal || import_begins(module, import, "NonSemantic.Shader.DebugInfo.") ? words[4]
                                                                                      : NOT_DEBUG;
}

/* Returns the number of an operand: the literal, or the value of the constant; 0: it is not
 * known. */
static uint32_t source_number(const struct spirv_module *module, uint32_t operand, bool literal)
{
    if (literal)
        return operand;
    const struct spirv_instruction *constant = spirv_definition(module, operand);
    return constant && constant->opcode == SpvOpConstant && constant->length > 3
               ? spirv_words(module, constant)[3]
               : 0;
}

/* Returns the text of an OpString; NULL: the id is not an OpString. */
static const char *string_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *string = spirv_definition(module, id);
    uint32_t taken;
    if (!string || string->opcode != SpvOpString || string->length < 3)
        return NULL;
    return spirv_string(&spirv_words(module, string)[2], string->length - 2u, &taken);
}

/* Returns the text of an OpString; "": the id is not an OpString. */
static const char *string_or_empty(const struct spirv_module *module, uint32_t id)
{
    const char *string = string_of(module, id);
    return string ? string : "";
}

/* Returns the file of a DebugSource; "": it is not known. */
static const char *source_file(const struct spirv_module *module, uint32_t id)
{
    bool literal;
    const struct spirv_instruction *source = spirv_definition(module, id);
    if (debug_instruction(module, source, &literal) != NonSemanticShaderDebugInfoDebugSource)
        return "";
    return string_or_empty(module, debug_operand(module, source, 0));
}

/* True for instructions that may stand between an OpLine and the first block of a function. An
 * OpLine before the function is in force in that block. */
static bool is_head_of_function(uint16_t opcode)
{
    return opcode == SpvOpFunction || opcode == SpvOpFunctionParameter || opcode == SpvOpLine ||
           opcode == SpvOpNoLine;
}

/* The state of the search for a place, which goes backwards from an instruction. */
struct place_search {
    struct place place;
    /* an instruction further back does not count any more */
    bool line_known, debug_line_known, scope_known;
};

/* Notes the line or scope of a debug instruction, unless a later one was found already. */
static void look_at_debug(const struct spirv_module *module,
                          const struct spirv_instruction *instruction, struct place_search *search)
{
    bool literal;
    switch (debug_instruction(module, instruction, &literal)) {
    case NonSemanticShaderDebugInfoDebugLine:
    case NonSemanticShaderDebugInfoDebugNoLine:
        if (literal || search->debug_line_known)
            return;
        search->debug_line_known = true;
        if (spirv_words(module, instruction)[4] == NonSemanticShaderDebugInfoDebugLine)
            search->place.debug_line = instruction;
        return;
    case NonSemanticShaderDebugInfoDebugScope:
    case NonSemanticShaderDebugInfoDebugNoScope:
        if (search->scope_known)
            return;
        search->scope_known = true;
        if (spirv_words(module, instruction)[4] == NonSemanticShaderDebugInfoDebugScope) {
            search->place.scope = debug_operand(module, instruction, 0);
            search->place.inlined_at = debug_operand(module, instruction, 1);
        }
        return;
    default:
        return;
    }
}

/* Finds the line and scope in force at an instruction by a search backwards. An OpLine is in force
 * until the next OpLine, an OpNoLine, or the end of the block (3.2.3 "Debug Instructions"). The
 * same holds for DebugLine and DebugScope, which are in blocks only. */
static struct place source_find_place(const struct spirv_module *module, uint32_t index)
{
    struct place_search search = {0};
    for (uint32_t i = index; i-- > 0;) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunctionEnd)
            break;
        if (instruction[1].opcode == SpvOpLabel) {
            /* Debug instructions before the block do not count. */
            search.debug_line_known = search.scope_known = true;
            if (!is_head_of_function(instruction->opcode))
                break;
        }
        if (instruction->opcode == SpvOpExtInst) {
            look_at_debug(module, instruction, &search);
        } else if (instruction->opcode == SpvOpLine && instruction->length > 3 &&
                   !search.line_known) {
            search.line_known = true;
            search.place.op_line = instruction;
        } else if (instruction->opcode == SpvOpNoLine) {
            search.line_known = true;
        }
        if (search.line_known && search.debug_line_known && search.scope_known)
            break;
    }
    return search.place;
}

/* Returns the DebugFunction around a lexical scope; NULL: there is none. */
static const struct spirv_instruction *scope_function(const struct spirv_module *module,
                                                      uint32_t scope)
{
    for (uint32_t i = 0; i < SCOPES_MOST; i++) {
        bool literal;
        const struct spirv_instruction *instruction = spirv_definition(module, scope);
        switch (debug_instruction(module, instruction, &literal)) {
        case NonSemanticShaderDebugInfoDebugFunction:
            return instruction;
        case NonSemanticShaderDebugInfoDebugLexicalBlock:
            scope = debug_operand(module, instruction, 3);
            break;
        case NonSemanticShaderDebugInfoDebugLexicalBlockDiscriminator:
            scope = debug_operand(module, instruction, 2);
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

/* Returns the file of a lexical scope; "": it is not known. */
static const char *scope_file(const struct spirv_module *module, uint32_t scope)
{
    bool literal;
    const struct spirv_instruction *instruction = spirv_definition(module, scope);
    switch (debug_instruction(module, instruction, &literal)) {
    case NonSemanticShaderDebugInfoDebugFunction:
    case NonSemanticShaderDebugInfoDebugCompilationUnit:
        return source_file(module, debug_operand(module, instruction, 2));
    case NonSemanticShaderDebugInfoDebugLexicalBlock:
    case NonSemanticShaderDebugInfoDebugLexicalBlockDiscriminator:
        return source_file(module, debug_operand(module, instruction, 0));
    default:
        return "";
    }
}

/* Returns the name of a DebugFunction; "": it has none, or `function` is NULL. */
static const char *debug_function_name(const struct spirv_module *module,
                                       const struct spirv_instruction *function)
{
    return function ? string_or_empty(module, debug_operand(module, function, 0)) : "";
}

/* Returns the length of a function's name without the parameters that glslang adds to it. */
static uint32_t name_length(const char *name)
{
    const char *parameters = strchr(name, '(');
    return (uint32_t)(parameters && parameters > name ? (size_t)(parameters - name) : strlen(name));
}

/* Returns the index of the OpFunction that contains the instruction; SPIRV_NONE: there is none. */
static uint32_t enclosing_function(const struct spirv_module *module, uint32_t index)
{
    for (uint32_t i = index + 1; i-- > 0;) {
        if (module->instructions[i].opcode == SpvOpFunction)
            return i;
        if (i < index && module->instructions[i].opcode == SpvOpFunctionEnd)
            return SPIRV_NONE;
    }
    return SPIRV_NONE;
}

/* Returns the name that DebugFunctionDefinition in the first block gives the function at index
 * `first`; "": there is none. */
static const char *defined_name(const struct spirv_module *module, uint32_t first)
{
    uint32_t labels = 0;
    for (uint32_t i = first; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        labels += instruction->opcode == SpvOpLabel;
        if (instruction->opcode == SpvOpFunctionEnd || labels > 1)
            return "";
        bool literal;
        if (debug_instruction(module, instruction, &literal) ==
            NonSemanticShaderDebugInfoDebugFunctionDefinition)
            return debug_function_name(module,
                                       scope_function(module,
                                                      debug_operand(module, instruction, 0)));
    }
    return "";
}

/* Returns the name that OpName gives an id; "": there is none. */
static const char *op_name(const struct spirv_module *module, uint32_t id)
{
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunction)
            break;
        if (instruction->opcode != SpvOpName || instruction->length < 3 ||
            spirv_words(module, instruction)[1] != id)
            continue;
        uint32_t taken;
        const char *name =
            spirv_string(&spirv_words(module, instruction)[2], instruction->length - 2u, &taken);
        return name ? name : "";
    }
    return "";
}

/* Returns the name of the function that contains an instruction: by its scope, its debug
 * definition, or OpName. */
static const char *function_name(const struct spirv_module *module, uint32_t index, uint32_t scope)
{
    const char *name = debug_function_name(module, scope_function(module, scope));
    if (*name)
        return name;
    uint32_t function = enclosing_function(module, index);
    if (function == SPIRV_NONE)
        return "";
    name = defined_name(module, function);
    if (*name || module->instructions[function].length < 3)
        return name;
    return op_name(module, spirv_words(module, &module->instructions[function])[2]);
}

/* Finds the calls through which a place was inlined, the innermost first. */
static void find_calls(const struct spirv_module *module, uint32_t inlined_at,
                       struct spirv_source_line *found)
{
    while (found->call_count < SPIRV_SOURCE_CALLS_MOST) {
        bool literal;
        const struct spirv_instruction *at = spirv_definition(module, inlined_at);
        if (debug_instruction(module, at, &literal) != NonSemanticShaderDebugInfoDebugInlinedAt)
            return;
        uint32_t scope = debug_operand(module, at, 1);
        struct spirv_source_call *call = &found->calls[found->call_count++];
        *call = (struct spirv_source_call){
            .file = scope_file(module, scope),
            .line = source_number(module, debug_operand(module, at, 0), literal),
            .function = debug_function_name(module, scope_function(module, scope)),
        };
        call->function_length = name_length(call->function);
        inlined_at = debug_operand(module, at, 2);
    }
}

/* A source text, which the module has in consecutive instructions. */
struct source_pieces {
    const char *file;     /* points into the module */
    uint32_t first, next; /* instructions [first, next) */
    size_t length;        /* bytes of the joined text, without the final 0 */
};

/* Returns the text that an instruction adds to a source; NULL: it adds none. */
static const char *source_piece(const struct spirv_module *module,
                                const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(module, instruction);
    bool literal;
    uint32_t from, taken;
    switch (instruction->opcode) {
    case SpvOpSource:
        from = 4;
        break;
    case SpvOpSourceContinued:
        from = 1;
        break;
    default:
        switch (debug_instruction(module, instruction, &literal)) {
        case NonSemanticShaderDebugInfoDebugSource:
            return string_of(module, debug_operand(module, instruction, 1));
        case NonSemanticShaderDebugInfoDebugSourceContinued:
            return string_of(module, debug_operand(module, instruction, 0));
        default:
            return NULL;
        }
    }
    return instruction->length > from
               ? spirv_string(&words[from], instruction->length - from, &taken)
               : NULL;
}

/* True if instruction `i` begins a source. `file` gets its file name. */
static bool begins_source(const struct spirv_module *module, uint32_t i, const char **file)
{
    const struct spirv_instruction *instruction = &module->instructions[i];
    bool literal;
    if (instruction->opcode == SpvOpSource) {
        *file = instruction->length > 3
                    ? string_or_empty(module, spirv_words(module, instruction)[3])
                    : "";
        return true;
    }
    if (debug_instruction(module, instruction, &literal) != NonSemanticShaderDebugInfoDebugSource)
        return false;
    *file = string_or_empty(module, debug_operand(module, instruction, 0));
    return true;
}

/* True if the text of the instruction belongs to the source before it. */
static bool continues_source(const struct spirv_module *module, uint32_t i)
{
    bool literal;
    return module->instructions[i].opcode == SpvOpSourceContinued ||
           debug_instruction(module, &module->instructions[i], &literal) ==
               NonSemanticShaderDebugInfoDebugSourceContinued;
}

/* Subtracts the length of `text` from the characters that may still be read. Returns false if too
 * few are left. */
static bool budget_spend(const char *text, size_t *budget)
{
    size_t length = text ? strlen(text) : 0;
    if (length > *budget)
        return false;
    *budget -= length;
    return true;
}

/* Finds the next source from instruction `from` on. Returns false if there is none, or more than
 * `budget` characters would have to be read. */
static bool next_source(const struct spirv_module *module, uint32_t from,
                        struct source_pieces *pieces, size_t *budget)
{
    for (uint32_t i = from;
         i < module->instruction_count && module->instructions[i].opcode != SpvOpFunction; i++) {
        if (!begins_source(module, i, &pieces->file))
            continue;
        pieces->first = i;
        pieces->length = 0;
        if (!budget_spend(pieces->file, budget))
            return false;
        do {
            const char *text = source_piece(module, &module->instructions[i]);
            if (!budget_spend(text, budget))
                return false;
            pieces->length += text ? strlen(text) : 0;
            pieces->next = ++i;
        } while (i < module->instruction_count && continues_source(module, i));
        return true;
    }
    return false;
}

/* Returns the whole text of a source. If it is in one piece, that is the module's own string, else
 * a copy in `joined`, which the caller frees. NULL: memory is out, or there is no text. */
static const char *source_text(const struct spirv_module *module,
                               const struct source_pieces *pieces, char **joined)
{
    if (pieces->next == pieces->first + 1)
        return source_piece(module, &module->instructions[pieces->first]);
    char *text = *joined = mem_alloc(pieces->length + 1);
    for (uint32_t i = pieces->first; text && i < pieces->next; i++) {
        const char *add = source_piece(module, &module->instructions[i]);
        size_t length = add ? strlen(add) : 0;
        if (length)
            memcpy(text, add, length);
        text += length;
    }
    return *joined;
}

/* Copies a line, cut to SPIRV_SOURCE_LINE_MOST bytes. The caller frees it; NULL: memory is out. */
static char *copy_line(const char *text, size_t length)
{
    assert(text || !length);
    if (length > SPIRV_SOURCE_LINE_MOST)
        length = SPIRV_SOURCE_LINE_MOST;
    char *copy = mem_alloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Returns a copy of a line of a file, from the source with the best match. The caller frees it;
 * NULL: no source has a better match than `least`. */
static char *find_text(const struct spirv_module *module, const char *file, uint32_t number,
                       enum spirv_source_match least)
{
    enum spirv_source_match best = least;
    char *copy = NULL;
    /* Many DebugSources may have the same string. So no more characters are read than three times
     * those of the module. */
    size_t budget = 12 * (size_t)module->word_count;
    struct source_pieces pieces;
    for (uint32_t from = 0; next_source(module, from, &pieces, &budget); from = pieces.next) {
        if (!budget_spend(file, &budget))
            break;
        char *joined = NULL;
        const char *text = source_text(module, &pieces, &joined);
        size_t length;
        enum spirv_source_match match;
        const char *line = !text ? NULL
                                 : spirv_source_text_find(text, pieces.length, pieces.file, file,
                                                          number, &length, &match);
        if (line && match > best) {
            best = match;
            mem_free(copy);
            copy = copy_line(line, length);
        }
        mem_free(joined);
    }
    return copy;
}

/* Fills in file, line and column. If there is both a DebugLine and an OpLine, the DebugLine is
 * used, as it has more information. */
static void set_line(const struct spirv_module *module, const struct place *place,
                     struct spirv_source_line *found)
{
    if (place->debug_line) {
        const struct spirv_instruction *line = place->debug_line;
        found->file = source_file(module, debug_operand(module, line, 0));
        found->line = source_number(module, debug_operand(module, line, 1), false);
        found->column = source_number(module, debug_operand(module, line, 3), false);
    } else if (place->op_line) {
        const uint32_t *words = spirv_words(module, place->op_line);
        found->file = string_or_empty(module, words[1]);
        found->line = words[2];
        found->column = words[3];
    }
}

bool spirv_source_place(const struct spirv_module *module, uint32_t instruction,
                        struct spirv_source_line *found)
{
    *found = (struct spirv_source_line){.file = "", .function = ""};
    if (instruction >= module->instruction_count)
        return false;
    struct place place = source_find_place(module, instruction);
    set_line(module, &place, found);
    found->function = function_name(module, instruction, place.scope);
    found->function_length = name_length(found->function);
    find_calls(module, place.inlined_at, found);
    return found->line || *found->function;
}

bool spirv_source_find(const struct spirv_module *module, uint32_t instruction,
                       struct spirv_source_line *found)
{
    if (!spirv_source_place(module, instruction, found))
        return false;
    if (found->line)
        found->text = find_text(module, found->file, found->line, SPIRV_SOURCE_NO_MATCH);
    return true;
}

char *spirv_source_copy_line(const struct spirv_module *module, const char *file, uint32_t line)
{
    return find_text(module, file, line, SPIRV_SOURCE_COUNTED);
}

void spirv_source_line_free(struct spirv_source_line *found)
{
    mem_free(found->text);
    *found = (struct spirv_source_line){.file = "", .function = ""};
}
