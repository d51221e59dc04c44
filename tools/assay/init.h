/* Declares the file that `assay init` writes. */
#ifndef ASSAY_TOOL_INIT_H
#define ASSAY_TOOL_INIT_H

/* A settings file in which everything is commented out. settings_text.py makes it at build time. */
extern const char settings_text[];

#endif
