/* Checks the outputs of entry points that transform feedback captures: offsets, sizes, buffers and
 * streams ("Validation Rules within a Module" of the SPIR-V environment appendix). The input is
 * untrusted: what is malformed is not looked at. */
#include "core/shader/capture.h"

#include <stdarg.h>
#include <stdio.h>

#include <spirv/unified1/spirv.h>

#include "core/shader/spirv_report.h"
#include "report/rules.h"
#include "spirv/module/module.h"

#define ENTRIES_MOST 64 /* the most entry points of a module that are checked */
/* the most outputs of one entry point, or members of a block, that are checked */
#define OUTPUTS_MOST 256
#define BUFFERS_MOST 16
/* The sizes of this many streams are added up; outputs of further streams are left out. */
#define STREAMS_MOST 16
/* The size of a finding's text, in bytes. */
#define TEXT_SIZE 320

/* One output that has an Offset or an XfbBuffer decoration. */
struct output {
    uint32_t variable; /* the variable's id */
    uint32_t member;   /* the index in its block, or SPIRV_NONE */
    uint32_t block;    /* the id of the struct, or 0 if it is not in a block */
    /* the instruction that a finding names: the decoration with the offset or buffer */
    uint32_t decoration;
    /* SPIRV_NONE if the output does not have the decoration */
    uint32_t offset, buffer, stride, stream;
    uint32_t size;  /* in bytes; 0 if it is not known */
    uint32_t width; /* bits of a component; 0 if it is not known, or if the components differ */
};

/* Threads: on the stack of one call. */
struct capture {
    const struct call *call;
    const struct location *where;
    const struct spirv_module *module;
    uint32_t entry;  /* the index of the OpEntryPoint */
    uint32_t count;  /* the number of outputs, also of those that did not fit */
    bool skip, told; /* `told`: something was reported */
    struct output outputs[OUTPUTS_MOST];
};

/* The instruction that defines an id, or NULL if it has another opcode or is too short. */
static const struct spirv_instruction *
capture_definition(const struct spirv_module *module, uint32_t id, uint16_t opcode, uint32_t length)
{
    const struct spirv_instruction *found = spirv_definition(module, id);
    return found && found->opcode == opcode && found->length >= length ? found : NULL;
}

/* Finds the size and the component width of a type: numbers, vectors, matrices, arrays. False for
 * other types. `depth` is how many more levels may be entered. */
static bool output_measure(const struct spirv_module *module, uint32_t id, uint32_t depth,
                           struct output *output)
{
    const struct spirv_instruction *type = spirv_definition(module, id), *length;
    if (!type || type->length < 3 || !depth)
        return false;
    const uint32_t *words = spirv_words(module, type);
    uint64_t count;
    switch (type->opcode) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        output->width = words[2];
        output->size = words[2] / 8;
        return true;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        count = type->length > 3 ? words[3] : 0;
        break;
    case SpvOpTypeArray:
        length = type->length > 3 ? capture_definition(module, words[3], SpvOpConstant, 4) : NULL;
        count = length ? spirv_words(module, length)[3] : 0;
        break;
    default:
        return false;
    }
    if (!output_measure(module, words[2], depth - 1, output))
        return false;
    count *= output->size;
    output->size = count <= UINT32_MAX ? (uint32_t)count : 0;
    return output->size != 0;
}

/* Stores a decoration that is for transform feedback, and ignores others. `words` begin at the
 * decoration; `index` is its instruction. */
static void capture_decorate(struct output *output, const uint32_t *words, uint32_t index)
{
    switch (words[0]) {
    case SpvDecorationOffset:
        output->offset = words[1];
        output->decoration = index;
        break;
    case SpvDecorationXfbBuffer:
        output->buffer = words[1];
        output->decoration = output->decoration == SPIRV_NONE ? index : output->decoration;
        break;
    case SpvDecorationXfbStride:
        output->stride = words[1];
        break;
    case SpvDecorationStream:
        output->stream = words[1];
        break;
    default:
        break;
    }
}

