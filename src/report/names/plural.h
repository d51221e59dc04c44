/* Turns "has 1 elements" into "has 1 element" in messages. Threads: any; the text is the
 * caller's. */
#ifndef ASSAY_REPORT_PLURAL_H
#define ASSAY_REPORT_PLURAL_H

/* Turns nouns after the number 1 into the singular, in place. Text in quotation marks comes from
 * the program and is not changed. */
void plural_mend(char *text);

#endif
