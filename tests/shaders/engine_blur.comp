#version 460
// As an engine's post-processing is: small, with no buffer, and arithmetic that could go wrong (tests/unit/instrument.c).
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 1, binding = 0, r32f) uniform restrict writeonly image2D target;
layout(push_constant) uniform Parameters { ivec2 size; float exposure; float threshold; } parameters;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, parameters.size)))
        return;
    float most = texelFetch(source, at * 2, 0).r;
    most = max(most, texelFetch(source, at * 2 + ivec2(1, 0), 0).r);
    most = max(most, texelFetch(source, at * 2 + ivec2(0, 1), 0).r);
    most = max(most, texelFetch(source, at * 2 + ivec2(1, 1), 0).r);
    imageStore(target, at, vec4(most * parameters.exposure));
}
