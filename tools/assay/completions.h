/* Writes the completion scripts of shells from the table of command.h, for `assay generate
 * bash|zsh|fish`. */
#ifndef ASSAY_TOOL_COMPLETIONS_H
#define ASSAY_TOOL_COMPLETIONS_H

#include <stdio.h>

void complete_bash(FILE *file);
void complete_zsh(FILE *file);
void complete_fish(FILE *file);

#endif
