Compute shaders of tests/scenarios/draw/draw_heaps.c: each reads binding 0 in a way of its own and writes to binding 1. Fragment shaders of
tests/scenarios/pipeline/indirect_execution_set.c.
;; heap_uniform comp
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = values.value; }
;; heap_storage comp
layout(binding = 0) buffer Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = values.value; }
;; heap_branch comp
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { if (result.x > 0) result = values.value; }
;; heap_after_branch comp
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { if (result.x > 0) result = vec4(1); for (int i = 0; i < 4; i++) result += vec4(2); result += values.value; }
;; heap_after_return comp
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { if (result.x > 0) return; result = values.value; }
;; heap_called comp
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
vec4 read() { return values.value; }
void main() { result = read(); }
;; heap_left_loop comp
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { for (;;) { if (result.x > 0) break; result = values.value; } }
;; heap_image comp
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = texelFetch(image, ivec2(0), 0); }
;; heap_combined comp
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(image, vec2(0), 0); }
;; heap_gathered comp
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureGather(image, vec2(0)); }
;; heap_offset comp
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLodOffset(image, vec2(0), 0, ivec2(1)); }
;; heap_gathered_indexed comp
layout(binding = 0) uniform sampler2D image[4];
layout(binding = 1) buffer Result { int index; vec4 result; };
void main() { result = textureLod(image[index], vec2(0), 0); }
;; heap_sampler_alone comp
layout(binding = 0) uniform sampler filtered;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform texture2D image;
void main() { result = textureLod(sampler2D(image, filtered), vec2(0), 0); }
;; heap_separate comp
layout(binding = 0) uniform sampler filtered;
layout(binding = 2) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(sampler2D(image, filtered), vec2(0), 0); }
;; heap_array comp
layout(binding = 0) uniform Values { vec4 value; } values[4];
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = values[2].value; }
;; heap_indexed comp
layout(binding = 0) uniform Values { vec4 value; } values[4];
layout(binding = 1) buffer Result { int index; vec4 result; };
void main() { result = values[index].value; }
;; heap_pushed comp
layout(push_constant) uniform Pushed { vec4 first; vec4 second; } pushed;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = pushed.second; }
;; heap_length comp
layout(binding = 0) buffer Values { vec4 value[]; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = vec4(values.value.length()); }
;; heap_raygen rgen
#extension GL_EXT_ray_tracing : require
layout(binding = 0) uniform Values { vec4 value; } values;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = values.value; }
;; heap_sampling_raygen rgen
#extension GL_EXT_ray_tracing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(image, vec2(0), 0); }
;; heap_vertex vert
layout(binding = 0) uniform Values { vec4 value; } values;
void main() { gl_Position = values.value; }
;; writes_colors frag
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
;; writes_three_components frag
layout(location = 0) out vec3 color;
void main() { color = vec3(1); }
;; writes_depth frag
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_FragDepth = 0.5; }
;; writes_mask frag
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_SampleMask[0] = 1; }
;; writes_stencil frag
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_FragStencilRefARB = 1; }
