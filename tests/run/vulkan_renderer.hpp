/* Included by program.c. The file has a name that resembles those of vulkan.hpp's files, but it is
 * the program's. */
CPP_FUNCTION(create_in_renderer, "create_in_renderer")
