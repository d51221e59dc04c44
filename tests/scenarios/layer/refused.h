/* Scenarios of refused calls are made of this. `b`: the baseline. */
#ifndef ASSAY_SCENARIOS_REFUSED_H
#define ASSAY_SCENARIOS_REFUSED_H

#include "scenario.h"

/* The call draws a finding. It is refused (the messenger of the harness answers VK_TRUE), so that
 * nothing happens. */
#define MISTAKE(...)                             \
    do {                                         \
        unsigned before__ = seen_count(b, NULL); \
        __VA_ARGS__;                             \
        EXPECT(seen_count(b, NULL) > before__);  \
    } while (0)
/* The following commands draw no finding. */
#define RIGHT(...)                                   \
    do {                                             \
        unsigned before__ = seen_count(b, NULL);     \
        __VA_ARGS__;                                 \
        EXPECT_EQUAL(seen_count(b, NULL), before__); \
    } while (0)

#endif
