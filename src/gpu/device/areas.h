/* Lists what this validator keeps in objects of the chassis and of the state tracker
 * (objects/area.h). */
#ifndef ASSAY_GPU_AREAS_H
#define ASSAY_GPU_AREAS_H

#include "objects/area.h"
#include "objects/device.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* Threads: written by vkCreateDevice and vkDestroyDevice, but for the atomics. */
struct gpu_in_device {
    struct gpu_device
        *gpu; /* gpu/device/device.h; NULL where nothing runs on the device for the layer */
    struct gpu_shaders *shaders; /* gpu/pipeline/shader.h; NULL where no shader can be changed */
    struct gpu_aborts *aborts;   /* gpu/abort/abort.h; NULL: nothing is emulated */
    struct breadcrumbs
        *breadcrumbs;         /* gpu/breadcrumbs/breadcrumbs.h; NULL: no markers are written */
    struct dump_device *dump; /* gpu/dump/dump_notes.h; NULL: nothing is dumped */
    /* stages whose shaders may be changed: the driver has what the changes need, and was asked for
     * it (gpu/device/create.c) */
    VkShaderStageFlags stages;
    bool imports_host_memory; /* the layer has enabled VK_EXT_external_memory_host
                                 (gpu/device/create.c) */
    _Atomic bool asked_why;   /* gpu/abort/abort_native.c. Relaxed */
};
AREA(gpu_in_device, device, 0)

/* Owned, and kept for the next command buffer of this memory. */
struct gpu_in_command_buffer {
    struct gpu_command_buffer
        *commands; /* gpu/command/command.h; NULL before it was first needed */
    struct breadcrumb_trail
        *breadcrumbs;            /* gpu/breadcrumbs/breadcrumbs.h; NULL where none are asked for */
    struct dump_recording *dump; /* gpu/dump/dump_notes.h; NULL where nothing is dumped */
};
AREA(gpu_in_command_buffer, command_buffer, 8)

struct gpu_in_pipeline {
    /* gpu/pipeline/pipeline.h: what of it is instrumented. NULL: nothing, or it is still being
     * compiled: */
    struct gpu_pipeline *changed;
    /* gpu/pipeline/compile.h. NULL: `changed` stays as it is. Stored with release. Loaded with
     * acquire where `changed` of a pipeline is read that may not have been bound */
    struct gpu_compile *_Atomic compile;
};
AREA(gpu_in_pipeline, pipeline, 0)

struct gpu_in_shader_object {
    struct gpu_pipeline
        *changed; /* gpu/pipeline/pipeline.h: what of it is instrumented. NULL: nothing */
    /* gpu/pipeline/binaries.h. NULL: it was made of a binary, or there is none to be had. Release
     */
    struct gpu_original *_Atomic original;
};
AREA(gpu_in_shader_object, shader_object, 0)

struct gpu_in_shader_module {
    struct gpu_code *code; /* gpu/pipeline/shader.h: the code itself. NULL: it is not wanted */
};
AREA(gpu_in_shader_module, shader_module, 0)

struct gpu_in_descriptor_set {
    struct gpu_table *_Atomic table; /* gpu/command/tables.h: what shaders look at. NULL: nothing */
};
AREA(gpu_in_descriptor_set, descriptor_set, 0)

/* gpu/command/ranges.c: the address, from when the buffer was bound; 0 where that does not ask. */
struct gpu_in_buffer {
    VkDeviceAddress address;
};
AREA(gpu_in_buffer, buffer, 0)

/* gpu/command/ranges.c: that the program has asked for; 0: not asked for, or not wanted. */
struct gpu_in_acceleration_structure {
    VkDeviceAddress address;
};
AREA(gpu_in_acceleration_structure, acceleration_structure, 0)

#endif
