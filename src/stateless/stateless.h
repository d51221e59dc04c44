/* Checks that the parameters of a call are well formed: pointers, counts, enumerations, flags,
 * structure types, pNext chains, and strings. It also reports what needs an extension that is not
 * enabled. Generated from the registry (registry/rooms/stateless/rules.py) over check.h.
 * Threads: any; the validator is const. */
#ifndef ASSAY_STATELESS_STATELESS_H
#define ASSAY_STATELESS_STATELESS_H

#include "objects/validator.h"

extern const struct validator stateless_validator;

#endif
