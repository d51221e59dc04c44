Shaders of tests/scenarios/found_in_programs.c.
;; separate comp
// SDL's renderer: an image and a sampler of one binding, which holds both.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 0) uniform sampler how;
layout(set = 0, binding = 1) buffer Answer { vec4 color; };
void main() { color = textureLod(sampler2D(image, how), vec2(0.5), 0); }
;; of_another_shape comp
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform texture3D image;
layout(set = 0, binding = 0) uniform sampler how;
layout(set = 0, binding = 1) buffer Answer { vec4 color; };
void main() { color = textureLod(sampler3D(image, how), vec3(0.5), 0); }
