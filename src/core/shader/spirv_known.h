/* Remembers shader modules that were found valid before, in this process or an earlier one.
 *
 * Keys are hashes of code and options together. They are kept in sets of four that replace one
 * another: a program that has more good modules than that validates some twice. With a file (the
 * setting check_shaders_caching), also over runs: $XDG_CACHE_HOME/assay/valid-spirv, or
 * ~/.cache/assay/valid-spirv, at most 512 KiB. What validated the modules (`validator`) is part of
 * it, so that another version of SPIRV-Tools begins again. It may be deleted at any time. A program
 * without a home directory, or with more rights than its user, has no file. */
#ifndef ASSAY_CORE_SHADER_SPIRV_KNOWN_H
#define ASSAY_CORE_SHADER_SPIRV_KNOWN_H

#include "base/base.h"

/* Reads the file, once in a process. `validator` is a number that differs between versions of the
 * validator. Threads: any. */
void spirv_known_read(uint64_t validator);

/* Returns whether the module with this key is known to be valid. Threads: any. */
bool spirv_is_known_good(uint64_t key);

/* Stores that the module with this key is valid. With `keep`, the key also goes to the file.
 * Threads: any. */
void spirv_remember_good(uint64_t key, bool keep);

/* Writes the keys for the file that are not yet in it. Threads: any; if another thread is already
 * writing, the call does nothing. */
void spirv_known_write(void);

#endif
