/* Runs scenarios of one command with another one in its place, which has the same statements. A
 * scenario that draws with vkCmdDraw, and expects VUID-vkCmdDraw-None-08600, is run again with
 * vkCmdDrawIndexed, and expects VUID-vkCmdDrawIndexed-None-08600. */
#ifndef ASSAY_HARNESS_INSTEAD_H
#define ASSAY_HARNESS_INSTEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "../../src/vk/window_systems.h"

struct scenario;
struct baseline;
struct needed_features; /* instead.c */

/* The owner of statements, and one that has them instead. */
struct owner_instead {
    const char *from, *to;
};

/* The command that stands in for another one. Threads: constant. */
struct instead {
    const char *to;
    struct owner_instead owners[8]; /* that of the command first */
    /* what the device needs for it; NULL: nothing more */
    const char *extensions[4];
    const struct needed_features *features[6];
    /* one of these */
    PFN_vkCmdDraw draw;
    PFN_vkCmdDispatch dispatch;
    PFN_vkCmdCopyBuffer copy_buffer;
    PFN_vkCmdCopyImage copy_image;
    PFN_vkCmdCopyBufferToImage copy_buffer_to_image;
    PFN_vkCmdCopyImageToBuffer copy_image_to_buffer;
    PFN_vkCmdBlitImage blit_image;
    PFN_vkCmdResolveImage resolve_image;
    PFN_vkBindBufferMemory bind_buffer;
    PFN_vkBindImageMemory bind_image;
    PFN_vkCmdPipelineBarrier pipeline_barrier;
    PFN_vkCmdPushConstants push_constants;
    PFN_vkCmdBindDescriptorSets bind_sets;
    /* pipelines have a mesh shader where scenarios have a vertex shader: one of VK_EXT_mesh_shader,
     * or of VK_NV_mesh_shader */
    bool mesh, mesh_nv;
};

/* The one that the command line names, or NULL. Threads: written before scenarios run. */
extern const struct instead *instead;

/* Chooses a command by its name. `statements`: the file that says which statements are checked.
 * False: there is none of that name, or no such file. */
bool instead_choose(const char *name, const char *statements);
/* The scenario as it is with the other command, with the ids that it expects then. NULL: it is not
 * about the first command, or not all that it expects is checked of the other one. */
struct scenario *instead_scenario(const struct scenario *scenario);
/* The features that the device is created with: those of the scenario, and what `instead` needs. */
const void *instead_features(const void *features);
/* Adds the extensions that it needs to a list of `count` with room for 4 more. Gives the new count.
 */
uint32_t instead_extensions(const char **list, uint32_t count);
/* A graphics pipeline's creation info as `instead` needs it. `stages`: room for those of the
 * result, which points there. */
#define INSTEAD_STAGES 8
VkGraphicsPipelineCreateInfo instead_pipeline(struct baseline *b,
                                              const VkGraphicsPipelineCreateInfo *info,
                                              VkPipelineShaderStageCreateInfo *stages);
/* A draw stands in for a dispatch: in scenarios of some files, a compute shader is made a fragment
 * shader, and its pipeline one that draws. */
bool instead_draws(const struct baseline *b);
#define SHADER_POINT(b_) \
    (instead_draws(b_) ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE)
#define SHADER_STAGE(b_) \
    (instead_draws(b_) ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_COMPUTE_BIT)
/* Dispatches one workgroup, or draws. */
void instead_run(struct baseline *b, VkCommandBuffer commands);
/* A module's code, or, on the heap, that of a fragment shader in place of a compute shader. */
uint32_t *instead_code(const struct baseline *b, const uint32_t *code, size_t *size);
/* The pipeline that has the shader of a compute pipeline. */
VkPipeline instead_drawing(struct baseline *b, const VkComputePipelineCreateInfo *info);
/* The running scenario, whose device has the buffers that the command needs. */
void instead_begin(struct baseline *b);

/* A call keeps its place in the source where nothing stands in for the command. */
#define INSTEAD(field_, command_, ...) \
    (instead && instead->field_ ? instead->field_(__VA_ARGS__) : command_(__VA_ARGS__))
/* clang-format off */
#define vkCmdDraw(...) INSTEAD(draw, vkCmdDraw, __VA_ARGS__)
#define vkCmdDispatch(...) INSTEAD(dispatch, vkCmdDispatch, __VA_ARGS__)
#define vkCmdCopyBuffer(...) INSTEAD(copy_buffer, vkCmdCopyBuffer, __VA_ARGS__)
#define vkCmdCopyImage(...) INSTEAD(copy_image, vkCmdCopyImage, __VA_ARGS__)
#define vkCmdCopyBufferToImage(...) \
    INSTEAD(copy_buffer_to_image, vkCmdCopyBufferToImage, __VA_ARGS__)
#define vkCmdCopyImageToBuffer(...) \
    INSTEAD(copy_image_to_buffer, vkCmdCopyImageToBuffer, __VA_ARGS__)
#define vkCmdBlitImage(...) INSTEAD(blit_image, vkCmdBlitImage, __VA_ARGS__)
#define vkCmdResolveImage(...) INSTEAD(resolve_image, vkCmdResolveImage, __VA_ARGS__)
#define vkBindBufferMemory(...) INSTEAD(bind_buffer, vkBindBufferMemory, __VA_ARGS__)
#define vkBindImageMemory(...) INSTEAD(bind_image, vkBindImageMemory, __VA_ARGS__)
#define vkCmdPipelineBarrier(...) INSTEAD(pipeline_barrier, vkCmdPipelineBarrier, __VA_ARGS__)
#define vkCmdPushConstants(...) INSTEAD(push_constants, vkCmdPushConstants, __VA_ARGS__)
#define vkCmdBindDescriptorSets(...) INSTEAD(bind_sets, vkCmdBindDescriptorSets, __VA_ARGS__)
/* clang-format on */

#endif
