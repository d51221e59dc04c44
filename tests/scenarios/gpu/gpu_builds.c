/* Builds of acceleration structures that read bad values from buffers when they run (40
 * "Acceleration Structures"). */
#include "raytracing/acceleration_structure_builder.h"
#include "gpu/gpu_world.h"

#define BUILDS GPU_WITH_RAYS

static void build_filled(struct baseline *b,
                         void (*fill)(struct baseline *b, struct structure_build *build),
                         const void *data, size_t size)
{
    struct structure_build made;
    fill(b, &made);
    gpu_fill(b, made.input, 0, data, size);
    made.ranges[0].primitiveCount = 1;
    VkCommandBuffer commands = make_recording(b);
    record_build(b, commands, &made);
    run_commands(b, commands);
}

#define BOX(name_, id_, text_, ...)                                             \
    SCENARIO(name_, BUILDS, .expect = {"VUID-VkAabbPositionsKHR-" id_},         \
             .text = {text_, "command 0: vkCmdBuildAccelerationStructuresKHR"}) \
    {                                                                           \
        const VkAabbPositionsKHR box = {__VA_ARGS__};                           \
        build_filled(b, fill_boxes, &box, sizeof(box));                         \
    }
BOX(box_x, "minX-03546", "box 0 of pInfos[0].pGeometries[0] has minX = 2, more than maxX = 1", 2, 0,
    0, 1, 1, 1)
BOX(box_y, "minY-03547", "box 0 of pInfos[0].pGeometries[0] has minY = 0.5, more than maxY = -1", 0,
    0.5f, 0, 1, -1, 1)
BOX(box_z, "minZ-03548", "box 0 of pInfos[0].pGeometries[0] has minZ = 7, more than maxZ = 1", 0, 0,
    7, 1, 1, 1)

SCENARIO(box_of_a_point, BUILDS)
{
    const VkAabbPositionsKHR box = {1, 1, 1, 1, 1, 1};
    build_filled(b, fill_boxes, &box, sizeof(box));
}

/* The box is inactive. */
SCENARIO(box_of_no_number, BUILDS)
{
    const VkAabbPositionsKHR box = {__builtin_nanf(""), 1, 1, 1, 1, 1};
    build_filled(b, fill_boxes, &box, sizeof(box));
}

SCENARIO(box_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_acceleration_structures_builds=false"},
         .features = &gpu_features_ray, .extensions = {GPU_RAY_EXTENSIONS}, .ours_only = true)
{
    const VkAabbPositionsKHR box = {2, 0, 0, 1, 1, 1};
    build_filled(b, fill_boxes, &box, sizeof(box));
}

static void build_triangle(struct baseline *b, float scale)
{
    struct structure_build made;
    const VkTransformMatrixKHR transform = {{{1, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, 1, 0}}};
    fill_triangles(b, &made);
    gpu_fill(b, made.input, 1024, &transform, sizeof(transform));
    made.geometries[0].geometry.triangles.transformData.deviceAddress = made.input_address + 1024;
    made.ranges[0].primitiveCount = 1;
    VkCommandBuffer commands = make_recording(b);
    record_build(b, commands, &made);
    run_commands(b, commands);
}

SCENARIO(transform_of_no_inverse, BUILDS, .expect = {"VUID-VkTransformMatrixKHR-matrix-03799"},
         .text = {"the transform of pInfos[0].pGeometries[0] has no inverse"})
{
    build_triangle(b, 0);
}

SCENARIO(transform_in_order, BUILDS)
{
    build_triangle(b, 2);
}

/* --- instances --- */

static VkDeviceAddress structure_address(struct baseline *b, VkAccelerationStructureKHR structure)
{
    const VkAccelerationStructureDeviceAddressInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = structure};
    return DEVICE_PROC(b, vkGetAccelerationStructureDeviceAddressKHR)(b->device, &info);
}

static const VkTransformMatrixKHR flat = {{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, -0.0f, 0, 1}}},
                                  tiny = {
                                      {{0, 1e-30f, 0, 0}, {1e-30f, 0, 0, 0}, {0, 0, 1e-30f, 0}}};

static VkAccelerationStructureInstanceKHR instance_of(VkTransformMatrixKHR transform,
                                                      VkDeviceAddress reference)
{
    return (VkAccelerationStructureInstanceKHR){
        .transform = transform, .mask = 0xff, .accelerationStructureReference = reference};
}

