Shaders of tests/scenarios/gpu_shared.c: invocations 3 and 4 of a workgroup of 8 use the same place of its shared memory.
;; macro PUSH
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
layout(binding = 0) buffer Result { vec4 value; } result;
#define I gl_LocalInvocationIndex
shared uint tile[8];
shared uint flag;
;; write_read comp+g
@PUSH
void main()
{
    if (I == 3)
        tile[5] = 1;
    if (I == 4)
        result.value.x = float(tile[5]);
}
;; write_barrier_read comp+g
@PUSH
void main()
{
    if (I == 3)
        tile[5] = 1;
    barrier();
    if (I == 4)
        result.value.x = float(tile[5]);
}
;; read_write comp+g
@PUSH
void main()
{
    if (I == 4)
        result.value.x = float(tile[push.index]);
    if (I == 3)
        tile[push.index] = 1;
}
;; read_barrier_write comp+g
@PUSH
void main()
{
    if (I == 4)
        result.value.x = float(tile[push.index]);
    barrier();
    if (I == 3)
        tile[push.index] = 1;
}
;; same_value comp+g
@PUSH
void main()
{
    flag = 7;
    barrier();
    result.value.x = float(flag);
}
;; many_read comp+g
@PUSH
void main()
{
    result.value.x = float(flag);
    if (I == 7)
        flag = 1;
}
;; neighbours comp+g
@PUSH
void main()
{
    tile[I] = I;
    result.value.x = float(tile[(I + push.index) % 8]);
}
;; stride comp+g
@PUSH
void main()
{
    uint at = (I & 3u) * push.index + (I >> 2u) * push.other;
    tile[at] = I;
    barrier();
    result.value.x = float(tile[7 - I]);
}
;; halves comp+g
@PUSH
void main()
{
    if (I < 4)
        tile[I] = I;
    else
        result.value.x = float(tile[I - push.index]);
}
;; last_round comp+g
@PUSH
void main()
{
    for (uint i = 0; i < 2; i++) {
        tile[I] = i;
        barrier();
        result.value.x += float(tile[7 - I]);
        if (i < push.index)
            barrier();
    }
}
;; helper comp+g
@PUSH
uint other()
{
    uint found = tile[7 - I];
    if (push.index == 1)
        barrier();
    return found;
}
void main()
{
    tile[I] = I;
    barrier();
    result.value.x = float(other());
    tile[I] = 2;
}
;; own comp+g
@PUSH
void main()
{
    for (uint i = 0; i < 3; i++)
        tile[I] += i;
    result.value.x = float(tile[I]);
}
;; atomics comp+g
@PUSH
void main()
{
    if (I == 0)
        flag = 0;
    barrier();
    atomicAdd(flag, 1);
    atomicMax(flag, I);
    barrier();
    result.value.x = float(flag);
}
;; write_atomic comp+g
@PUSH
void main()
{
    if (I == 3)
        flag = 0;
    if (I == 4)
        atomicAdd(flag, 1);
}
;; atomic_read comp+g
@PUSH
void main()
{
    if (I == 3)
        atomicAdd(flag, 1);
    if (I == 4)
        result.value.x = float(flag);
}
;; failed_exchange comp+g
@PUSH
void main()
{
    if (I == 3)
        result.value.y = float(flag);
    if (I == 4)
        result.value.x = float(atomicCompSwap(flag, 1, 0));
}
;; memory_barrier_alone comp+g
@PUSH
void main()
{
    if (I == 3)
        tile[5] = 1;
    memoryBarrierShared();
    if (I == 4)
        result.value.x = float(tile[5]);
}
;; flag_and_barriers comp+g
@PUSH
void main()
{
    if (I == 3) {
        tile[5] = 1;
        memoryBarrierShared();
        atomicExchange(flag, 1);
    }
    if (I == 4 && atomicOr(flag, 0) == 1) {
        memoryBarrierShared();
        result.value.x = float(tile[5]);
    }
}
;; flag_acquired comp+g
@PUSH
void main()
{
    if (I == 3) {
        tile[5] = 1;
        atomicStore(flag, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
    }
    if (I == 4 && atomicLoad(flag, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire) == 1)
        result.value.x = float(tile[5]);
}
;; flag_not_acquired comp+g
@PUSH
void main()
{
    if (I == 3) {
        tile[5] = 1;
        atomicStore(flag, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
    }
    if (I == 4 && atomicLoad(flag, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) == 1)
        result.value.x = float(tile[5]);
}
;; subgroup_barrier comp+g
@PUSH
void main()
{
    if (I == 3)
        tile[5] = 1;
    subgroupBarrier();
    if (I == 4)
        result.value.x = float(tile[5]);
}
;; barrier_without_memory comp+g
@PUSH
void main()
{
    if (I == 3)
        tile[5] = 1;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, 0);
    if (I == 4)
        result.value.x = float(tile[5]);
}
;; barrier_and_memory_barriers comp+g
@PUSH
void main()
{
    if (I == 3)
        tile[5] = 1;
    memoryBarrierShared();
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, 0);
    memoryBarrierShared();
    if (I == 4)
        result.value.x = float(tile[5]);
}
;; loop comp+g
@PUSH
void main()
{
    for (uint i = 0; i < push.index; i++) {
        tile[I] = I + i;
        barrier();
        result.value.x += float(tile[7 - I]);
        if (push.other == 1)
            barrier();
    }
}
;; parts comp+g
@PUSH
struct Part { uint kind; vec3 at; mat2 turn[2]; };
shared Part parts[4];
void main()
{
    if (I == 3)
        parts[push.index].turn[1][0].y = 1.0;
    if (I == 4)
        result.value.xy = parts[push.other].turn[1][0];
    if (I == 5)
        result.value.zw = parts[2].at.xy;
}
;; whole comp+g
@PUSH
struct Part { uint kind; vec3 at; mat2 turn[2]; };
shared Part parts[4];
void main()
{
    if (I == 3)
        parts[push.index].at.z = 1.0;
    if (I == 4) {
        Part part = parts[1];
        result.value.xyz = part.at + part.turn[0][0].xyx;
    }
}
;; called comp+g
@PUSH
void put(uint at)
{
    tile[at] = I;
}
uint get(uint at)
{
    return tile[at];
}
void main()
{
    if (I == 3)
        put(5);
    if (push.index == 1)
        barrier();
    if (I == 4)
        result.value.x = float(get(5));
}
;; full comp+g
@PUSH
shared uint rest[8192 - 16];
void main()
{
    rest[0] = I;
    tile[0] = I;
    flag = rest[push.index];
}
;; large comp+g
@PUSH
shared uint large[6000];
void main()
{
    large[I + 100] = I;
    large[5800 + I] = I;
    for (uint i = 0; i < 5; i++)
        large[I + 1000 * i] = i;
    barrier();
    if (I == 3)
        large[push.index] = 1;
    if (I == 4)
        large[5000] = 1;
}
;; specialized comp+g
@PUSH
layout(constant_id = 3) const uint LENGTH = 4;
shared uint many[LENGTH];
void main()
{
    many[0] = I;
    result.value.x = float(many[push.index]);
}
;; specialized_size comp+g
@PUSH
layout(local_size_x_id = 4) in;
void main()
{
    tile[I % 4] = I;
}
;; race mesh+g
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 8) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
shared uint tile[8];
void main()
{
    SetMeshOutputsEXT(0, 0);
    if (gl_LocalInvocationIndex == 3)
        tile[5] = 1;
    if (gl_LocalInvocationIndex == 4)
        tile[5] = 2;
}
;; race_in_task task+g
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 8) in;
shared uint tile[8];
void main()
{
    if (gl_LocalInvocationIndex == 3)
        tile[5] = 1;
    if (gl_LocalInvocationIndex == 4)
        tile[5] = 2;
    EmitMeshTasksEXT(0, 0, 0);
}
