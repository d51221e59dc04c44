/* What builds of acceleration structures find in buffers when they run (40 "Acceleration Structures"). */
#include "acceleration_structure_builder.h"
#include "gpu_world.h"

#define BUILDS GPU_WITH_RAYS

static void build(struct baseline *b, void (*fill)(struct baseline *b, struct structure_build *build), const void *data,
                  size_t size)
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
        build(b, fill_boxes, &box, sizeof(box));                                \
    }
BOX(box_x, "minX-03546", "box 0 of pInfos[0].pGeometries[0] has minX = 2, more than maxX = 1", 2, 0, 0, 1, 1, 1)
BOX(box_y, "minY-03547", "box 0 of pInfos[0].pGeometries[0] has minY = 0.5, more than maxY = -1", 0, 0.5f, 0, 1, -1, 1)
BOX(box_z, "minZ-03548", "box 0 of pInfos[0].pGeometries[0] has minZ = 7, more than maxZ = 1", 0, 0, 7, 1, 1, 1)

SCENARIO(box_of_a_point, BUILDS)
{
    const VkAabbPositionsKHR box = {1, 1, 1, 1, 1, 1};
    build(b, fill_boxes, &box, sizeof(box));
}

/* Which is inactive. */
SCENARIO(box_of_no_number, BUILDS)
{
    const VkAabbPositionsKHR box = {__builtin_nanf(""), 1, 1, 1, 1, 1};
    build(b, fill_boxes, &box, sizeof(box));
}

SCENARIO(box_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_acceleration_structures_builds=false"}, .features = &gpu_features_ray,
         .extensions = {GPU_RAY_EXTENSIONS}, .ours_only = true)
{
    const VkAabbPositionsKHR box = {2, 0, 0, 1, 1, 1};
    build(b, fill_boxes, &box, sizeof(box));
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
