/* Finds how wide lines may be, and which characters they may have. */
#ifndef ASSAY_TOOL_TERMINAL_H
#define ASSAY_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Sets the file that text for people is written to. The width is that of the terminal, or of
 * COLUMNS in the environment. A pipe or a regular file has no width, so that lines can be
 * searched. */
void terminal_begin(FILE *file);
/* Returns the width in columns; 0: lines are not wrapped, also before terminal_begin(). */
int terminal_width(void);
/* Returns how many columns these bytes of UTF-8 take: one for each character. */
int terminal_columns(const char *text, int length);

/* Returns a stream that writes to `to` only what a terminal can show. Control characters become
 * "?", except line breaks, and with `escapes` the escape character. Bytes that are not UTF-8 become
 * U+FFFD. In a locale without UTF-8 everything becomes ASCII. The caller closes the stream, which
 * does not flush `to`. If memory is out, it is `to` itself. */
FILE *terminal_filter(FILE *to, bool escapes);
/* The same for a file that may be shown on a terminal, in UTF-8 whatever the locale is. */
FILE *terminal_clean(FILE *to);

#endif
