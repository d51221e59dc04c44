/* Completions of shells, from the table of command.h: what `assay generate bash|zsh|fish` writes.
 */
#ifndef ASSAY_TOOL_COMPLETIONS_H
#define ASSAY_TOOL_COMPLETIONS_H

#include <stdio.h>

void complete_bash(FILE *file);
void complete_zsh(FILE *file);
void complete_fish(FILE *file);

#endif
