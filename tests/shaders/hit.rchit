#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT vec4 payload;
layout(location = 1) callableDataEXT uint work;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
hitAttributeEXT vec2 barycentrics;
layout(shaderRecordEXT) buffer Record {
    uint material;
} record;

void main()
{
    work = record.material;
    executeCallableEXT(record.material, 1);
    payload = vec4(barycentrics, float(work), gl_HitTEXT);
    if (gl_InstanceCustomIndexEXT > 3)
        traceRayEXT(scene, gl_RayFlagsOpaqueEXT, 0xff, 0, 1, 0, gl_WorldRayOriginEXT, 0.01, gl_WorldRayDirectionEXT, 100.0, 0);
}
