/* Notes that a statement which is a row (stateless/rows.h) was reported in a call. What the driver
 * would have to say of such parameters is then not asked, by any validator. */
#ifndef ASSAY_REPORT_ROWS_BROKEN_H
#define ASSAY_REPORT_ROWS_BROKEN_H

#include "base/base.h"

/* Threads: of both, the calling thread's current call is meant. */
void rows_note_broken(void) COLD;
bool rows_were_broken(void) COLD;

#endif
