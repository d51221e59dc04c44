/* Notes that a statement which is a row (stateless/rows.h) was reported in a call. What the driver
 * would have to say of such parameters is then not asked, by any validator. */
#ifndef ASSAY_REPORT_ROWS_BROKEN_H
#define ASSAY_REPORT_ROWS_BROKEN_H

#include "objects/call.h"

/* Threads: of all of these, the calling thread's current call is meant. */

/* `where`: the place of the finding. */
void rows_note_broken(const struct location *where) COLD;
bool rows_were_broken(void) COLD;
/* The same for one element of an array that the command was given: `where` is it, or a place in it.
 * Of a place in no array: whether any row was broken. */
bool rows_were_broken_in(const struct location *where) COLD;

#endif
