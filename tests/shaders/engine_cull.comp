#version 460
// As an engine's culling and sorting is: storage buffers, shared memory, indices from memory (tests/unit/instrument.c).
layout(local_size_x = 64) in;
struct Element { mat4 transform; vec4 bounds; uint flags; uint mesh; uint material; uint pad; };
layout(set = 0, binding = 0, std140) uniform Scene { mat4 projection; vec4 planes[6]; uint count; float near; float far; } scene;
layout(set = 0, binding = 1, std430) readonly buffer Elements { Element element[]; } elements;
layout(set = 0, binding = 2, std430) buffer Visible { uint count; uint index[]; } visible;
layout(set = 0, binding = 3, std430) buffer Depths { float depth[]; } depths;
shared uint found[64];
shared float nearest[64];

void main()
{
    uint at = gl_GlobalInvocationID.x, local = gl_LocalInvocationIndex;
    bool inside = at < scene.count;
    float depth = scene.far;
    if (inside) {
        vec4 bounds = elements.element[at].bounds;
        vec4 centre = elements.element[at].transform * vec4(bounds.xyz, 1.0);
        for (int i = 0; i < 6; i++)
            inside = inside && dot(scene.planes[i], centre) > -bounds.w;
        depth = clamp((scene.projection * centre).z, scene.near, scene.far);
        depths.depth[at] = sqrt(depth);
    }
    found[local] = inside ? 1u : 0u;
    nearest[local] = depth;
    barrier();
    for (uint step = 32u; step > 0u; step >>= 1) {
        if (local < step) {
            found[local] += found[local + step];
            nearest[local] = min(nearest[local], nearest[local + step]);
        }
        barrier();
    }
    if (local == 0u)
        found[0] = atomicAdd(visible.count, found[0]);
    barrier();
    if (inside)
        visible.index[found[0] + local] = elements.element[at].mesh;
}
