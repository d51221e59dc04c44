/* The check of all that vkCreateDevice is given: there is no device yet, and what is asked for is
 * what is enabled. */
#ifndef ASSAY_STATELESS_DEVICE_H
#define ASSAY_STATELESS_DEVICE_H

#include "stateless/check.h"

/* Threads: on the stack of one call. */
struct device_check {
    struct check check;
    struct feature_set features; /* that the new device is asked to enable */
};

#endif