/* Reads the decorations of the id, and those of its member unless that is SPIRV_NONE. */
static void read_decorations(const struct spirv_module *module, uint32_t id, uint32_t member,
                             struct output *output)
{
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode == SpvOpTypeVoid || instruction->opcode == SpvOpFunction)
            break;
        if (member == SPIRV_NONE && instruction->opcode == SpvOpDecorate &&
            instruction->length > 3 && words[1] == id)
            capture_decorate(output, words + 2, i);
        if (member != SPIRV_NONE && instruction->opcode == SpvOpMemberDecorate &&
            instruction->length > 4 && words[1] == id && words[2] == member)
            capture_decorate(output, words + 3, i);
    }
}

/* Adds an output if transform feedback captures it. An output that does not fit is only counted. */
static void add_output(struct capture *capture, const struct output *output)
{
    if (output->offset == SPIRV_NONE && output->buffer == SPIRV_NONE)
        return;
    if (capture->count < OUTPUTS_MOST)
        capture->outputs[capture->count] = *output;
    capture->count++;
}

/* Adds a variable as one output, or one output for each member of its block. Variables of other
 * storage classes are ignored. */
static void add_variable(struct capture *capture, uint32_t id)
{
    const struct spirv_module *module = capture->module;
    const struct spirv_instruction *variable = capture_definition(module, id, SpvOpVariable, 4),
                                   *type;
    struct output output = {.variable = id,
                            .member = SPIRV_NONE,
                            .decoration = SPIRV_NONE,
                            .offset = SPIRV_NONE,
                            .buffer = SPIRV_NONE,
                            .stride = SPIRV_NONE,
                            .stream = SPIRV_NONE};
    if (!variable || spirv_words(module, variable)[3] != SpvStorageClassOutput)
        return;
    type = capture_definition(module, spirv_words(module, variable)[1], SpvOpTypePointer, 4);
    if (!type)
        return;
    read_decorations(module, id, SPIRV_NONE, &output);
    const uint32_t pointee = spirv_words(module, type)[3];
    const struct spirv_instruction *block = capture_definition(module, pointee, SpvOpTypeStruct, 2);
    if (!block) {
        if (!output_measure(module, pointee, 8, &output))
            output.size = output.width = 0;
        add_output(capture, &output);
        return;
    }
    /* Members inherit the decorations of the block, except for Offset, unless they have their
     * own. */
    output.block = pointee;
    for (uint32_t m = 0; m + 2 < block->length && m < OUTPUTS_MOST; m++) {
        struct output member = output;
        member.member = m;
        member.offset = SPIRV_NONE;
        read_decorations(module, pointee, m, &member);
        if (!output_measure(module, spirv_words(module, block)[m + 2], 8, &member))
            member.size = member.width = 0;
        if (member.offset != SPIRV_NONE)
            add_output(capture, &member);
    }
}

static void capture_broken(struct capture *capture, enum vuid vuid, const struct output *output,
                           const char *format, ...) PRINTF_LIKE(4, 5);
/* Reports an output, by its decoration if it has one, otherwise by the entry point. */
static void capture_broken(struct capture *capture, enum vuid vuid, const struct output *output,
                           const char *format, ...)
{
    char text[TEXT_SIZE];
    int length = output->member == SPIRV_NONE
                     ? snprintf(text, sizeof(text), "the output variable %%%u ", output->variable)
                     : snprintf(text, sizeof(text), "member %u of the output block %%%u ",
                                output->member, output->variable);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
    va_end(args);
    capture->told = true;
    capture->skip |=
        spirv_report_instruction(capture->call, vuid, capture->where, capture->module, text,
                                 output->decoration == SPIRV_NONE ? capture->entry
                                                                  : output->decoration);
}

