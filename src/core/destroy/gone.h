/* Names, in a finding, objects that are used through other objects, and the ones among them that
 * are gone. Threads: that of the call. Fields of other objects are read as their own comments
 * allow. */
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

/* The objects of a finding: `first`, and objects from the end of the chain, as many as there is
 * room for. */
struct finding_objects gone_objects(struct finding_object first, const struct reach_chain *chain,
                                    bool wraps);

#endif
