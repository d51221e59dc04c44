/* Asks the contexts under test (src/sync/access_*.c) about a program. */
#ifndef ASSAY_ORACLE_MODEL_H
#define ASSAY_ORACLE_MODEL_H

#include "program.h"

struct model_hazard {
    int op; /* -1: none */
    uint64_t earlier, later;
    struct place place;
};

struct model_hazard model_of(const struct program *program, unsigned list);
/* Gives all memory back. */
void model_free(void);

#endif
