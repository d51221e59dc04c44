/* Lists the settings that the layer has. They come from its own table. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "assay/run/environment.h"
#include "settings/table.h"

bool setting_is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strlen(setting_info[i].name) == length && !strncmp(setting_info[i].name, name, length))
            return true;
    }
    return false;
}

unsigned name_distance(const char *name, size_t length, const char *other)
{
    const size_t other_length = strlen(other);
    const size_t shorter = length < other_length ? length : other_length;
    if (shorter >= 3 && !strncasecmp(name, other, shorter))
        return 1;
    const unsigned distance = edit_distance((struct span){name, length}, other);
    return distance <= (length + 1) / 3 ? distance : UINT_MAX;
}

const char *setting_nearest(const char *name, size_t length)
{
    const char *nearest = NULL;
    unsigned best = UINT_MAX;
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const unsigned distance = name_distance(name, length, setting_info[i].name);
        if (distance < best) {
            best = distance;
            nearest = setting_info[i].name;
        }
    }
    return nearest;
}

void settings_each(void (*take)(void *user, const char *key, const char *values), void *user)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const struct setting_info *info = &setting_info[i];
        char values[1024] = "";
        size_t length = 0;
        if (info->type == SETTING_TYPE_BOOL)
            snprintf(values, sizeof(values), "true false");
        for (const struct setting_value *value = info->values; value && value->name; value++) {
            if (!value->unlisted && length < sizeof(values))
                length += (size_t)snprintf(values + length, sizeof(values) - length, "%s%s",
                                           length ? " " : "", value->name);
        }
        take(user, info->name, values);
    }
}
