/* Checks rules about the state at a draw, dispatch or trace that are data (registry/draw_rows.txt).
 * A row is a list of conditions, and its rule is broken if all of them are known to be as the row
 * says. Threads: the calling thread. Fields of other objects are read as their own comments
 * allow. */
#ifndef ASSAY_CORE_DRAW_ROWS_ROOM_H
#define ASSAY_CORE_DRAW_ROWS_ROOM_H

#include "core/draw/draw.h"

#include "core/draw_rows.h" /* generated */

/* The value of a fact that is not known. */
#define DRAW_UNKNOWN INT64_MIN

/* The value of a noun at the draw, whose pipeline is known: a number, bits, or a truth value. */
int64_t draw_fact(const struct draw *draw, enum draw_noun noun); /* in core/draw/facts.c */

/* True if the noun is the value of a dynamic state that the bound pipeline has fixed. */
bool draw_value_is_fixed(const struct draw *draw, enum draw_noun noun); /* in core/draw/facts.c */

/* A bit for each existing color attachment, which is neither VK_ATTACHMENT_UNUSED nor a view that
 * is VK_NULL_HANDLE. */
uint32_t draw_active_colors(const struct draw *draw); /* in core/draw/facts.c */

/* The topology class: points, lines, triangles, patches from 0 on (10.18 "topology class"); or
 * DRAW_UNKNOWN (core/draw/topology.c). */
int64_t draw_topology_class(VkPrimitiveTopology topology);
/* Whether lines (with `points`: lines or points) are rasterized. DRAW_UNKNOWN: a shader's code is
 * not known. */
int64_t draw_rasterizes(const struct draw *draw, bool points);

#endif
