/* Every file of scenarios includes this; compilers read it once. */
#include "scenario.h"
