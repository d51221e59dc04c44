/* Hashes of texts that are the same to a person although their numbers differ.
 * Threads: any; nothing is kept. */
#ifndef ASSAY_REPORT_TEXT_HASH_H
#define ASSAY_REPORT_TEXT_HASH_H

#include "base/base.h"

uint64_t text_hash_word(uint64_t hash, uint64_t word);
/* Without digits: handles, numbers of submissions and counters in names do not count. NULL is an
 * empty text. */
uint64_t text_hash(uint64_t hash, const char *text);
/* The same without text in quotation marks: names of objects do not count either. */
uint64_t text_hash_nameless(uint64_t hash, const char *text);

#endif
