/* Names objects in a finding that are used through other objects, and those among them that were
 * destroyed. Threads: the calling thread. Fields of other objects are read as their own comments
 * allow. */
#ifndef ASSAY_CORE_DESTROY_GONE_H
#define ASSAY_CORE_DESTROY_GONE_H

#include "report/finding/finding.h"
#include "state/object/reach.h"

/* the most bytes of a text; the program's names of objects may make it longer, and it is cut */
#define GONE_TEXT 1280

/* Writes the objects that lead to the last one, the nearest first, such as "VkImageView 0x3
 * "albedo"". */
void gone_write_way(const struct call *call, const struct reach_chain *chain, char text[GONE_TEXT]);

/* Writes the chain, whose last object was destroyed, such as "VkImageView 0x3 of VkImage 0x4, whose
 * VkDeviceMemory 0x5 was freed by main.c:12". */
void gone_write_chain(const struct call *call, const struct reach_chain *chain,
                      char text[GONE_TEXT]);

/* The objects of a finding: `first`, and as many objects from the end of the chain as there is room
 * for. */
struct finding_objects gone_objects(struct finding_object first, const struct reach_chain *chain,
                                    bool wraps);

#endif
