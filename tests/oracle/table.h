/* Measures what barriers cost: see table.c. */
#ifndef ASSAY_ORACLE_TABLE_H
#define ASSAY_ORACLE_TABLE_H

void print_table(void);

#endif
