Shaders of tests/scenarios/sync/sync_certain.c.
;; indexed comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint numbers[]; } from;
layout(set = 0, binding = 1) writeonly buffer Out { uint numbers[]; } to;
void main() { to.numbers[gl_LocalInvocationIndex] = from.numbers[gl_LocalInvocationIndex]; }
;; constant comp
struct Item { uvec4 first; uint second[4]; };
layout(set = 0, binding = 0) buffer In { uint head; Item items[4]; uint tail[]; } from;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
void main() { to.numbers[4] = from.items[1].second[2]; }
;; branch comp
layout(set = 0, binding = 0) readonly buffer In { uint numbers[]; } from;
layout(set = 0, binding = 1) writeonly buffer Out { uint numbers[]; } to;
layout(push_constant) uniform Push { uint chosen; } push;
void main() { if (push.chosen == 1) to.numbers[0] = from.numbers[0]; }
;; after_branch comp
layout(set = 0, binding = 0) readonly buffer In { uint numbers[]; } from;
layout(set = 0, binding = 1) writeonly buffer Out { uint numbers[]; } to;
layout(push_constant) uniform Push { uint chosen; } push;
uint twice(uint x) { return x * 2; }
void main() { uint x = 1; if (push.chosen == 1) x = twice(push.chosen); to.numbers[x] = from.numbers[x]; }
;; sample_level comp
layout(set = 0, binding = 2) uniform sampler2D image;
layout(set = 0, binding = 1) writeonly buffer Out { vec4 color; } to;
void main() { to.color = textureLod(image, vec2(0.5), 0.0); }
;; fetch_level comp
layout(set = 0, binding = 2) uniform sampler2D image;
layout(set = 0, binding = 1) writeonly buffer Out { vec4 color; } to;
layout(push_constant) uniform Push { uint level; } push;
void main() { to.color = texelFetch(image, ivec2(0), int(push.level)); }
;; store comp
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D image;
void main() { imageStore(image, ivec2(0), vec4(1)); }
;; triangle vert
void main() { gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0, 1); }
;; fragment_reads frag
layout(set = 0, binding = 0) readonly buffer In { vec4 colors[]; } from;
layout(location = 0) out vec4 color;
void main() { color = from.colors[0]; }
;; own_texel frag
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(depth, ivec2(gl_FragCoord.xy), 0); }
;; same_texel frag
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(depth, ivec2(0, 0), 0); }
;; any_texel frag
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(location = 0) out vec4 color;
void main() { color = texture(depth, gl_FragCoord.xy / 64.0); }
;; depth_of_vertex vert
layout(set = 0, binding = 2) uniform sampler2D depth;
void main() { gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, textureLod(depth, vec2(gl_VertexIndex), 0).x, 1); }
;; white frag
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
