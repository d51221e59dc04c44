/* Hashes texts so that two texts which differ only in their numbers have the same hash.
 * Threads: any; there is no state. */
#ifndef ASSAY_REPORT_TEXT_HASH_H
#define ASSAY_REPORT_TEXT_HASH_H

#include "base/base.h"

uint64_t text_hash_word(uint64_t hash, uint64_t word);
/* Adds a text without its numbers: handles, numbers of submissions and counters in names do not
 * count. NULL is an empty text. */
uint64_t text_hash(uint64_t hash, const char *text);
/* The same, but text in quotation marks does not count either, so that names of objects do not. */
uint64_t text_hash_nameless(uint64_t hash, const char *text);

#endif
