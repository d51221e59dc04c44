/* Reads settings from the environment: VK_ASSAY_<NAME>, and the spellings of other layers. */
#include "settings/table.h"

#include <string.h>

#include "base/string_builder.h"

struct env_spelling {
    const char *prefix;
    bool ours; /* no other software has variables of this prefix, so that an unknown one is a
                  mistake */
};

/* The prefixes of variables. A later one in the list wins over an earlier one. Those of the Khronos
 * layer are in the order in which that layer reads them; the library that layers share for settings
 * makes them from the names of layer and setting. The loader also has variables with the prefixes
 * VK_ and VK_LAYER_. */
static const struct env_spelling spellings[] = {
    {"VK_", false},       {"VK_VALIDATION_", true},       {"VK_KHRONOS_VALIDATION_", true},
    {"VK_LAYER_", false}, {"VK_ASSAY_VALIDATION_", true}, {"VK_ASSAY_", true},
};

/* True if the variable also begins with a longer prefix of the list; it is read with that one. */
static bool has_longer_prefix(const char *variable, const struct env_spelling *spelling)
{
    for (size_t i = 0; i < ARRAY_LENGTH(spellings); i++) {
        if (strlen(spellings[i].prefix) > strlen(spelling->prefix) &&
            !strncmp(variable, spellings[i].prefix, strlen(spellings[i].prefix)))
            return true;
    }
    return false;
}

/* Reads one variable of the environment, if its name begins with the prefix of this spelling and no
 * longer prefix fits. */
static void read_variable(struct settings *settings, const char *variable,
                          const struct env_spelling *spelling,
                          struct settings_diagnostics *diagnostics)
{
    const char *equals = strchr(variable, '=');
    if (!equals || strncmp(variable, spelling->prefix, strlen(spelling->prefix)) != 0 ||
        has_longer_prefix(variable, spelling))
        return;
    struct span key = {variable, (size_t)(equals - variable)};
    struct span name = key;
    if (!span_skip(&name, spelling->prefix))
        return;
    struct span value = span_of(equals + 1);
    enum setting setting = setting_by_name(name);
    if (setting != SETTING_COUNT)
        setting_assign(settings, setting, value, "environment", key, diagnostics);
    /* A variable with another prefix may be for another layer. */
    else if (spelling->ours)
        setting_unknown(name, value, "environment", spelling->prefix, diagnostics);
}

void settings_read_environment(struct settings *settings, char *const *environment,
                               struct settings_diagnostics *diagnostics)
{
    if (!environment)
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(spellings); i++) {
        for (char *const *variable = environment; *variable; variable++)
            read_variable(settings, *variable, &spellings[i], diagnostics);
    }
}
