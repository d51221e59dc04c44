/* Is this call legal, given the state? So far: where a command may be recorded (scope.h). */
#ifndef ASSAY_CORE_CORE_H
#define ASSAY_CORE_CORE_H

#include "chassis/validator.h"

extern const struct validator core_validator;

#endif
