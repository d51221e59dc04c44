${rules.manifest(m, 'VK_LAYER_KHRONOS_validation', 'VK_VALIDATION_', 'Assay validation layer, under the name of the Khronos validation layer', defines['library_path'])}\
