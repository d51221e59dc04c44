/* `assay init` writes these files. */
#ifndef ASSAY_TOOL_INIT_H
#define ASSAY_TOOL_INIT_H

/* Made at build by settings_text.py: a settings file with everything switched off. */
extern const char settings_text[];

#endif