/* Offsets of outputs are aligned to their components, which have 32 or 64 bits. */
static bool check_offset(struct capture *capture, const struct output *output)
{
    if (output->offset == SPIRV_NONE || !output->width)
        return true;
    const uint32_t bytes = output->width / 8;
    /* must only contain base types that have components that are either 32-bit or 64-bit in size */
    if (output->width != 32 && output->width != 64)
        capture_broken(capture, VUID_StandaloneSpirv_Offset_04692, output,
                       "is decorated with Offset, but has components of %u bits", output->width);
    /* that have a 64-bit (32-bit) type must specify an Offset value aligned to a 8 (4) byte
     * boundary */
    else if (output->offset % bytes)
        capture_broken(capture,
                       output->width == 64 ? VUID_StandaloneSpirv_Offset_04687
                                           : VUID_StandaloneSpirv_Offset_04691,
                       output,
                       "has the Offset %u, which is not a multiple of %u, its components' size",
                       output->offset, bytes);
    else
        return true;
    return false;
}

/* The first member of an output block specifying a Offset decoration must specify a Offset value
 * that is aligned to an 8 byte boundary if that block contains any member decorated with Offset and
 * is a 64-bit type */
static bool check_first_member(struct capture *capture)
{
    for (uint32_t i = 0; i < capture->count; i++) {
        const struct output *first = &capture->outputs[i];
        if (!first->block || (i && capture->outputs[i - 1].variable == first->variable) ||
            first->offset % 8 == 0)
            continue;
        for (uint32_t k = i; k < capture->count && capture->outputs[k].variable == first->variable;
             k++) {
            if (capture->outputs[k].width != 64)
                continue;
            capture_broken(capture, VUID_StandaloneSpirv_Offset_04690, first,
                           "is the first with an Offset, %u, which is not a multiple of 8, but "
                           "member %u "
                           "has 64-bit components",
                           first->offset, capture->outputs[k].member);
            return false;
        }
    }
    return true;
}

/* Checks two outputs of the same buffer or the same block. False if a rule was broken. */
static bool check_pair(struct capture *capture, const struct output *one,
                       const struct output *other)
{
    /* before SPIR-V 1.4 an interface may list a variable twice */
    if (one->variable == other->variable && one->member == other->member)
        return true;
    /* All block members that are in the same block and have a declared or inherited XfbBuffer
     * decoration must specify the same XfbBuffer value */
    if (one->block && one->variable == other->variable && one->buffer != other->buffer &&
        one->buffer != SPIRV_NONE && other->buffer != SPIRV_NONE) {
        capture_broken(capture, VUID_StandaloneSpirv_XfbBuffer_04697, other,
                       "has the XfbBuffer %u, but member %u has the XfbBuffer %u", other->buffer,
                       one->member, one->buffer);
        return false;
    }
    if (one->buffer != other->buffer || one->buffer == SPIRV_NONE)
        return true;
    /* decorated with a specific XfbBuffer value must all be decorated with identical XfbStride
     * values */
    if (one->stride != other->stride && one->stride != SPIRV_NONE && other->stride != SPIRV_NONE) {
        capture_broken(capture, VUID_StandaloneSpirv_XfbBuffer_04693, other,
                       "has the XfbStride %u, but %%%u of the same XfbBuffer %u has %u",
                       other->stride, one->variable, one->buffer, one->stride);
        return false;
    }
    /* all variables belonging to the same XfbBuffer must specify the same Stream value */
    if (one->stream != other->stream && one->stream != SPIRV_NONE && other->stream != SPIRV_NONE) {
        capture_broken(capture, VUID_StandaloneSpirv_Stream_04694, other,
                       "has the Stream %u, but %%%u of the same XfbBuffer %u has %u", other->stream,
                       one->variable, one->buffer, one->stream);
        return false;
    }
    /* the ranges determined by the Offset decoration and the size of the type must not overlap */
    if (one->offset != SPIRV_NONE && other->offset != SPIRV_NONE && one->size && other->size &&
        one->offset < (uint64_t)other->offset + other->size &&
        other->offset < (uint64_t)one->offset + one->size) {
        capture_broken(capture, VUID_StandaloneSpirv_XfbBuffer_04696, other,
                       "takes %u bytes at the Offset %u of XfbBuffer %u, where %%%u takes %u at %u",
                       other->size, other->offset, one->buffer, one->variable, one->size,
                       one->offset);
        return false;
    }
    return true;
}

