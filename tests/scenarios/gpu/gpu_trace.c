/* The operands by which rays are traced: flags, range, origin. */
#include "gpu/gpu_world.h"

#include "gpu_checks.h"

#define ZERO         0u
#define HUNDRED      0x42c80000u
#define TWO_HUNDRED  0x43480000u
#define MINUS_ONE    0xbf800000u
#define INFINITE     0x7f800000u
#define NOT_A_NUMBER 0x7fc00000u
#define FRONT        MINUS_ONE /* z of the origin */

static void trace_ray(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                      uint32_t flags, uint32_t least, uint32_t most, uint32_t z)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.count = 1;
    g.index = flags;
    g.other = least;
    g.address = (VkDeviceAddress)z << 32 | most;
    gpu_make(&g);
    gpu_run(&g);
}

#define RAYS_SAFE                                                        \
    GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_ray, \
        .extensions = {GPU_RAY_EXTENSIONS}
#define WRONG(name_, shader_, id_, flags_, least_, most_, z_, ...)                                 \
    SCENARIO(shader_##_##name_, RAYS_SAFE, .expect = {"VUID-RuntimeSpirv-" id_},                   \
             .text = {GPU_TEXT_STAGE("Ray Generation. Launch ID (x,y,z) = (1, 0, 0)"),             \
                      "vkCmdTraceRaysKHR", __VA_ARGS__})                                           \
    {                                                                                              \
        trace_ray(b, gpu_stage_rgen, GPU_CODE(spirv_##shader_##_rgen), flags_, least_, most_, z_); \
    }
#define GOOD(name_, shader_, flags_, least_, most_, z_)                                            \
    SCENARIO(shader_##_##name_, GPU_WITH_RAYS)                                                     \
    {                                                                                              \
        trace_ray(b, gpu_stage_rgen, GPU_CODE(spirv_##shader_##_rgen), flags_, least_, most_, z_); \
    }

/* OpTraceRayKHR and OpRayQueryInitializeKHR have the same rules, by other numbers. */
#define RULES(shader_, opcode_, finite_, nan_, negative_, order_, both_, culls_, opaque_)       \
    WRONG(origin_infinite, shader_, opcode_ "-" finite_, 0, ZERO, HUNDRED, INFINITE,            \
          opcode_ ": a component of the ray's origin or direction is infinite.")                \
    WRONG(origin_nan, shader_, opcode_ "-" nan_, 0, ZERO, HUNDRED, NOT_A_NUMBER,                \
          opcode_ ": the ray's origin, direction, Tmin or Tmax contains a NaN.")                \
    WRONG(least_nan, shader_, opcode_ "-" nan_, 0, NOT_A_NUMBER, HUNDRED, FRONT,                \
          "contains a NaN.")                                                                    \
    WRONG(most_nan, shader_, opcode_ "-" nan_, 0, ZERO, NOT_A_NUMBER, FRONT, "contains a NaN.") \
    WRONG(least_negative, shader_, opcode_ "-" negative_, 0, MINUS_ONE, HUNDRED, FRONT,         \
          "Tmin is -1 and Tmax 100: both must be non-negative.")                                \
    WRONG(order, shader_, opcode_ "-" order_, 0, TWO_HUNDRED, HUNDRED, FRONT,                   \
          "Tmin is 200, which is more than Tmax, 100.")                                         \
    WRONG(culls_both_sides, shader_, opcode_ "-" culls_, 0x30, ZERO, HUNDRED, FRONT,            \
          "the flags are 0x30, which contain more than one of SkipTrianglesKHR, "               \
          "CullBackFacingTrianglesKHR and "                                                     \
          "CullFrontFacingTrianglesKHR.")                                                       \
    WRONG(opaque_and_not, shader_, opcode_ "-" opaque_, 0x3, ZERO, HUNDRED, FRONT,              \
          "the flags are 0x3, which contain more than one of OpaqueKHR, NoOpaqueKHR, "          \
          "CullOpaqueKHR and CullNoOpaqueKHR.")                                                 \
    WRONG(skips_all, shader_, opcode_ "-" both_, 0x300, ZERO, HUNDRED, FRONT,                   \
          "the flags are 0x300, which contain both SkipTrianglesKHR and SkipAABBsKHR.")         \
    GOOD(plain, shader_, 0, ZERO, HUNDRED, FRONT)                                               \
    GOOD(of_one_length, shader_, 0x11, HUNDRED, HUNDRED, FRONT)                                 \
    GOOD(without_end, shader_, 0x2 | 0x4 | 0x8 | 0x20, ZERO, INFINITE, FRONT)
RULES(ray, "OpTraceRayKHR", "06355", "06358", "06356", "06357", "06552", "06892", "06893")
RULES(query, "OpRayQueryInitializeKHR", "06348", "06351", "06349", "06350", "06889", "06890",
      "06891")

SCENARIO(hit_kind_too_large, GPU_WITH_RAYS,
         .expect = {"VUID-RuntimeSpirv-OpReportIntersectionKHR-06998"},
         .text = {GPU_TEXT_STAGE("Intersection. Launch ID (x,y,z) = (1, 0, 0)"),
                  "reportIntersectionEXT(1.5, push.index)",
                  "OpReportIntersectionKHR: Hit Kind is 128, which is not in the range [0,127]."})
{
    trace_ray(b, gpu_stage_rint, GPU_CODE(spirv_hit_kind_rint), 128, ZERO, HUNDRED, FRONT);
}
SCENARIO(hit_kind_last, GPU_WITH_RAYS)
{
    trace_ray(b, gpu_stage_rint, GPU_CODE(spirv_hit_kind_rint), 127, ZERO, HUNDRED, FRONT);
}

/* --- ray queries that are not initialized: no driver survives a use of them --- */

#define QUERY_ID "UNASSIGNED-GPU-Assisted-Validation"
static void query_ray(struct baseline *b, struct gpu_code code, uint32_t index)
{
    trace_ray(b, gpu_stage_rgen, code, index, ZERO, HUNDRED, FRONT);
}

/* Proceed gives false, so that the loop ends, and the loop's body is not reached. */
SCENARIO(query_never_initialized, GPU_WITH_RAYS, .expect = {QUERY_ID},
         .text = {GPU_TEXT_STAGE("Ray Generation. Launch ID (x,y,z) = (1, 0, 0)"),
                  "vkCmdTraceRaysKHR", "rayQueryProceedEXT(query)",
                  "OpRayQueryProceedKHR of a ray query that no OpRayQueryInitializeKHR has "
                  "initialized. The layer holds it back, and its result is zero."})
{
    query_ray(b, GPU_CODE(spirv_query_never_rgen), 0);
}
SCENARIO(query_initialized_elsewhere, GPU_WITH_RAYS, .expect = {QUERY_ID},
         .text = {"OpRayQueryProceedKHR of a ray query"})
{
    query_ray(b, GPU_CODE(spirv_query_sometimes_rgen), 1);
}
SCENARIO(query_initialized_by_a_condition, GPU_WITH_RAYS)
{
    query_ray(b, GPU_CODE(spirv_query_sometimes_rgen), 0);
}
SCENARIO(query_initialized_both_ways, GPU_WITH_RAYS)
{
    query_ray(b, GPU_CODE(spirv_query_both_ways_rgen), 0);
    query_ray(b, GPU_CODE(spirv_query_both_ways_rgen), 1);
}
SCENARIO(query_not_initialized_by_a_function, GPU_WITH_RAYS, .expect = {QUERY_ID},
         .text = {"OpRayQueryProceedKHR of a ray query"})
{
    query_ray(b, GPU_CODE(spirv_query_of_a_function_rgen), 1);
}
SCENARIO(query_initialized_by_a_function, GPU_WITH_RAYS)
{
    query_ray(b, GPU_CODE(spirv_query_of_a_function_rgen), 0);
}

SCENARIO(trace_off, GPU_SETTINGS("gpuav_validate_trace_ray=false"), .features = &gpu_features_ray,
         .extensions = {GPU_RAY_EXTENSIONS})
{
    trace_ray(b, gpu_stage_rgen, GPU_CODE(spirv_ray_rgen), 0, TWO_HUNDRED, HUNDRED, FRONT);
}
