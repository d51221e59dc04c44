/* The generated checks of parameters use these functions to see that a value is known to the
 * registry, and enabled where it is used.
 *
 * The generated code compares inline and calls here only when a comparison did not settle it:
 * `report_*` always reports, `check_*` looks further and may find nothing wrong. */
#ifndef ASSAY_STATELESS_CHECK_H
#define ASSAY_STATELESS_CHECK_H

#include "base/string_builder.h"
#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/value_types.h"
#include "report/vuids.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* The state of one validate hook. Threads: on its stack. */
struct check {
    struct call *call;
    bool skip; /* the answer of the findings so far: skip the call */
    /* the structure is one that the driver fills in, so that its values are not the program's */
    bool output;
    bool of_pipeline; /* the check is the first member of a graphics_check (stateless/pipeline.h) */
    bool of_device;   /* the check is the first member of a device_check (stateless/device.h) */
    /* The structure of a pNext chain that is being checked, and the whole chain, which begins
     * before this structure. */
    const void *chained, *chain;
};

/* The terms of a requirement are extensions and versions, one of which must be enabled. Offset 0
 * means "always". This word ends the terms. */
#define REQUIREMENT_END 0xffffu

struct enum_value {
    int32_t value;
    uint16_t requirement; /* offset into requirement_terms */
};

/* The values of an enumeration, in increasing order. */
struct enum_info {
    const struct enum_value *values;
    uint32_t count;
    enum value_type type;
};

struct flag_value {
    /* several bits for a value such as VK_SHADER_STAGE_ALL; such values come first */
    uint64_t bits;
    uint16_t requirement;
};

struct flags_info {
    const struct flag_value *values;
    uint32_t count;
    enum value_type type;
};

/* A value for which a rule with a number requires one of these features. The core validator
 * enforces that rule, and only that rule reports the value. */
#define SPOKEN_FEATURE_LIMIT 2
struct spoken_value {
    /* the value; for an enumeration, its 32 bits with the sign */
    uint64_t value;
    /* the -parameter rule that does not report the value */
    enum vuid vuid;
    uint16_t features[SPOKEN_FEATURE_LIMIT]; /* unused places have FEATURE_COUNT */
};

typedef void (*check_function)(struct check *c, const struct location *where,
                               const void *structure);

/* A structure that a pNext chain can hold. */
struct chain_structure {
    VkStructureType type;
    uint16_t requirement;
    bool may_repeat;
    const char *name;
    check_function check; /* checks its members; NULL if no check is needed */
};

/* The structures that are allowed in the chain of one structure. */
struct chain_rule {
    const uint16_t *allowed; /* indices into chain_structures, in increasing order */
    uint32_t count;
    enum vuid vuid;        /* ...-pNext-pNext */
    enum vuid unique_vuid; /* ...-sType-unique; the same as vuid if there is no such rule */
};

struct bool_member {
    const char *name;
    uint32_t offset;
};

bool requirement_met(const struct call *call, uint16_t requirement);
/* Appends the requirement in words: "VK_KHR_a, or Vulkan 1.3". */
void requirement_describe(uint16_t requirement, struct string_builder *text);
bool call_records_secondary(const struct call *call);

void report_disabled_command(struct check *c, uint16_t requirement) COLD;
void report_structure_type(struct check *c, enum vuid vuid, const struct location *where,
                           VkStructureType found, const char *expected) COLD;
/* Reports a NULL or impossible pointer. If it is a parameter of the command, or impossible
 * anywhere, the call stops: the next function that reads it would crash. */
void report_pointer(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                    const void *pointer) COLD;
void report_pointer_in_array(struct check *c, enum vuid vuid, const struct location *where,
                             const char *name, uint32_t index, const void *pointer) COLD;
void report_null_handle(struct check *c, enum vuid vuid, const struct location *where,
                        const char *name) COLD;
void report_zero(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 const char *expected) COLD;
void report_not_zero(struct check *c, enum vuid vuid, const struct location *where,
                     const char *name, uint64_t value) COLD;
void report_no_queue(struct check *c, enum vuid vuid) COLD;
void report_bool(struct check *c, const struct location *where, const char *name,
                 uint32_t value) COLD;
void report_bools(struct check *c, const struct location *where, const void *structure,
                  const struct bool_member *members, uint32_t count) COLD;

void check_enum(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                int32_t value, const struct enum_info *info);
/* Checks that `value` is a combination of the flags' values. */
void check_flags(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 uint64_t value, const struct flags_info *info);
/* Checks that `value` is exactly one of the flags' values. */
void check_flag(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                uint64_t value, const struct flags_info *info);
void check_string(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                  const char *string);
/* Checks a string in an array of `size` bytes. */
void check_fixed_string(struct check *c, enum vuid vuid, const struct location *where,
                        const char *name, const char *string, size_t size);

/* These check arrays: first the pointer, then each element. */
void check_strings(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                   size_t count, const char *const *strings);
void check_handles(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                   size_t count, const void *handles);
void check_enums(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 size_t count, const void *values, const struct enum_info *info);
void check_flags_array(struct check *c, enum vuid vuid, const struct location *where,
                       const char *name, size_t count, const VkFlags *values,
                       const struct flags_info *info);
void check_flag_array(struct check *c, enum vuid vuid, const struct location *where,
                      const char *name, size_t count, const void *values,
                      const struct flags_info *info);
/* Checks that each element is one of the values. Whether the value is enabled is not checked. */
void check_known_bit_array(struct check *c, enum vuid vuid, const struct location *where,
                           const char *name, size_t count, const void *values,
                           const struct flags_info *info);
void check_nonzero_array(struct check *c, enum vuid vuid, const struct location *where,
                         const char *name, size_t count, const VkFlags *values);
void check_bools(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 size_t count, const VkBool32 *values);

/* Checks a structure that the driver will fill in. The program sets its sType and chain only. */
static inline void check_output(struct check *c, const struct location *where,
                                const void *structure, check_function check)
{
    bool outer = c->output;
    c->output = true;
    check(c, where, structure);
    c->output = outer;
}

/* Checks the structures of a chain that is not NULL: each is known, allowed, enabled, not repeated,
 * and valid in itself. */
void check_chain(struct check *c, const struct location *where, const void *chain,
                 const struct chain_rule *rule);
/* The generated tables. */
extern const uint16_t requirement_terms[];
extern const struct spoken_value spoken_values[];
extern const uint32_t spoken_value_count;
/* versions come first in enum extension; spec_version is their minor version */
extern const uint32_t version_count;
extern const struct chain_structure chain_structures[];
extern const uint32_t chain_structure_count;
/* The types of structures of the loader and other platforms, which are not checked, in increasing
 * order. */
extern const uint32_t foreign_structure_types[];
extern const uint32_t foreign_structure_type_count;

/* The type of the geometry that contains this data. No other structure contains such data. */
static inline VkGeometryTypeKHR geometry_type_nv(const VkGeometryDataNV *data)
{
    const char *geometry = (const char *)data - offsetof(VkGeometryNV, geometry);
    return ((const VkGeometryNV *)(const void *)geometry)->geometryType;
}

#endif
