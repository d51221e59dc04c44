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

/* One validate hook at work. Threads: on its stack. */
struct check {
    struct call *call;
    bool skip;   /* what the findings so far answered */
    bool output; /* in a structure that the driver fills in: the program did not set its values */
    bool of_pipeline; /* the check is the first member of a graphics_check (stateless/pipeline.h) */
    bool of_device;   /* the check is the first member of a device_check (stateless/device.h) */
    /* the structure of a pNext chain that is looked at, and the whole chain: structures before this
     * one are in its chain as well */
    const void *chained, *chain;
};

/* Words of a requirement: the extensions and versions of which one must be enabled. Offset 0 is
 * "always". */
#define REQUIREMENT_END 0xffffu

struct enum_value {
    int32_t value;
    uint16_t requirement; /* offset into requirement_terms */
};

/* Values in increasing order. */
struct enum_info {
    const struct enum_value *values;
    uint32_t count;
    enum value_type type;
};

struct flag_value {
    uint64_t bits; /* several for a value such as VK_SHADER_STAGE_ALL; those come first */
    uint16_t requirement;
};

struct flags_info {
    const struct flag_value *values;
    uint32_t count;
    enum value_type type;
};

/* A value of which a numbered statement that the core validator enforces says: not without one of
 * these features. That statement speaks alone. */
#define SPOKEN_FEATURE_LIMIT 2
struct spoken_value {
    uint64_t value;                          /* of an enumeration: of 32 bits, with its sign */
    enum vuid vuid;                          /* the -parameter statement that says nothing */
    uint16_t features[SPOKEN_FEATURE_LIMIT]; /* FEATURE_COUNT where there are fewer */
};

typedef void (*check_function)(struct check *c, const struct location *where,
                               const void *structure);

/* A structure that a pNext chain can hold. */
struct chain_structure {
    VkStructureType type;
    uint16_t requirement;
    bool may_repeat;
    const char *name;
    check_function check; /* of its members; NULL when there is nothing to check */
};

/* The structures that the chain of one structure may hold. */
struct chain_rule {
    const uint16_t *allowed; /* indices into chain_structures, increasing */
    uint32_t count;
    enum vuid vuid;        /* ...-pNext-pNext */
    enum vuid unique_vuid; /* ...-sType-unique; the same as vuid when there is none */
};

struct bool_member {
    const char *name;
    uint32_t offset;
};

bool requirement_met(const struct call *call, uint16_t requirement);
/* Adds the requirement as words: "VK_KHR_a, or Vulkan 1.3". */
void requirement_describe(uint16_t requirement, struct string_builder *text);
bool call_records_secondary(const struct call *call);

void report_disabled_command(struct check *c, uint16_t requirement) COLD;
void report_structure_type(struct check *c, enum vuid vuid, const struct location *where,
                           VkStructureType found, const char *expected) COLD;
/* A NULL or impossible pointer. As a parameter of the command itself, or an impossible one
 * anywhere, it stops the call: the next function that reads it would crash. */
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
/* `value` is a combination of the flags' values. */
void check_flags(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 uint64_t value, const struct flags_info *info);
/* `value` is exactly one of the flags' values. */
void check_flag(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                uint64_t value, const struct flags_info *info);
void check_string(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                  const char *string);
/* A string in an array of `size` bytes. */
void check_fixed_string(struct check *c, enum vuid vuid, const struct location *where,
                        const char *name, const char *string, size_t size);

/* Arrays: the pointer, then each element. */
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
/* Each is one of the values, whatever is enabled. */
void check_known_bit_array(struct check *c, enum vuid vuid, const struct location *where,
                           const char *name, size_t count, const void *values,
                           const struct flags_info *info);
void check_nonzero_array(struct check *c, enum vuid vuid, const struct location *where,
                         const char *name, size_t count, const VkFlags *values);
void check_bools(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 size_t count, const VkBool32 *values);

/* Checks a structure that the driver will fill in: its sType and chain are the program's, its
 * values are not. */
static inline void check_output(struct check *c, const struct location *where,
                                const void *structure, check_function check)
{
    bool outer = c->output;
    c->output = true;
    check(c, where, structure);
    c->output = outer;
}

/* Walks a chain that is not NULL: each structure known, allowed, enabled, there once, and good in
 * itself. */
void check_chain(struct check *c, const struct location *where, const void *chain,
                 const struct chain_rule *rule);
/* Generated. */
extern const uint16_t requirement_terms[];
extern const struct spoken_value spoken_values[];
extern const uint32_t spoken_value_count;
/* versions come first in enum extension; spec_version is their minor version */
extern const uint32_t version_count;
extern const struct chain_structure chain_structures[];
extern const uint32_t chain_structure_count;
/* Structures of other platforms, and of the loader, which are not checked; increasing. */
extern const uint32_t foreign_structure_types[];
extern const uint32_t foreign_structure_type_count;

/* The type of the geometry that the data is a member of: no other structure has such data. */
static inline VkGeometryTypeKHR geometry_type_nv(const VkGeometryDataNV *data)
{
    const char *geometry = (const char *)data - offsetof(VkGeometryNV, geometry);
    return ((const VkGeometryNV *)(const void *)geometry)->geometryType;
}

#endif
