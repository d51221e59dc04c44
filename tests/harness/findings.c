/* Collects the findings that the layer delivers, and compares them with those that the scenario
 * names. */
#include "scenario.h"
#include "runner.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;
static bool failed;

void scenario_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    failed = true;
    const char *base = strrchr(file, '/');
    printf("  %s:%d: ", base ? base + 1 : file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
}

void scenario_abort(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    const char *base = strrchr(file, '/');
    printf("  %s:%d: ", base ? base + 1 : file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("; the scenario cannot go on\n");
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

void scenario_skip(const char *format, ...)
{
    va_list arguments;
    printf("  skipped: ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    _exit(EXIT_SKIPPED);
}

bool scenario_failed(void)
{
    return failed;
}

static char *copy_text(const char *text)
{
    char *result = strdup(text ? text : "");
    ENSURE(result);
    return result;
}

static uint32_t copy_labels(char **to, uint32_t count, const VkDebugUtilsLabelEXT *labels)
{
    count = count < 8 ? count : 8;
    for (uint32_t i = 0; i < count; i++)
        to[i] = copy_text(labels[i].pLabelName);
    return count;
}

static struct seen *seen_from(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                              const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    struct seen *seen = calloc(1, sizeof(*seen));
    ENSURE(seen);
    seen->id = copy_text(data->pMessageIdName);
    seen->text = copy_text(data->pMessage);
    seen->number = data->messageIdNumber;
    seen->severity = severity;
    seen->object_count = data->objectCount < 8 ? data->objectCount : 8;
    for (uint32_t i = 0; i < seen->object_count; i++) {
        seen->objects[i] = data->pObjects[i];
        seen->objects[i].pObjectName =
            data->pObjects[i].pObjectName ? copy_text(data->pObjects[i].pObjectName) : NULL;
    }
    seen->queue_label_count =
        copy_labels(seen->queue_labels, data->queueLabelCount, data->pQueueLabels);
    seen->command_label_count =
        copy_labels(seen->command_labels, data->cmdBufLabelCount, data->pCmdBufLabels);
    return seen;
}

/* Every layer calls the same messenger: which one did is known by where its code is. */
static bool is_of_layer_below(const struct baseline *b, const void *caller)
{
    Dl_info info;
    return b->below && dladdr(caller, &info) && info.dli_fname &&
           strstr(info.dli_fname, BELOW_LIBRARY);
}

static VkBool32 VKAPI_PTR on_scenario_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                              VkDebugUtilsMessageTypeFlagsEXT types,
                                              const VkDebugUtilsMessengerCallbackDataEXT *data,
                                              void *user)
{
    struct baseline *b = user;
    /* The loader talks through the same callbacks; what it says is not a finding of the layer. */
    if (data->pMessageIdName && strcmp(data->pMessageIdName, "Loader Message") == 0)
        return VK_FALSE;
    struct seen *seen = seen_from(severity, data);
    pthread_mutex_lock(&seen_lock);
    if (is_of_layer_below(b, __builtin_return_address(0))) {
        seen->next = b->first_below;
        b->first_below = seen;
        pthread_mutex_unlock(&seen_lock);
        return VK_FALSE;
    }
    *b->last_seen = seen;
    b->last_seen = &seen->next;
    runner_note_finding(seen->id);
    printf("  [%s] %s\n", seen->id, seen->text);
    fflush(stdout);
    pthread_mutex_unlock(&seen_lock);
    return b->skip;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct baseline *b)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = on_scenario_message,
        .pUserData = b,
    };
}

unsigned seen_count(struct baseline *b, const char *id)
{
    unsigned count = 0;
    pthread_mutex_lock(&seen_lock);
    for (const struct seen *seen = b->first_seen; seen; seen = seen->next)
        count += !id || strcmp(seen->id, id) == 0;
    pthread_mutex_unlock(&seen_lock);
    return count;
}

const struct seen *seen_find(struct baseline *b, const char *id)
{
    pthread_mutex_lock(&seen_lock);
    const struct seen *seen = b->first_seen;
    while (seen && id && strcmp(seen->id, id) != 0)
        seen = seen->next;
    pthread_mutex_unlock(&seen_lock);
    return seen;
}

static bool text_seen(struct baseline *b, const char *part)
{
    bool found = false;
    pthread_mutex_lock(&seen_lock);
    for (const struct seen *seen = b->first_seen; seen && !found; seen = seen->next)
        found = strstr(seen->text, part) != NULL;
    pthread_mutex_unlock(&seen_lock);
    return found;
}

/* The peer's wording is its own business: only our texts are looked at. */
void expect_text(struct baseline *b, const char *part)
{
    if (b->ours && !text_seen(b, part))
        scenario_fail(b->scenario->file, 0, "no finding says \"%s\"", part);
}

void expect_no_text(struct baseline *b, const char *part)
{
    if (b->ours && text_seen(b, part))
        scenario_fail(b->scenario->file, 0, "a finding says \"%s\"", part);
}

bool below_says(struct baseline *b, const char *id)
{
    pthread_mutex_lock(&seen_lock);
    const struct seen *seen = b->first_below;
    while (seen && strcmp(seen->id, id) != 0)
        seen = seen->next;
    pthread_mutex_unlock(&seen_lock);
    return seen || !b->below;
}

static bool id_is_listed(const char *const *list, const char *id)
{
    for (int i = 0; i < LIST_LIMIT && list[i]; i++) {
        if (strcmp(list[i], id) == 0)
            return true;
    }
    return false;
}

void findings_judge(struct baseline *b)
{
    const struct scenario *scenario = b->scenario;
    for (int i = 0; i < LIST_LIMIT && scenario->expect[i]; i++) {
        if (seen_count(b, scenario->expect[i]) == 0)
            scenario_fail(scenario->file, 0, "missing: %s", scenario->expect[i]);
    }
    for (const struct seen *seen = b->first_seen; seen; seen = seen->next) {
        if (!id_is_listed(scenario->expect, seen->id) && !id_is_listed(scenario->allow, seen->id))
            scenario_fail(scenario->file, 0, "unexpected: [%s] %s", seen->id, seen->text);
    }
    for (const struct seen *seen = b->first_below; seen; seen = seen->next) {
        if (!id_is_listed(scenario->expect, seen->id) && !id_is_listed(scenario->allow, seen->id) &&
            !id_is_listed(scenario->below, seen->id))
            scenario_fail(scenario->file, 0, "the layer below says: [%s] %s", seen->id, seen->text);
    }
    for (int i = 0; i < LIST_LIMIT && scenario->text[i]; i++)
        expect_text(b, scenario->text[i]);
}
