/* Checks that the parameters of a call are well formed: pointers, counts, enumerations, flags,
 * structure types, pNext chains, and strings. It also reports parameters that need an extension
 * that is not enabled. The checks are generated from the registry
 * (registry/rooms/stateless/rules.py) and call check.h. Threads: any; the validator is const. */
#ifndef ASSAY_STATELESS_STATELESS_H
#define ASSAY_STATELESS_STATELESS_H

#include "objects/validator.h"

extern const struct validator stateless_validator;

#endif
