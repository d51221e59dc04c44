/* Adds up the pieces of a hazard, and decides whether they cover all of the part that is
 * accessed. */
#include "sync/access/certain.h"

/* Cuts the place to [begin, end). Returns false if nothing is left. */
static bool place_clip(struct sync_place *place, uint64_t begin, uint64_t end)
{
    place->begin = begin > place->begin ? begin : place->begin;
    place->end = end < place->end ? end : place->end;
    return place->begin < place->end;
}

/* True if the part does not limit this place. That is so in the memory of an image, which counts as
 * accessed as a whole when the image itself is accessed. */
static bool is_elsewhere(const struct sync_place *place, const struct access_part *part)
{
    return place->space != part->space && (part->some_size || part->exact_begin != part->exact_end);
}

/* Cuts the place to the bytes that are accessed for certain; with `part` NULL that is all of it.
 * Returns false if the place has no such byte. */
static bool clip_to_exact(struct sync_place *place, const struct access_part *part)
{
    return !part || is_elsewhere(place, part) ||
           place_clip(place, part->exact_begin, part->exact_end);
}

/* Adds a piece with a hazard. Pieces that touch become one; beyond DOUBT_PLACES they are only
 * counted. */
static void doubt_add_place(struct doubt *doubt, const struct sync_place *place)
{
    struct sync_place *last = doubt->place_count ? &doubt->places[doubt->place_count - 1] : NULL;
    doubt->covered += place->end - place->begin;
    if (last && last->space == place->space && last->end == place->begin)
        last->end = place->end;
    else if (doubt->place_count < DOUBT_PLACES)
        doubt->places[doubt->place_count++] = *place;
}

/* Finds or makes the doubt about this access and the earlier one. A new doubt replaces the
 * oldest. */
static struct doubt *doubt_of(struct doubts *doubts, uint64_t tag, uint64_t prior)
{
    for (uint32_t i = 0; i < doubts->count && i < DOUBTS; i++) {
        if (doubts->list[i].tag == tag && doubts->list[i].prior == prior)
            return &doubts->list[i];
    }
    struct doubt *doubt = &doubts->list[doubts->count++ % DOUBTS];
    doubt->tag = tag;
    doubt->prior = prior;
    doubt->covered = doubt->place_count = 0;
    return doubt;
}

/* Returns a result for a hazard that is certain in this place. */
static const struct doubt *doubts_decide(struct doubts *doubts, const struct sync_place *place)
{
    doubts->decided.place_count = 0;
    doubt_add_place(&doubts->decided, place);
    return &doubts->decided;
}

/* Adds a piece with a hazard, for an access to some unknown part of a range. Returns a result if
 * all of the range has a hazard, so that the part has one wherever it is. NULL: not yet. */
static const struct doubt *doubts_add(struct doubts *doubts, const struct access_part *part,
                                      const struct sync_place *place, uint64_t tag, uint64_t prior)
{
    if (place->end - place->begin == part->some_size)
        return doubts_decide(doubts, place);
    struct doubt *doubt = doubt_of(doubts, tag, prior);
    doubt_add_place(doubt, place);
    if (doubt->covered != part->some_size)
        return NULL;
    doubts->decided = *doubt;
    return &doubts->decided;
}

/* "If the reads from the non-attachment are performed in a fragment shader where the accessed
 * samples match those covered by the fragment shader, no data race will occur as store operations
 * are guaranteed to operate after fragment shader execution" (8.10 "Common Render Pass Data
 * Races").
 */
static bool is_stored_after(const struct access_part *earlier, const struct sync_access *access)
{
    /* The quotation is about reads in the same instance, or in a secondary of the primary's
     * instance. */
    return earlier && earlier->instance && access->ordering == SYNC_ORDER_STORE &&
           (earlier->instance == access->instance || earlier->instance == INSTANCE_OF_PRIMARY);
}

const struct doubt *doubts_judge(struct doubts *doubts, const struct access_part *self,
                                 const struct access_part *earlier, const struct sync_place *place,
                                 const struct sync_access *access, uint64_t prior)
{
    if (is_stored_after(earlier, access) ||
        (self && earlier && self->coherent && earlier->coherent))
        return NULL;
    struct sync_place at = *place;
    if (clip_to_exact(&at, self) && clip_to_exact(&at, earlier))
        return doubts_decide(doubts, &at);
    at = *place;
    if (earlier && earlier->some_size && clip_to_exact(&at, self) &&
        place_clip(&at, earlier->some_begin, earlier->some_end)) {
        const struct doubt *whole = doubts_add(doubts, earlier, &at, access->tag, prior);
        if (whole)
            return whole;
    }
    at = *place;
    if (self && self->some_size && clip_to_exact(&at, earlier) &&
        place_clip(&at, self->some_begin, self->some_end))
        return doubts_add(doubts, self, &at, access->tag, 0);
    return NULL;
}
