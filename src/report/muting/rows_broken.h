/* Notes that a call broke a statement which is a row, that is, data of the registry
 * (stateless/rows.h). Validators do not query the driver with such parameters. */
#ifndef ASSAY_REPORT_ROWS_BROKEN_H
#define ASSAY_REPORT_ROWS_BROKEN_H

#include "objects/call.h"

/* Threads: all functions are about the current call of the calling thread. */

/* Notes that the call broke a row at the place `where`. */
void rows_note_broken(const struct location *where) COLD;
bool rows_were_broken(void) COLD;
/* True if a row was broken in one element of an array of the command. `where` is the element, or a
 * place in it. For a place in no array it is true if any row was broken. */
bool rows_were_broken_in(const struct location *where) COLD;

#endif
