/* Lists the data that this validator keeps in objects of the state tracker (objects/area.h).
 * Threads: each member says its own. */
#ifndef ASSAY_CORE_AREAS_H
#define ASSAY_CORE_AREAS_H

#include "objects/area.h"
#include "state/pipeline/pipeline.h"

/* For core/draw/rows.c: a bit for each row of core/draw_rows.h that a draw with the pipeline may
 * break. */
#define DRAW_ROW_WORDS 4
struct core_in_pipeline {
    /* bit 63 of the last word: the bits are valid. Stored with release, loaded with acquire */
    _Atomic uint64_t rows[DRAW_ROW_WORDS];
};
AREA(core_in_pipeline, pipeline, 16)

#endif
