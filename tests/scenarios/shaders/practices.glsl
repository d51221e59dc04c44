Shaders of tests/scenarios/practices: workgroups of various sizes.
;; group_8_8 comp
layout(local_size_x = 8, local_size_y = 8) in;
void main() {}
;; group_64 comp
layout(local_size_x = 64) in;
void main() {}
;; group_128 comp
layout(local_size_x = 128) in;
void main() {}
;; group_32_2 comp
layout(local_size_x = 32, local_size_y = 2) in;
void main() {}
;; group_6_3 comp
layout(local_size_x = 6, local_size_y = 3) in;
void main() {}
;; group_1 comp
layout(local_size_x = 1) in;
void main() {}
;; group_of_constants comp+vulkan1.2
layout(local_size_x = 64) in;
layout(local_size_x_id = 0) in;
void main() {}
;; mesh_16 mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 16) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(0, 0); }
