/* Reports errors of rays. */
#include "gpu/report/report.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <string.h>

/* the most bytes of a sentence */
#define SENTENCE 512
/* number of bits TRACE_..., each of which has a statement or none */
#define RULES 11

/* The statements of each family of instructions, by the bits TRACE_...; VUID_COUNT: the family has
 * no such statement. */
static const struct family {
    uint16_t opcodes[4];
    enum vuid ids[RULES];
} families[] = {
    {{SpvOpTraceRayKHR},
     {VUID_RuntimeSpirv_OpTraceRayKHR_06355, VUID_RuntimeSpirv_OpTraceRayKHR_06358,
      VUID_RuntimeSpirv_OpTraceRayKHR_06356, VUID_RuntimeSpirv_OpTraceRayKHR_06357,
      VUID_RuntimeSpirv_OpTraceRayKHR_06552, VUID_RuntimeSpirv_OpTraceRayKHR_06892,
      VUID_RuntimeSpirv_OpTraceRayKHR_06893, VUID_RuntimeSpirv_OpTraceRayKHR_06553,
      VUID_RuntimeSpirv_OpTraceRayKHR_06554, VUID_RuntimeSpirv_RayTracingOpacityMicromapKHR_11542,
      VUID_COUNT}},
    {{SpvOpTraceRayMotionNV}, /* no statement is about its flags */
     {VUID_RuntimeSpirv_OpTraceRayMotionNV_06361, VUID_RuntimeSpirv_OpTraceRayMotionNV_06364,
      VUID_RuntimeSpirv_OpTraceRayMotionNV_06362, VUID_RuntimeSpirv_OpTraceRayMotionNV_06363,
      VUID_COUNT, VUID_COUNT, VUID_COUNT, VUID_COUNT, VUID_COUNT,
      VUID_RuntimeSpirv_RayTracingOpacityMicromapKHR_11542,
      VUID_RuntimeSpirv_OpTraceRayMotionNV_06366}},
    {{SpvOpRayQueryInitializeKHR},
     {VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06348,
      VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06351,
      VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06349,
      VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06350,
      VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06889,
      VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06890,
      VUID_RuntimeSpirv_OpRayQueryInitializeKHR_06891, VUID_COUNT, VUID_COUNT,
      VUID_RuntimeSpirv_RayTracingOpacityMicromapKHR_11542, VUID_COUNT}},
    {{SpvOpHitObjectTraceRayNV, SpvOpHitObjectTraceRayMotionNV},
     {VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07705, VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07708,
      VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07706, VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07707,
      VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07712, VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07713,
      VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07714, VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07715,
      VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07716,
      VUID_RuntimeSpirv_RayTracingOpacityMicromapKHR_11542,
      VUID_RuntimeSpirv_OpHitObjectTraceRayNV_07710}},
    {{SpvOpHitObjectTraceRayEXT, SpvOpHitObjectTraceRayMotionEXT,
      SpvOpHitObjectTraceReorderExecuteEXT, SpvOpHitObjectTraceMotionReorderExecuteEXT},
     {VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11878,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11881,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11879,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11880,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11883,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11884,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11885,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11886,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11887,
      VUID_RuntimeSpirv_RayTracingOpacityMicromapKHR_11542,
      VUID_RuntimeSpirv_OpHitObjectTraceRayEXT_11882}},
};

