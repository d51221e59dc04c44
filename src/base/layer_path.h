/* Finds the directory from which the layer was loaded, where its files are. */
#ifndef ASSAY_BASE_LAYER_PATH_H
#define ASSAY_BASE_LAYER_PATH_H

/* Called when the loader loads the layer. The loader's manifests and variables may have relative
 * paths, which change their meaning when the program changes its directory. So the path is resolved
 * at once. Threads: any. */
void layer_path_note(void);

/* The path as the dynamic linker has it, absolute or relative; "" if it has none. Valid as long as
 * the layer. Threads: any. */
const char *layer_path_given(void);

/* The absolute path. NULL: the layer was loaded by a relative path that could not be resolved.
 * Valid as long as the layer. Threads: any. */
const char *layer_path_absolute(void);

#endif
