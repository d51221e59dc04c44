/* Keeps what the program says about its objects, debug names and labels, for the messages. It is
 * not a validator, but it hooks commands as one.
 * Threads: any; the reporter locks what it keeps (report/names/names.c). */
#ifndef ASSAY_CHASSIS_DEBUG_H
#define ASSAY_CHASSIS_DEBUG_H

#include "objects/validator.h"

extern const struct validator debug_validator;

#endif