/* Returns word i of the message as a float. */
static float trace_real(const struct gpu_message *message, uint32_t i)
{
    const uint32_t word = gpu_message_word(message, i);
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* Writes the broken rule, without the instruction. */
static void write_rule(const struct gpu_message *message, uint32_t rule, char *to, size_t size)
{
    const double least = (double)trace_real(message, 3), most = (double)trace_real(message, 4);
    switch (1u << rule) {
    case TRACE_INFINITE:
        snprintf(to, size, "a component of the ray's origin or direction is infinite");
        break;
    case TRACE_NAN:
        snprintf(to, size, "the ray's origin, direction, Tmin or Tmax contains a NaN");
        break;
    case TRACE_NEGATIVE:
        snprintf(to, size, "Tmin is %g and Tmax %g: both must be non-negative", least, most);
        break;
    case TRACE_ORDER:
        snprintf(to, size, "Tmin is %g, which is more than Tmax, %g", least, most);
        break;
    case TRACE_SKIPS_BOTH:
        snprintf(to, size,
                 "the flags are 0x%x, which contain both SkipTrianglesKHR and SkipAABBsKHR",
                 gpu_message_word(message, 2));
        break;
    case TRACE_CULLS_TWICE:
        snprintf(to, size,
                 "the flags are 0x%x, which contain more than one of SkipTrianglesKHR, "
                 "CullBackFacingTrianglesKHR and CullFrontFacingTrianglesKHR",
                 gpu_message_word(message, 2));
        break;
    case TRACE_OPAQUE_TWICE:
        snprintf(to, size,
                 "the flags are 0x%x, which contain more than one of OpaqueKHR, NoOpaqueKHR, "
                 "CullOpaqueKHR and CullNoOpaqueKHR",
                 gpu_message_word(message, 2));
        break;
    case TRACE_SKIPS_TRIANGLES:
        snprintf(to, size,
                 "the flags contain SkipTrianglesKHR, but the pipeline was created with "
                 "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR");
        break;
    case TRACE_SKIPS_AABBS:
        snprintf(to, size,
                 "the flags contain SkipAABBsKHR, but the pipeline was created with "
                 "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR");
        break;
    case TRACE_MICROMAP:
        snprintf(to, size,
                 "the flags contain ForceOpacityMicromap2StateKHR, but the module does not declare "
                 "RayTracingOpacityMicromapKHR");
        break;
    default:
        snprintf(to, size, "the time is %g: it must be between 0.0 and 1.0",
                 (double)trace_real(message, 5));
        break;
    }
}

/* Reports each rule that the ray breaks, by the bits in word 1. One instruction may break
 * several. */
static void tell_ray(struct gpu_message *message, const struct family *family)
{
    const struct spirv_instruction_rule *instruction =
        spirv_instruction_rule((uint16_t)gpu_message_word(message, 0));
    char rule[SENTENCE];
    for (uint32_t i = 0; i < RULES; i++) {
        if (!(gpu_message_word(message, 1) >> i & 1) || family->ids[i] == VUID_COUNT)
            continue;
        write_rule(message, i, rule, sizeof(rule));
        gpu_message_tell(message, SEVERITY_ERROR, family->ids[i], "%s: %s.",
                         instruction ? instruction->name : "A trace", rule);
    }
}

/* Reports an intersection. Words: 0 its T; 1 RayTmin; 2 the T of the committed intersection. */
static void tell_hit_t(struct gpu_message *message)
{
    gpu_message_tell(message, SEVERITY_ERROR,
                     VUID_RuntimeSpirv_OpRayQueryGenerateIntersectionKHR_06353,
                     "OpRayQueryGenerateIntersectionKHR: Hit T is %g, which is not between "
                     "RayTmin, %g, and the T of the committed intersection, %g.",
                     (double)trace_real(message, 0), (double)trace_real(message, 1),
                     (double)trace_real(message, 2));
}

/* Reports a hit kind, which is word 0; the program may use 0 to 127. */
static void tell_hit_kind(struct gpu_message *message)
{
    gpu_message_tell(message, SEVERITY_ERROR, VUID_RuntimeSpirv_OpReportIntersectionKHR_06998,
                     "OpReportIntersectionKHR: Hit Kind is %u, which is not in the range [0,127].",
                     gpu_message_word(message, 0));
}

/* Reports an uninitialized ray query. No numbered statement covers this, but the result is
 * undefined. */
static void tell_query(struct gpu_message *message)
{
    const struct spirv_instruction_rule *instruction =
        spirv_instruction_rule((uint16_t)gpu_message_word(message, 0));
    gpu_message_tell(message, SEVERITY_ERROR, UNASSIGNED_GPU_Assisted_Validation,
                     "%s of a ray query that no OpRayQueryInitializeKHR has initialized. The layer "
                     "holds it back, and its result is zero.",
                     instruction ? instruction->name : "Use");
}

void gpu_tell_trace(struct gpu_message *message)
{
    if (message->words[RECORD_ERROR] == ERROR_RAY_QUERY) {
        tell_query(message);
        return;
    }
    if (message->words[RECORD_ERROR] == ERROR_HIT_T) {
        tell_hit_t(message);
        return;
    }
    if (message->words[RECORD_ERROR] == ERROR_HIT_KIND) {
        tell_hit_kind(message);
        return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(families); i++) {
        for (size_t k = 0; k < ARRAY_LENGTH(families[i].opcodes); k++) {
            /* A family has up to four instructions, and 0 fills the rest. */
            if (families[i].opcodes[k] && families[i].opcodes[k] == gpu_message_word(message, 0))
                tell_ray(message, &families[i]);
        }
    }
}
