/* placeholder */
#include "fuzz.h"
struct valid *valid_create(struct world *w) { (void)w; return NULL; }
void valid_step(struct valid *valid, struct random *r) { (void)valid; (void)r; }
void valid_destroy(struct valid *valid) { (void)valid; }
