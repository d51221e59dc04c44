/* Names in a finding what is used through other objects, and what of these is gone.
 * Threads: that of the call. Fields of other objects are read as they say. */
#ifndef ASSAY_CORE_DESTROY_GONE_H
#define ASSAY_CORE_DESTROY_GONE_H

#include "report/finding/finding.h"
#include "state/object/reach.h"

/* bytes that a text has at most: names of objects are the program's, and may be cut */
#define GONE_TEXT 1280

/* "VkImageView 0x3 "albedo"": the objects that lead to the last one, the nearest first. */
void gone_write_way(const struct call *call, const struct reach_chain *chain, char text[GONE_TEXT]);

/* "VkImageView 0x3 of VkImage 0x4, whose VkDeviceMemory 0x5 was freed by main.c:12": the chain,
 * whose last object is gone. */
void gone_write_chain(const struct call *call, const struct reach_chain *chain,
                      char text[GONE_TEXT]);

/* The objects of a finding: `first`, and those of the chain that there is room for, from its end.
 */
struct finding_objects gone_objects(struct finding_object first, const struct reach_chain *chain,
                                    bool wraps);

#endif
