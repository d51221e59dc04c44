/* Included by program.c. The file has the name of one of vulkan.hpp's. */
CPP_FUNCTION(create_in_vulkan_hpp, "create_in_vulkan_hpp")
