/* Nearly every source of the layer includes these, and they are long: compilers read them once a
 * library. A source names what it uses all the same, and the TSan build, which has no precompiled
 * headers, shows that. Threads: declares nothing. */
#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chassis/hooks.h"
#include "objects/device.h"
#include "report/finding/finding.h"