/* Checks offsets and sizes against the limits of the device. */
static void check_sizes(struct capture *capture)
{
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *properties =
        &capture->call->device->extended.TransformFeedbackPropertiesEXT;
    uint64_t ends[STREAMS_MOST][BUFFERS_MOST] = {0}, sum;
    if (!properties->sType)
        return;
    for (uint32_t i = 0; i < capture->count; i++) {
        const struct output *output = &capture->outputs[i];
        const uint32_t stream = output->stream == SPIRV_NONE ? 0 : output->stream;
        const uint64_t end = (uint64_t)output->offset + output->size;
        if (output->offset == SPIRV_NONE || output->buffer == SPIRV_NONE || !output->size)
            continue;
        /* The Offset plus size of the type of each variable decorated with XfbBuffer must not be
         * greater than maxTransformFeedbackBufferDataSize */
        if (end > properties->maxTransformFeedbackBufferDataSize) {
            capture_broken(capture, VUID_RuntimeSpirv_Offset_06308, output,
                           "takes %u bytes at the Offset %u, which ends after %u "
                           "(maxTransformFeedbackBufferDataSize)",
                           output->size, output->offset,
                           properties->maxTransformFeedbackBufferDataSize);
            return;
        }
        if (stream >= STREAMS_MOST || output->buffer >= BUFFERS_MOST)
            continue;
        uint64_t *place = &ends[stream][output->buffer];
        *place = end > *place ? end : *place;
        sum = 0;
        for (uint32_t b = 0; b < BUFFERS_MOST; b++)
            sum += ends[stream][b];
        /* For a given Stream, the sum of all the buffer data sizes for all buffers writing to that
         * stream must not exceed maxTransformFeedbackStreamDataSize */
        if (sum > properties->maxTransformFeedbackStreamDataSize) {
            capture_broken(capture, VUID_RuntimeSpirv_XfbBuffer_06309, output,
                           "makes the buffers of stream %u take %llu bytes, more than %u "
                           "(maxTransformFeedbackStreamDataSize)",
                           stream, (unsigned long long)sum,
                           properties->maxTransformFeedbackStreamDataSize);
            return;
        }
    }
}

/* Checks all captured outputs of one entry point. An entry point with too many outputs is not
 * checked. */
static void check_entry(struct capture *capture)
{
    const struct spirv_instruction *entry = &capture->module->instructions[capture->entry];
    const uint32_t *words = spirv_words(capture->module, entry);
    uint32_t taken;
    bool good = true;
    capture->count = 0;
    /* the outputs are arrays of vertices, and cannot be captured */
    if (entry->length > 1 && words[1] == SpvExecutionModelTessellationControl)
        return;
    if (entry->length < 4 || !spirv_string(words + 3, entry->length - 3u, &taken) ||
        entry->length - 3u - taken > OUTPUTS_MOST)
        return;
    for (uint32_t i = 3 + taken; i < entry->length; i++)
        add_variable(capture, words[i]);
    if (capture->count > OUTPUTS_MOST)
        return;
    for (uint32_t i = 0; i < capture->count && good; i++)
        good = check_offset(capture, &capture->outputs[i]);
    good = good && check_first_member(capture);
    for (uint32_t i = 0; i < capture->count && good; i++) {
        for (uint32_t k = 0; k < i && good; k++)
            good = check_pair(capture, &capture->outputs[k], &capture->outputs[i]);
    }
    if (good)
        check_sizes(capture);
}

/* True if the module declares the capability TransformFeedback. Capabilities come first in a
 * module. */
static bool declares_feedback(const struct spirv_module *module)
{
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode != SpvOpCapability)
            break;
        if (instruction->length > 1 &&
            spirv_words(module, instruction)[1] == SpvCapabilityTransformFeedback)
            return true;
    }
    return false;
}

bool capture_check(const struct call *call, const struct location *where,
                   const struct spirv_module *module, bool *told)
{
    if (!declares_feedback(module))
        return false;
    struct capture capture = {.call = call, .where = where, .module = module};
    uint32_t entries = 0;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunction)
            break;
        if (instruction->opcode == SpvOpEntryPoint && entries++ < ENTRIES_MOST) {
            capture.entry = i;
            check_entry(&capture);
        }
    }
    *told |= capture.told;
    return capture.skip;
}
