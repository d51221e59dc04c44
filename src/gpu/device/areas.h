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

/* Threads: vkCreateDevice and vkDestroyDevice write it, except the atomics. */
struct gpu_in_device {
    struct gpu_device *gpu; /* gpu/device/device.h; NULL: the layer runs nothing on the device */
    struct gpu_shaders *shaders; /* gpu/pipeline/shader.h; NULL: no shader can be changed */
    struct gpu_aborts *aborts;   /* gpu/abort/abort.h; NULL: aborts are not emulated */
    struct breadcrumbs
        *breadcrumbs;         /* gpu/breadcrumbs/breadcrumbs.h; NULL: no markers are written */
    struct dump_device *dump; /* gpu/dump/dump_notes.h; NULL: nothing is dumped */
    /* stages whose shaders may be changed: the driver has the features that this needs, and they
     * are enabled (gpu/device/create.c) */
    VkShaderStageFlags stages;
    bool imports_host_memory; /* the layer has enabled VK_EXT_external_memory_host
                                 (gpu/device/create.c) */
    /* a driver was asked for abort messages: gpu/abort/abort_native.c. Relaxed */
    _Atomic bool asked_why;
};
AREA(gpu_in_device, device, 0)

/* Owned, and kept for the next command buffer of this memory. */
struct gpu_in_command_buffer {
    struct gpu_command_buffer *commands; /* gpu/command/command.h; NULL until it is first needed */
    struct breadcrumb_trail
        *breadcrumbs;            /* gpu/breadcrumbs/breadcrumbs.h; NULL: breadcrumbs are off */
    struct dump_recording *dump; /* gpu/dump/dump_notes.h; NULL: nothing is dumped */
};
AREA(gpu_in_command_buffer, command_buffer, 8)

struct gpu_in_pipeline {
    /* gpu/pipeline/pipeline.h: its instrumented parts. NULL: none, or they are still being
     * compiled */
    struct gpu_pipeline *changed;
    /* gpu/pipeline/compile.h. NULL: `changed` is final. Stored with release. Loaded with acquire if
     * `changed` is read of a pipeline that may not have been bound */
    struct gpu_compile *_Atomic compile;
};
AREA(gpu_in_pipeline, pipeline, 0)

struct gpu_in_shader_object {
    struct gpu_pipeline *changed; /* gpu/pipeline/pipeline.h: its instrumented parts. NULL: none */
    /* gpu/pipeline/binaries.h. NULL: it was made from a binary, or there is no original. Release */
    struct gpu_original *_Atomic original;
};
AREA(gpu_in_shader_object, shader_object, 0)

struct gpu_in_shader_module {
    struct gpu_code *code; /* gpu/pipeline/shader.h: the module's code. NULL: it is not needed */
};
AREA(gpu_in_shader_module, shader_module, 0)

struct gpu_in_descriptor_set {
    /* gpu/command/tables.h: the set's table for shaders. NULL: none */
    struct gpu_table *_Atomic table;
};
AREA(gpu_in_descriptor_set, descriptor_set, 0)

/* gpu/command/ranges.c: the address, queried when the buffer was bound; 0: not queried. */
struct gpu_in_buffer {
    VkDeviceAddress address;
};
AREA(gpu_in_buffer, buffer, 0)

/* gpu/command/ranges.c: the address that the program has queried; 0: not queried, or not needed. */
struct gpu_in_acceleration_structure {
    VkDeviceAddress address;
};
AREA(gpu_in_acceleration_structure, acceleration_structure, 0)

#endif
