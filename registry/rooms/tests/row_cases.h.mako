/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_ROW_CASES_H
#define ASSAY_TESTS_ROW_CASES_H

#include "driver.h"

/* Two calls that differ in one place: one keeps a row's statement, the other breaks it. */
struct row_half {
    void (*change)(void *args);
    const char *driver;            /* the configuration of the null driver, as JSON, or NULL */
    bool of_group;                 /* the device is made of two physical devices */
    const uint16_t *features;      /* that the device is made without, ended by ROW_FEATURES_END */
    const char *const *extensions; /* likewise, ended by NULL */
};
#define ROW_FEATURES_END 0xffffu

struct row_test {
    const struct test_command_info *command;
    const char *vuid;
    bool of_state;    /* it asks what objects were created with: needs validate_core */
    const char *text; /* that the message of the broken call holds, or NULL */
    struct row_half valid, broken;
};
extern const struct row_test row_tests[];
extern const unsigned row_test_count;

/* A structure with which vkCreateDevice enables features. */
struct feature_structure {
    VkStructureType type;
    size_t size;
};
extern const struct feature_structure feature_structures[];
extern const unsigned feature_structure_count;

/* A place of a feature in one of them; one in VkPhysicalDeviceFeatures has that structure's place in VkPhysicalDeviceFeatures2. */
struct feature_place {
    uint16_t feature;
    uint16_t structure; /* in feature_structures */
    size_t offset;
};
extern const struct feature_place feature_places[];
extern const unsigned feature_place_count;

#endif
