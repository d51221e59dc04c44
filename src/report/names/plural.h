/* One of something: "has 1 elements" is "has 1 element". Threads: any; the text is the caller's. */
#ifndef ASSAY_REPORT_PLURAL_H
#define ASSAY_REPORT_PLURAL_H

/* Takes the "s" away from nouns that stand after the number 1, in place. Quoted text, which is the
 * program's, stays. */
void plural_mend(char *text);

#endif
