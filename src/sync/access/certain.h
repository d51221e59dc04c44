/* Decides whether a hazard is certain where shaders access memory through descriptors. It is not
 * always known which bytes or texels they access, nor whether they access any.
 *
 * - An access to bytes that constants choose is certain where it has a hazard.
 * - An access may be known to be to some part of a range. It is certain if all of that range has
 *   a hazard: wherever the access is, it comes too early.
 * - Two such accesses, which could be to different parts, are never certain.
 * - Nor are two that are both coherent (access_part::coherent): an execution dependency may be
 *   enough to order them.
 *
 * A range may have its hazards in several pieces, which are found one after the other. They are
 * added up here. Threads: those of the context that finds them. */
#ifndef ASSAY_SYNC_CERTAIN_H
#define ASSAY_SYNC_CERTAIN_H

#include "sync/access/access_context.h"

/* Says which part of an access by a descriptor is certain. Addresses lie in `space`. */
struct access_part {
    uint64_t space;
    /* all of [exact_begin, exact_end) is accessed; empty if both are equal */
    uint64_t exact_begin, exact_end;
    /* `some_size` unknown addresses between the two are accessed; 0: none */
    uint64_t some_begin, some_end, some_size;
    /* Not 0: fragments of this instance make the read, perhaps each only of the samples that it
     * covers. INSTANCE_OF_PRIMARY: the instance of the primary that executes a secondary. */
    uint32_t instance;
    /* the shaders' accesses are available and visible by themselves: an execution dependency may be
     * enough (the memory model: "Availability and Visibility Semantics"). */
    bool coherent;
};
#define INSTANCE_OF_PRIMARY UINT32_MAX

#define DOUBT_PLACES 8
#define DOUBTS       8

/* Collects the hazards of one access, which are certain if all of `part` has a hazard. */
struct doubt {
    uint64_t tag;
    uint64_t prior; /* tag of the earlier access if that one has the part; else 0 */
    uint64_t covered;
    uint32_t place_count; /* number of `places`, which keeps only the first ones */
    struct sync_place places[DOUBT_PLACES];
};

/* A zeroed structure has no doubts. */
struct doubts {
    uint32_t count; /* doubts that were ever made; only the last DOUBTS are kept */
    struct doubt list[DOUBTS];
    struct doubt decided; /* the result of doubts_judge() */
};

/* Decides where the hazard at the place is certain: in the places of the returned doubt, which is
 * valid until the next call. Returns NULL if the hazard is not certain so far. A part is NULL if
 * the access is to all of its place. `prior`: the tag of the earlier access. */
const struct doubt *doubts_judge(struct doubts *doubts, const struct access_part *self,
                                 const struct access_part *earlier, const struct sync_place *place,
                                 const struct sync_access *access, uint64_t prior);

#endif
