#version 460
/* The same for Vulkan's memory model. */
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
shared vec3 tile[64];
shared uint flag;
layout(binding = 0) buffer Out { vec3 result; };
void main()
{
    tile[gl_LocalInvocationIndex] = vec3(gl_GlobalInvocationID);
    barrier();
    result = tile[63 - gl_LocalInvocationIndex];
    atomicStore(flag, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    if (atomicLoad(flag, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 1)
        result += tile[0];
}
