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
;; each comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer In { uint numbers[]; } from;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
void main() { uint i = gl_GlobalInvocationID.x; to.numbers[i] = from.numbers[i]; }
;; each_read comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) readonly buffer Out { uint numbers[]; } to;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D image;
void main() { imageStore(image, ivec2(gl_LocalInvocationID.xy), vec4(to.numbers[gl_GlobalInvocationID.x])); }
;; after_branch_back comp
layout(set = 0, binding = 1) readonly buffer Out { uint numbers[]; } to;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D image;
layout(push_constant) uniform Push { uint chosen; } push;
void main() { uint x = 1; if (push.chosen == 1) x = 2; imageStore(image, ivec2(0), vec4(to.numbers[x])); }
;; each_of_half comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
layout(push_constant) uniform Push { uint most; } push;
void main() { if (gl_GlobalInvocationID.x >= push.most) return; to.numbers[gl_GlobalInvocationID.x] = 1; }
;; each_further comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
layout(push_constant) uniform Push { uint offset; } push;
void main() { to.numbers[gl_GlobalInvocationID.x + push.offset] = 1; }
;; each_moved comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
layout(push_constant) uniform Push { uint offset; } push;
void main() { uint i = gl_GlobalInvocationID.x; if (push.offset > 1) i += push.offset; to.numbers[i] = 1; }
;; each_given comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
layout(push_constant) uniform Push { uint offset; } push;
void move(inout uint i) { i += push.offset; }
void main() { uint i = gl_GlobalInvocationID.x; move(i); to.numbers[i] = 1; }
;; each_local comp
layout(local_size_x = 32, local_size_y = 2) in;
struct Item { vec4 place; vec3 color; uint kind; };
layout(set = 0, binding = 1) buffer Out { uint head[4]; Item items[]; } to;
void main() { to.items[gl_LocalInvocationIndex].color = vec3(1); to.items[gl_LocalInvocationIndex].kind = 2; }
;; each_column comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
void main() { uvec3 at = gl_GlobalInvocationID; to.numbers[at.x] = to.numbers[at.y]; }
;; each_sized comp
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 1) buffer Out { uint numbers[]; } to;
void main() { to.numbers[gl_GlobalInvocationID.x] = 1; }
;; each_coherent comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) coherent buffer Out { uint numbers[]; } to;
void main() { to.numbers[gl_GlobalInvocationID.x] = 1; }
;; each_coherent_read comp
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) coherent buffer Out { uint numbers[]; } to;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D image;
void main() { imageStore(image, ivec2(gl_LocalInvocationID.xy), vec4(to.numbers[gl_GlobalInvocationID.x])); }
;; elements comp
layout(set = 0, binding = 4) buffer Out { uint numbers[]; } both[2];
layout(push_constant) uniform Push { uint chosen; } push;
void main() { both[0].numbers[4] = 1; if (push.chosen == 1) both[1].numbers[4] = 1; }
;; element comp
layout(set = 0, binding = 4) buffer Out { uint numbers[]; } both[2];
void main() { both[1].numbers[4] = 1; }
;; texels comp
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D image;
void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy); imageStore(image, at, vec4(1)); }
;; texels_read comp
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 3, rgba8) uniform readonly image2D image;
layout(set = 0, binding = 1) buffer Out { vec4 color; } to;
void main() { to.color = imageLoad(image, ivec2(gl_GlobalInvocationID.xy)); }
;; texels_available comp
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 3, rgba8) uniform devicecoherent writeonly image2D image;
void main() { imageStore(image, ivec2(gl_GlobalInvocationID.xy), vec4(1)); }
;; texels_visible comp
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 3, rgba8) uniform devicecoherent image2D image;
layout(set = 0, binding = 1) writeonly buffer Out { vec4 color[]; } to;
void main() { to.color[gl_GlobalInvocationID.y * 64 + gl_GlobalInvocationID.x] = imageLoad(image, ivec2(gl_GlobalInvocationID.xy)); }
;; texels_crossed comp
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D image;
void main() { imageStore(image, ivec2(gl_GlobalInvocationID.yx), vec4(1)); }
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
