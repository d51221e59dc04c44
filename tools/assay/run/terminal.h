/* Says how wide lines may be, and which characters they may have. */
#ifndef ASSAY_TOOL_TERMINAL_H
#define ASSAY_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Text for people goes to this file from here on. Its width is that of the terminal (COLUMNS in the
 * environment wins). A pipe or a regular file has none, so that lines can be searched. Before the
 * first call there is none. */
void terminal_begin(FILE *file);
/* 0: lines are not wrapped. */
int terminal_width(void);
/* How many columns these bytes of UTF-8 take: one for each character. */
int terminal_columns(const char *text, int length);

/* A stream that writes to `to` what a terminal can take. Control characters become "?" (but for
 * line breaks, and where `escapes`, the escape character), and bytes that are not UTF-8 U+FFFD. In
 * a locale without UTF-8 everything becomes ASCII. Closed by the caller. `to` itself when memory is
 * out. Every fflush and fclose of it leaves `to` flushed or buffered as it is. */
FILE *terminal_filter(FILE *to, bool escapes);
/* Likewise for a file that somebody will look at on a terminal, in UTF-8 whatever the locale. */
FILE *terminal_clean(FILE *to);

#endif
