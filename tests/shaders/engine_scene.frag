#version 460
#extension GL_EXT_nonuniform_qualifier : require
// As an engine's materials are lit: many lights from buffers, textures from an array, arithmetic (tests/unit/instrument.c).
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec3 position;
layout(location = 0) out vec4 color;
struct Light { vec3 place; float radius; vec3 color; float energy; vec3 direction; float attenuation; vec2 cone; uint map; uint flags; mat4 shadow; };
layout(set = 0, binding = 0, std140) uniform Scene { mat4 view; vec4 ambient; vec2 size; uint lights; uint clusters; float fog; float fog_begin; float fog_end; } scene;
layout(set = 0, binding = 1, std430) readonly buffer Lights { Light light[]; } lights;
layout(set = 0, binding = 2, std430) readonly buffer Clusters { uint bits[]; } clusters;
layout(set = 1, binding = 0) uniform sampler2D textures[64];
layout(set = 1, binding = 1, std140) uniform Material { vec4 albedo; float roughness; float metallic; float alpha; uint albedo_map; uint normal_map; } material;
layout(set = 0, binding = 3) uniform sampler2DShadow shadows;

float distribution(float angle, float roughness)
{
    float a = roughness * roughness, b = angle * angle * (a * a - 1.0) + 1.0;
    return a * a / max(3.14159 * b * b, 0.0001);
}

vec3 lit(uint number, vec3 surface, vec3 eye)
{
    Light light = lights.light[number];
    vec3 to = light.place - position;
    float far = length(to), fade = pow(max(1.0 - far / light.radius, 0.0), light.attenuation);
    vec3 half_way = normalize(to / far + eye);
    float cone = smoothstep(light.cone.x, light.cone.y, dot(light.direction, -to / far));
    vec4 at = light.shadow * vec4(position, 1.0);
    float shadow = (light.flags & 1u) != 0u ? texture(shadows, at.xyz / at.w) : 1.0;
    float specular = distribution(max(dot(surface, half_way), 0.0), clamp(material.roughness, 0.05, 1.0));
    return light.color * light.energy * fade * cone * shadow * (max(dot(surface, to / far), 0.0) + specular * material.metallic);
}

void main()
{
    vec4 albedo = texture(textures[nonuniformEXT(material.albedo_map)], uv) * material.albedo;
    if (albedo.a < material.alpha)
        discard;
    vec3 surface = normalize(normal + texture(textures[nonuniformEXT(material.normal_map)], uv).xyz * 2.0 - 1.0);
    vec3 eye = normalize(-position), sum = scene.ambient.rgb;
    uint cluster = uint(gl_FragCoord.y / scene.size.y) * scene.clusters + uint(gl_FragCoord.x / scene.size.x);
    uint bits = clusters.bits[cluster];
    while (bits != 0u) {
        uint number = uint(findLSB(bits));
        bits &= ~(1u << number);
        sum += lit(number, surface, eye);
    }
    for (uint i = 0u; i < scene.lights; i++)
        sum += lit(i, surface, eye);
    float fog = pow(smoothstep(scene.fog_begin, scene.fog_end, length(position)), scene.fog);
    color = vec4(mix(sqrt(max(sum * albedo.rgb, vec3(0.0))), scene.ambient.rgb, fog), log2(1.0 + albedo.a));
}
