/* Looks whether any settings file, environment or VkLayerSettingsCreateInfoEXT does harm. The first
 * byte says which of the three the rest is:
 *
 *     f  the bytes of a settings file
 *     e  variables, one a line
 *     l  layer settings, one a line: a digit for the type, a digit for the number of values,
 *        `name=`, and the values' bytes
 *
 * A build with clang makes a fuzzer of it (libFuzzer); every build replays the corpus. */
#include <stdlib.h>
#include <string.h>

#include "settings/table.h"

#define LINES_LIMIT 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the layer relies on this, whatever was read. */
static void expect_settings(bool condition)
{
    if (!condition)
        abort();
}

static void check_settings(const struct settings *settings,
                           const struct settings_diagnostics *diagnostics)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        const struct setting_info *info = &setting_info[i];
        const char *field = (const char *)settings + info->offset;
        uint32_t number;
        memcpy(&number, field,
               sizeof(bool) < sizeof(number) && info->type == SETTING_TYPE_BOOL ? sizeof(bool)
                                                                                : sizeof(number));
        if (info->type == SETTING_TYPE_INT)
            expect_settings(number >= info->min && number <= info->max);
        if (info->type == SETTING_TYPE_STRING)
            expect_settings(*(char *const *)(const void *)field != NULL);
        if (info->type == SETTING_TYPE_ENUM) {
            const struct setting_value *value = info->values;
            while (value->name && value->bits != number)
                value++;
            expect_settings(value->name != NULL);
        }
        if (info->type == SETTING_TYPE_LIST) {
            const struct setting_list *list = (const void *)field;
            /* a file may hold zeros: the string then ends there */
            for (uint32_t item = 0; item < list->count; item++)
                expect_settings(list->items[item] != NULL && strlen(list->items[item]) < 1 << 20);
        }
    }
    for (uint32_t i = 0; i < diagnostics->count; i++)
        expect_settings(strlen(diagnostics->texts[i]) > 0 && strlen(diagnostics->texts[i]) < 4096);
}

/* Cuts `text` into its lines, each ended by a zero. */
static size_t split_lines(char *text, char *lines[LINES_LIMIT])
{
    size_t count = 0;
    for (char *line = text; line && *line && count < LINES_LIMIT; count++) {
        lines[count] = line;
        line = strchr(line, '\n');
        if (line)
            *line++ = '\0';
    }
    return count;
}

static void read_environment(struct settings *settings, char *text,
                             struct settings_diagnostics *diagnostics)
{
    char *lines[LINES_LIMIT + 1];
    lines[split_lines(text, lines)] = NULL;
    settings_read_environment(settings, lines, diagnostics);
}

/* As many values as the line's bytes give of the type. They lie where an array of that type may. */
static void read_layer_setting(const char *line, VkLayerSettingEXT *setting, char **memory)
{
    static const size_t sizes[] = {4, 4, 8, 4, 8, 4, 8, sizeof(char *)};
    size_t length = strlen(line);
    unsigned type = length > 0 ? (unsigned)(line[0] - '0') % 9 : 0;
    size_t count = length > 1 ? (unsigned)(line[1] - '0') % 10 : 0;
    const char *name = length > 1 ? line + 2 : "";
    const char *equals = strchr(name, '=');
    const char *bytes = equals ? equals + 1 : name + strlen(name);
    size_t bytes_length = strlen(bytes),
           name_length = equals ? (size_t)(equals - name) : strlen(name);
    *memory = calloc(1, 16 * sizeof(uint64_t) + bytes_length + name_length + 2);
    expect_settings(*memory != NULL);
    char *copy = *memory + 16 * sizeof(uint64_t);
    memcpy(copy, bytes, bytes_length);
    memcpy(copy + bytes_length + 1, name, name_length);
    if (type == VK_LAYER_SETTING_TYPE_STRING_EXT) {
        for (size_t i = 0; i < count; i++)
            ((char **)(void *)*memory)[i] = i % 3 == 2 ? NULL : copy + bytes_length * i / 10;
    } else if (type < 8) {
        memcpy(*memory, copy,
               bytes_length < count * sizes[type] ? bytes_length : count * sizes[type]);
    }
    *setting = (VkLayerSettingEXT){.pLayerName = name_length % 2 ? SETTINGS_LAYER_NAME
                                                                 : SETTINGS_KHRONOS_LAYER_NAME,
                                   .pSettingName = copy + bytes_length + 1,
                                   .type = (VkLayerSettingTypeEXT)type,
                                   .valueCount = (uint32_t)count,
                                   .pValues = length > 2 ? *memory : NULL};
}

static void read_layer_settings(struct settings *settings, char *text,
                                struct settings_diagnostics *diagnostics)
{
    char *lines[LINES_LIMIT], *memory[LINES_LIMIT];
    VkLayerSettingEXT list[LINES_LIMIT];
    size_t count = split_lines(text, lines);
    for (size_t i = 0; i < count; i++)
        read_layer_setting(lines[i], &list[i], &memory[i]);
    const VkLayerSettingsCreateInfoEXT layer_settings = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
        .settingCount = (uint32_t)count,
        .pSettings = list};
    settings_read_create_info(settings, &(VkInstanceCreateInfo){.pNext = &layer_settings},
                              diagnostics);
    for (size_t i = 0; i < count; i++)
        free(memory[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    /* A copy just as long as the bytes, so that a sanitizer sees one read too many. */
    char *text = malloc(size);
    expect_settings(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    struct settings settings;
    struct settings_diagnostics diagnostics = {0};
    settings_defaults(&settings);
    if (data[0] == 'e')
        read_environment(&settings, text, &diagnostics);
    else if (data[0] == 'l')
        read_layer_settings(&settings, text, &diagnostics);
    else
        settings_read_text(&settings, text, size - 1, "vk_layer_settings.txt", &diagnostics);
    settings_conclude(&settings);
    check_settings(&settings, &diagnostics);
    settings_free(&settings);
    settings_diagnostics_free(&diagnostics);
    free(text);
    return 0;
}
