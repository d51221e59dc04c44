/* The check of the parameters of vkCreateDevice. There is no device yet, so the features that the
 * program requests count as enabled. */
#ifndef ASSAY_STATELESS_DEVICE_H
#define ASSAY_STATELESS_DEVICE_H

#include "stateless/check.h"

/* Threads: on the stack of one call. */
struct device_check {
    struct check check;
    struct feature_set features; /* the features that the new device is to enable */
};

#endif
