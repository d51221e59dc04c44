#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Hits { uint hits[]; };
void main()
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, vec3(0), 0.0, vec3(0, 0, 1), 10.0);
    while (rayQueryProceedEXT(query)) { }
    hits[gl_LocalInvocationIndex] = rayQueryGetIntersectionTypeEXT(query, true);
}