/* Builds two instances, from an array or from pointers to them. */
static void build_instances(struct baseline *b, const VkAccelerationStructureInstanceKHR *instances,
                            uint32_t misplaced)
{
    struct structure_build made;
    fill_instances(b, &made);
    made.info.scratchData.deviceAddress = make_scratch(b, 1 << 16);
    made.ranges[0].primitiveCount = 2;
    gpu_fill(b, made.input, 0, instances, 2 * sizeof(*instances));
    if (misplaced != UINT32_MAX) {
        const VkDeviceAddress pointers[2] = {made.input_address,
                                             made.input_address + sizeof(*instances) + misplaced};
        gpu_fill(b, made.input, 1024, pointers, sizeof(pointers));
        made.geometries[0].geometry.instances.arrayOfPointers = VK_TRUE;
        made.geometries[0].geometry.instances.data.deviceAddress = made.input_address + 1024;
    }
    VkCommandBuffer commands = make_recording(b);
    record_build(b, commands, &made);
    run_commands(b, commands);
}

static void build_with_second(struct baseline *b, VkTransformMatrixKHR transform, bool active)
{
    const VkDeviceAddress reference = structure_address(b, make_built(b, 0));
    const VkAccelerationStructureInstanceKHR instances[2] = {
        instance_of(tiny, reference), instance_of(transform, active ? reference : 0)};
    build_instances(b, instances, UINT32_MAX);
}

SCENARIO(instance_of_no_inverse, BUILDS, .expect = {"VUID-VkTransformMatrixKHR-matrix-03799"},
         .text = {"the transform of instance 1 of pInfos[0].pGeometries[0] has no inverse"})
{
    build_with_second(b, flat, true);
}

SCENARIO(instance_in_order, BUILDS)
{
    build_with_second(b, tiny, true);
}

SCENARIO(instance_that_is_inactive, BUILDS)
{
    build_with_second(b, flat, false);
}

/* The memory that it lay in is there. */
SCENARIO(instance_of_what_was_destroyed, BUILDS,
         .expect = {"VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-12281"},
         .text = {"instance 1 of pInfos[0].pGeometries[0] has accelerationStructureReference = 0x",
                  "which is not the address of a bottom level acceleration structure that lives",
                  "command 0: vkCmdBuildAccelerationStructuresKHR"})
{
    const VkAccelerationStructureCreateInfoKHR info =
        structure_info(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
    VkAccelerationStructureKHR gone = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureKHR)(b->device, &info, NULL, &gone));
    struct structure_build triangles;
    fill_triangles(b, &triangles);
    triangles.info.dstAccelerationStructure = gone;
    VkCommandBuffer commands = make_recording(b);
    record_build(b, commands, &triangles);
    run_commands(b, commands);
    const VkAccelerationStructureInstanceKHR instances[2] = {
        instance_of(tiny, structure_address(b, make_built(b, 0))),
        instance_of(tiny, structure_address(b, gone))};
    build_instances(b, instances, UINT32_MAX);
    DEVICE_PROC(b, vkDestroyAccelerationStructureKHR)(b->device, gone, NULL);
    build_instances(b, instances, UINT32_MAX);
}

SCENARIO(instance_pointer_misplaced, BUILDS,
         .expect = {"VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-03717"},
         .text = {"instance 1 has address = 0x", "not a multiple of 16"})
{
    const VkAccelerationStructureInstanceKHR instances[3] = {{.mask = 0}};
    build_instances(b, instances, 8);
}

SCENARIO(instance_pointers_in_order, BUILDS)
{
    const VkAccelerationStructureInstanceKHR instances[3] = {{.mask = 0}};
    build_instances(b, instances, 0);
}

/* A driver may build with shaders of its own: what was bound and pushed for the program's dispatch
 * before the build must reach it after. */
static void dispatch_around_a_build(struct baseline *b, uint32_t index)
{
    const VkAabbPositionsKHR box = {1, 1, 1, 1, 1, 1};
    struct structure_build made;
    fill_boxes(b, &made);
    gpu_fill(b, made.input, 0, &box, sizeof(box));
    made.ranges[0].primitiveCount = 1;
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.index = index;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    record_build(b, g.commands, &made);
    gpu_act(&g);
    gpu_submit(&g);
}

SCENARIO(build_between_bind_and_dispatch, BUILDS, .expect = {"VUID-vkCmdDispatch-None-10068"},
         .text = {"Index of 6 used", "command 4: vkCmdDispatch"})
{
    dispatch_around_a_build(b, GPU_LENGTH);
}

SCENARIO(build_between_bind_and_good_dispatch, BUILDS)
{
    dispatch_around_a_build(b, GPU_LENGTH - 1);
}
