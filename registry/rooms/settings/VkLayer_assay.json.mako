${rules.manifest(m, 'VK_LAYER_ASSAY_validation', 'VK_ASSAY_', 'Assay validation layer', defines['library_path'])}\
