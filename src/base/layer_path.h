/* Finds out which directory the layer was loaded from. Files of the layer are looked for there. */
#ifndef ASSAY_BASE_LAYER_PATH_H
#define ASSAY_BASE_LAYER_PATH_H

/* To be called as the loader loads the layer. The loader's manifests and variables may have
 * relative paths, which lead elsewhere once the program has changed its directory. So the path is
 * found out at once. Threads: any. */
void layer_path_note(void);

/* The path as the dynamic linker knows it, absolute or relative; "" where it knows none. Lives as
 * long as the layer. Threads: any. */
const char *layer_path_given(void);

/* An absolute path. NULL: the layer was loaded by a relative one, and where that led is not known.
 * Lives as long as the layer. Threads: any. */
const char *layer_path_absolute(void);

#endif
