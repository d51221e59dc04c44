#version 460
// Image operands in their combinations, derivatives, early tests.
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) uniform sampler2DArrayShadow shadows;
layout(set = 0, binding = 1) uniform texture2D albedo[4];
layout(set = 0, binding = 2) uniform sampler linear;
layout(set = 0, binding = 3) uniform samplerCube sky;
layout(input_attachment_index = 0, set = 0, binding = 4) uniform subpassInput previous;
layout(location = 0) in vec3 normal;
layout(location = 3) flat in int which;
layout(location = 0) out vec4 colour;
layout(location = 1) out uvec2 id;

void main()
{
    vec4 sum = textureGrad(sampler2D(albedo[which & 3], linear), normal.xy, dFdx(normal.xy), dFdy(normal.xy));
    sum += textureLodOffset(sampler2D(albedo[1], linear), normal.xy, 2.0, ivec2(1, -1));
    sum += textureGatherOffsets(sampler2D(albedo[2], linear), normal.xy, ivec2[4](ivec2(0), ivec2(1), ivec2(2), ivec2(3)), 1);
    sum += texture(sky, normal, 0.5) * texture(shadows, vec4(normal, 0.5));
    sum += texelFetch(sampler2D(albedo[3], linear), ivec2(gl_FragCoord.xy), 0) + subpassLoad(previous);
    if (sum.a < 0.0)
        discard;
    colour = sum;
    id = uvec2(gl_PrimitiveID, textureQueryLevels(sky));
}
