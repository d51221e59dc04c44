/* An index past the end of an array of descriptors, and its last one: every type of descriptor in
 * every stage. Findings name the command that ran, the stage and the line of the shader's source.
 */
#include "gpu/gpu_world.h"

static void read_element(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                         uint32_t index)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.index = index;
    gpu_make(&g);
    gpu_run(&g);
}

#define DEVICE_plain GPU
#define DEVICE_mesh  GPU_WITH_MESH
#define DEVICE_rays  GPU_WITH_RAYS
#define CASE(kind_, access_, stage_, command_, text_, device_)                        \
    SCENARIO(stage_##_##kind_##_past_the_end, DEVICE_##device_,                       \
             .expect = {"VUID-" command_ "-None-10068"},                              \
             .text = {GPU_TEXT_INDEX(6, 6), GPU_TEXT_STAGE(text_), command_,          \
                      #kind_ "_" #stage_ "." #stage_, "result.value = " access_ ";"}) \
    {                                                                                 \
        read_element(b, gpu_kind_##kind_, gpu_stage_##stage_, GPU_LENGTH);            \
    }                                                                                 \
    SCENARIO(stage_##_##kind_##_last, DEVICE_##device_)                               \
    {                                                                                 \
        read_element(b, gpu_kind_##kind_, gpu_stage_##stage_, GPU_LENGTH - 1);        \
    }

#define KINDS(device_, stage_, command_, text_)                                               \
    CASE(sampled, "textureLod(sampler2D(things[push.index], the_sampler), vec2(0.5), 0.0)",   \
         stage_, command_, text_, device_)                                                    \
    CASE(combined, "textureLod(things[push.index], vec2(0.5), 0.0)", stage_, command_, text_, \
         device_)                                                                             \
    CASE(sampler, "textureLod(sampler2D(the_texture, things[push.index]), vec2(0.5), 0.0)",   \
         stage_, command_, text_, device_)                                                    \
    CASE(storage_image, "imageLoad(things[push.index], ivec2(0))", stage_, command_, text_,   \
         device_)                                                                             \
    CASE(uniform_texel, "vec4(texelFetch(things[push.index], 0))", stage_, command_, text_,   \
         device_)                                                                             \
    CASE(storage_texel, "vec4(imageLoad(things[push.index], 0))", stage_, command_, text_,    \
         device_)                                                                             \
    CASE(storage_buffer, "things[push.index].value", stage_, command_, text_, device_)        \
    CASE(uniform_buffer, "things[push.index].value", stage_, command_, text_, device_)

#define PLAIN(stage_, bit_, command_, text_) KINDS(plain, stage_, command_, text_)
#define MESH(stage_, bit_, command_, text_)  KINDS(mesh, stage_, command_, text_)
/* A ray tracing pipeline takes lavapipe three seconds: two types of descriptor stand for all. */
#define RAYS(stage_, bit_, command_, text_)                                                   \
    CASE(combined, "textureLod(things[push.index], vec2(0.5), 0.0)", stage_, command_, text_, \
         rays)                                                                                \
    CASE(storage_buffer, "things[push.index].value", stage_, command_, text_, rays)

GPU_GRAPHICS_STAGES_X(PLAIN)
GPU_COMPUTE_STAGES_X(PLAIN)
GPU_MESH_STAGES_X(MESH)
GPU_RAY_STAGES_X(RAYS)
