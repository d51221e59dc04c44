/* Checks that calls follow the numbered rules of the specification, chapter by chapter
 * (docs/adding-a-check.md). It also checks where a command may be recorded (core/record/scope.h).
 * Threads: any; validators are const. */
#ifndef ASSAY_CORE_CORE_H
#define ASSAY_CORE_CORE_H

#include "objects/validator.h"

/* The setting validate_core switches on one of the two: the second one if the setting
 * check_command_buffer is off. */
extern const struct validator core_validator;
extern const struct validator core_without_scope_validator;

/* Restores what the validate hooks of a recorded command have changed, because the command is
 * refused. */
void core_take_back(const struct call *call) COLD;

#endif
