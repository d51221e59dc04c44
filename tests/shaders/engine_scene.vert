#version 460
// As an engine's meshes are drawn: attributes, and instances from a storage buffer (tests/unit/instrument.c).
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in uvec4 bones;
layout(location = 4) in vec4 weights;
layout(set = 0, binding = 0, std140) uniform Scene { mat4 view; mat4 projection; vec4 wind; float time; } scene;
struct Instance { mat4 transform; uint first_bone; uint flags; vec2 uv_scale; };
layout(set = 1, binding = 0, std430) readonly buffer Instances { Instance instance[]; } instances;
layout(set = 1, binding = 1, std430) readonly buffer Bones { mat3x4 bone[]; } skeleton;
layout(push_constant) uniform Draw { uint base; uint pad[3]; } draw;
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_uv;
layout(location = 2) out vec3 out_position;

void main()
{
    uint at = draw.base + gl_InstanceIndex;
    mat4 transform = instances.instance[at].transform;
    vec4 place = vec4(position, 1.0);
    if ((instances.instance[at].flags & 1u) != 0u) {
        uint first = instances.instance[at].first_bone;
        vec3 sum = vec3(0.0);
        for (int i = 0; i < 4; i++)
            sum += (place * skeleton.bone[first + bones[i]]) * weights[i];
        place.xyz = sum;
    }
    vec4 world = transform * place;
    world.xyz += scene.wind.xyz * sin(scene.time + world.x);
    out_position = (scene.view * world).xyz;
    out_normal = normalize(mat3(transform) * normal);
    out_uv = uv * instances.instance[at].uv_scale;
    gl_Position = scene.projection * scene.view * world;
}
