Shaders of tests/scenarios/sync_hazards_draws.c and sync_hazards_subpasses.c.
;; element_1 comp
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; } arrays[2];
void main() { arrays[1].numbers[0] = 1; }
;; image_size comp
layout(set = 0, binding = 0) buffer Result { ivec2 size; } result;
layout(set = 0, binding = 2) uniform sampler2D sampled;
layout(set = 0, binding = 3, rgba8) uniform readonly image2D stored;
void main() { result.size = textureSize(sampled, 0) + imageSize(stored) + textureQueryLevels(sampled); }
;; buffer_length comp
layout(set = 0, binding = 0) readonly buffer Numbers { uint numbers[]; } buffer_;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D stored;
void main() { imageStore(stored, ivec2(0), vec4(buffer_.numbers.length())); }
;; atomic comp
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; } buffer_;
void main() { atomicAdd(buffer_.numbers[0], 1u); }
;; atomic_and_plain comp
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; } buffer_;
void main() { atomicAdd(buffer_.numbers[0], 1u); buffer_.numbers[1] = 1u; }
;; early frag
layout(early_fragment_tests) in;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
;; input frag
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(before); }
