/* Macros that scenarios of advice share. */
#ifndef ASSAY_SCENARIOS_PRACTICES_H
#define ASSAY_SCENARIOS_PRACTICES_H

#include "scenario.h"

/* Settings of a scenario: general advice, that of one vendor, or all. */
#define PRACTICES_ON "validate_best_practices=true"
#define ADVISED      .settings = {PRACTICES_ON}, .proceed = true
#define ADVISED_FOR(vendor_) \
    .settings = {PRACTICES_ON, "validate_best_practices_" #vendor_ "=true"}, .proceed = true
/* The null driver's device lacks an extension that programs for NVIDIA should enable. */
#define WITHOUT_PAGES_AND(more_) \
    .null_driver = "{\"extensions\": {\"VK_EXT_pageable_device_local_memory\": false}" more_ "}"
#define WITHOUT_PAGES      WITHOUT_PAGES_AND("")
#define ADVISED_FOR_NVIDIA ADVISED_FOR(nvidia), WITHOUT_PAGES
#define ADVISED_FOR_ALL                                                                  \
    .settings = {PRACTICES_ON, "validate_best_practices_arm=true",                       \
                 "validate_best_practices_amd=true", "validate_best_practices_img=true", \
                 "validate_best_practices_nvidia=true"},                                 \
    .proceed = true, WITHOUT_PAGES

#define BP(name_) "BestPractices-" name_

#define UNPACK(...) __VA_ARGS__
#define WITH(with_) UNPACK with_

#define FEATURES(name_, Type_, STYPE_, ...) \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, __VA_ARGS__}

#endif
