/* Delivers a finding to its listeners: the program's messengers and callbacks, the log, the JSON
 * lines file. */
#include "report/finding/reporter.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "report/sink/deliver.h"
#include "report/muting/mute.h"
#include "report/muting/muting.h"
#include "report/muting/said.h"
#include "report/sink/sink.h"
#include "report/muting/tally.h"
#include "vk/chain.h"

#define SNAPSHOT_ON_STACK 8 /* callbacks that are copied to the stack; programs have one or two */
/* nesting of Vulkan calls in callbacks: a callback whose own calls have findings would be called
 * for ever */
#define CALLBACK_DEPTH_LIMIT 16

/* A messenger or report callback of the program. */
struct listener {
    uint64_t handle; /* 0: the listener is in the pNext chain of VkInstanceCreateInfo */
    bool is_report_callback;
    /* bits of enum severity: the messages that the listener wants */
    uint32_t severities;
    VkDebugUtilsMessageTypeFlagsEXT types;          /* of a messenger */
    PFN_vkDebugUtilsMessengerCallbackEXT messenger; /* NULL: a report callback */
    PFN_vkDebugReportCallbackEXT report_callback;
    void *user_data; /* pointer of the program, handed back to it */
};

/* Filters, counts and delivers the findings of an instance. Threads: any, except that one thread
 * creates and destroys it. */
struct reporter {
    const struct settings *settings; /* the settings of the instance */
    char *application;               /* owned; NULL when the program gave no name */
    struct names *names;             /* owned */
    struct retired_ring retired;     /* the names of destroyed objects */
    /* which ids are filtered, and how often each was reported from each place */
    struct mute mute;
    struct muting *muting; /* owned; NULL when memory was out */
    struct sink log;
    struct said said; /* hashes of what the log has shown */
    struct sink json;
    /* guards the list of listeners; not held over a call */
    struct lock lock;
    struct listener *listeners GUARDED_BY(lock); /* owned */
    uint32_t listener_count GUARDED_BY(lock);
    /* how many of the listeners the program has created by a command; those of VkInstanceCreateInfo
     * do not count */
    uint32_t app_listener_count GUARDED_BY(lock);
    /* the list is being changed: the child of a fork at this moment cannot use it */
    bool changing GUARDED_BY(lock);
    /* The listeners of VkInstanceCreateInfo are called: the instance is being created or destroyed.
     * Relaxed: it is set within externally synchronised calls */
    _Atomic bool creating;
    struct tally tally;               /* the counts that are reported when the instance ends */
    struct reporter *next, *previous; /* the list `living`. Lock: living_lock */
};

/* The reporters that exist. A program may end without destroying its instances: then their totals
 * are reported at exit(). */
static struct lock living_lock = LOCK_INITIALIZER;
static struct reporter *living GUARDED_BY(living_lock);

static_assert(REPORT_FLAGS_ERROR == 1 << SEVERITY_ERROR &&
                  REPORT_FLAGS_WARN == 1 << SEVERITY_WARNING &&
                  REPORT_FLAGS_PERF == 1 << SEVERITY_PERFORMANCE &&
                  REPORT_FLAGS_INFO == 1 << SEVERITY_INFO &&
                  REPORT_FLAGS_DEBUG == 1 << SEVERITY_DEBUG,
              "the setting's values in registry/settings.toml stand in the order of enum severity");

/* Adds a listener. If memory is out, the listener is not called. While `changing` is set, the list
 * may be half changed, and the child of a fork drops it. */
static void add_listener(struct reporter *reporter, const struct listener *listener)
{
    lock_take(&reporter->lock);
    reporter->changing = true;
    struct listener *listeners =
        mem_resize(reporter->listeners, (reporter->listener_count + 1) * sizeof(*listeners));
    if (listeners) {
        listeners[reporter->listener_count++] = *listener;
        reporter->listeners = listeners;
        reporter->app_listener_count += listener->handle != 0;
        reporter->tally.has_listened |= listener->handle != 0;
    }
    reporter->changing = false;
    lock_release(&reporter->lock);
}

/* Forgets a messenger or report callback of the program. Takes the reporter's lock. */
static void remove_listener(struct reporter *reporter, uint64_t handle, bool is_report_callback)
{
    lock_take(&reporter->lock);
    reporter->changing = true;
    for (uint32_t i = 0; handle && i < reporter->listener_count; i++) {
        struct listener *listener = &reporter->listeners[i];
        if (listener->handle != handle || listener->is_report_callback != is_report_callback)
            continue;
        reporter->listener_count--;
        reporter->app_listener_count--;
        memmove(listener, listener + 1, (reporter->listener_count - i) * sizeof(*listener));
        break;
    }
    reporter->changing = false;
    lock_release(&reporter->lock);
}

void reporter_add_messenger(struct reporter *reporter, uint64_t handle,
                            const VkDebugUtilsMessengerCreateInfoEXT *info)
{
    static const struct {
        VkDebugUtilsMessageSeverityFlagBitsEXT bit;
        uint32_t severities;
    } map[] = {
        {VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, 1 << SEVERITY_ERROR},
        {VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
         /* Vulkan has one bit for warnings and for advice about performance. */
         1 << SEVERITY_WARNING | 1 << SEVERITY_PERFORMANCE},
        {VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT, 1 << SEVERITY_INFO},
        {VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT, 1 << SEVERITY_DEBUG},
    };
    if (!reporter || !info->pfnUserCallback)
        return;
    struct listener listener = {.handle = handle,
                                .types = info->messageType,
                                .messenger = info->pfnUserCallback,
                                .user_data = info->pUserData};
    for (size_t i = 0; i < ARRAY_LENGTH(map); i++)
        listener.severities |= info->messageSeverity & map[i].bit ? map[i].severities : 0;
    add_listener(reporter, &listener);
}

/* The flag of VK_EXT_debug_report for each severity. */
static const VkDebugReportFlagsEXT report_flag[] = {
    [SEVERITY_ERROR] = VK_DEBUG_REPORT_ERROR_BIT_EXT,
    [SEVERITY_WARNING] = VK_DEBUG_REPORT_WARNING_BIT_EXT,
    [SEVERITY_PERFORMANCE] = VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT,
    [SEVERITY_INFO] = VK_DEBUG_REPORT_INFORMATION_BIT_EXT,
    [SEVERITY_DEBUG] = VK_DEBUG_REPORT_DEBUG_BIT_EXT,
};

void reporter_add_report_callback(struct reporter *reporter, uint64_t handle,
                                  const VkDebugReportCallbackCreateInfoEXT *info)
{
    if (!reporter || !info->pfnCallback)
        return;
    struct listener listener = {.handle = handle,
                                .is_report_callback = true,
                                .report_callback = info->pfnCallback,
                                .user_data = info->pUserData};
    for (size_t i = 0; i < ARRAY_LENGTH(report_flag); i++)
        listener.severities |= info->flags & report_flag[i] ? 1u << i : 0;
    add_listener(reporter, &listener);
}

void reporter_remove_messenger(struct reporter *reporter, uint64_t handle)
{
    if (reporter)
        remove_listener(reporter, handle, false);
}

void reporter_remove_report_callback(struct reporter *reporter, uint64_t handle)
{
    if (reporter)
        remove_listener(reporter, handle, true);
}

/* Adds the listeners in the pNext chain of VkInstanceCreateInfo. They are called only while the
 * instance is created or destroyed. */
static void add_creation_listeners(struct reporter *reporter, const VkInstanceCreateInfo *info)
{
    for (struct chain_walk walk = chain_begin(info->pNext); walk.at; chain_step(&walk)) {
        const VkBaseInStructure *structure = walk.at;
        if (structure->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT)
            reporter_add_messenger(reporter, 0, (const void *)structure);
        else if (structure->sType == VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT)
            reporter_add_report_callback(reporter, 0, (const void *)structure);
    }
}

static void emit_setting_warning(struct reporter *reporter, const char *text);

/* Opens the files of the settings log_filename and json_filename. If one cannot be opened, a
 * warning is reported; the log then goes to standard output. */
static void open_sinks(struct reporter *reporter)
{
    const struct settings *settings = reporter->settings;
    char buffer[256];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    const char *why =
        sink_open_log(&reporter->log, settings->log_filename, settings->local[SETTING_LOG_FILENAME],
                      (enum log_color)settings->log_color);
    if (why) {
        string_builder_format(&text,
                              "log_filename is \"%s\", which cannot be opened: %s; the log goes to "
                              "standard output",
                              settings->log_filename, why);
        /* The log is opened before the warning, which is written to it. */
        (void)!sink_open_log(&reporter->log, "stdout", false, (enum log_color)settings->log_color);
        emit_setting_warning(reporter, text.text);
    }
    string_builder_end(&text);
    string_builder_begin(&text, buffer, sizeof(buffer));
    why = settings->json_filename && *settings->json_filename
              ? sink_open_json(&reporter->json, settings->json_filename,
                               settings->local[SETTING_JSON_FILENAME])
              : NULL;
    if (why) {
        string_builder_format(&text,
                              "json_filename is \"%s\", which cannot be opened: %s; nothing is "
                              "written there",
                              settings->json_filename, why);
        emit_setting_warning(reporter, text.text);
    }
    string_builder_end(&text);
}

static void tell_of_living(void);

/* Registers tell_of_living() for exit(). */
static void watch_exit(void)
{
    (void)atexit(tell_of_living);
}

struct reporter *reporter_create(const struct settings *settings, const VkInstanceCreateInfo *info)
{
    struct reporter *reporter = mem_alloc_zeroed(sizeof(*reporter));
    if (!reporter)
        return NULL;
    reporter->names = names_create();
    if (!reporter->names) {
        mem_free(reporter);
        return NULL;
    }
    reporter->settings = settings;
    if (info && info->pApplicationInfo && info->pApplicationInfo->pApplicationName)
        reporter->application = mem_copy_string(info->pApplicationInfo->pApplicationName);
    lock_init(&reporter->lock);
    retired_init(&reporter->retired);
    reporter->log.file = reporter->json.file = -1;
    atomic_init(&reporter->creating, true);
    mute_init(&reporter->mute, settings);
    said_init(&reporter->said);
    reporter->muting = muting_create(settings, reporter->names);
    if (info)
        add_creation_listeners(reporter, info);
    open_sinks(reporter);
    tally_open(&reporter->tally, settings);
    /* At exit() the totals of instances that still exist are reported. */
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_exit);
    lock_take(&living_lock);
    reporter->next = living;
    if (living)
        living->previous = reporter;
    living = reporter;
    lock_release(&living_lock);
    return reporter;
}

static void write_log(struct reporter *reporter, const struct report *report);
static void write_json_line(struct reporter *reporter, const struct report *report);

/* Reports how many findings were muted by labels and tags, so that a user does not take a quiet log
 * for a clean run. It goes to the log and the JSON lines, not to callbacks: at exit() the program's
 * code may not be callable any more. */
static void tell_muted(struct reporter *reporter, bool log)
{
    /* The counts are set to 0, so that a second call does not report them again. */
    const struct muted_counts counts = muting_take_counts(reporter->muting);
    const uint64_t all = counts.by_labels + counts.by_tags;
    char buffer[160], json[96];
    struct string_builder text;
    struct vuid_text id;
    if (!all || mute_is_filtered(&reporter->mute, ASSAY_Muted))
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    muted_counts_write(&text, counts);
    (void)snprintf(json, sizeof(json), "{\"labels\":%" PRIu64 ",\"tags\":%" PRIu64 "}",
                   counts.by_labels, counts.by_tags);
    vuid_text_open(&id, ASSAY_Muted);
    struct report report = {
        .severity = SEVERITY_INFO,
        .number = vuid_number[ASSAY_Muted],
        .id = id.name,
        .spec_text = "",
        .spec_page = "",
        .location = "",
        .text = text.text,
        .application = reporter->application,
        .details = &(struct finding_details){.json_key = "muted", .json = json},
    };
    caller_note_thread(&report);
    if (log)
        write_log(reporter, &report);
    if (reporter->json.file >= 0)
        write_json_line(reporter, &report);
    vuid_text_close(&id);
    string_builder_end(&text);
}

/* Reports the totals when the instance ends. A second call reports nothing. */
static void tell_end(struct reporter *reporter)
{
    const struct settings *settings = reporter->settings;
    /* This is the rule of keeps_log(), except that listeners which were destroyed count as well. */
    bool log = settings->given[SETTING_DEBUG_ACTION]
                   ? settings->debug_action & DEBUG_ACTION_LOG_MSG
                   : settings->given[SETTING_LOG_FILENAME] || !reporter->tally.has_listened;
    const struct tally_ways ways = {.log = log && !settings->message_format_json ? &reporter->log
                                                                                 : NULL,
                                    .json = &reporter->json,
                                    .mute = &reporter->mute,
                                    .application = reporter->application,
                                    .settings = settings};
    tell_muted(reporter, log);
    tally_tell(&reporter->tally, &ways);
}

/* Runs at exit(): says the totals of instances that the program has not destroyed. */
static void tell_of_living(void)
{
    if (!lock_try(&living_lock))
        return; /* another thread makes or destroys an instance while the process ends */
    for (struct reporter *reporter = living; reporter; reporter = reporter->next)
        tell_end(reporter);
    lock_release(&living_lock);
}

/* Takes the reporter out of the list of those that live. */
static void unlink_living(struct reporter *reporter)
{
    lock_take(&living_lock);
    if (reporter->next)
        reporter->next->previous = reporter->previous;
    if (reporter->previous)
        reporter->previous->next = reporter->next;
    else
        living = reporter->next;
    lock_release(&living_lock);
}

void reporter_destroy(struct reporter *reporter)
{
    if (!reporter)
        return;
    /* This comes first, so that exit() in another thread does not find the reporter. */
    unlink_living(reporter);
    /* The totals need the sinks and the counts, which are closed below. */
    tell_end(reporter);
    caller_forget();
    tally_close(&reporter->tally);
    sink_close(&reporter->log);
    sink_close(&reporter->json);
    mute_free(&reporter->mute);
    said_free(&reporter->said);
    muting_destroy(reporter->muting);
    names_destroy(reporter->names);
    retired_free(&reporter->retired);
    lock_unneeded(&reporter->lock);
    lock_destroy(&reporter->lock);
    mem_free(reporter->listeners);
    mem_free(reporter->application);
    mem_free(reporter);
}

void reporter_fork_child(struct reporter *reporter)
{
    if (!reporter)
        return;
    names_fork_child(reporter->names);
    retired_fork_child(&reporter->retired);
    mute_fork_child(&reporter->mute);
    tally_fork_child(&reporter->tally);
    muting_fork_child(reporter->muting);
    /* If the lock was free at the fork, the list is whole. */
    if (lock_try(&reporter->lock)) {
        lock_release(&reporter->lock);
        return;
    }
    lock_unneeded(&reporter->lock);
    if (reporter->changing) {
        /* A thread that is not in the child has half changed the list. The list is dropped (and
         * leaks), as its pointers may be wrong. */
        reporter->listeners = NULL;
        reporter->listener_count = reporter->app_listener_count = 0;
        reporter->changing = false;
    }
    lock_init(&reporter->lock);
}

void reporter_creation_ends(struct reporter *reporter)
{
    if (!reporter)
        return;
    atomic_store_explicit(&reporter->creating, false, memory_order_relaxed);
    tally_begin(&reporter->tally, reporter->settings, reporter->application);
}

void reporter_count_device(struct reporter *reporter)
{
    if (reporter)
        tally_count_device(&reporter->tally);
}

void reporter_destruction_begins(struct reporter *reporter)
{
    if (reporter)
        atomic_store_explicit(&reporter->creating, true, memory_order_relaxed);
}

/* True if the log is written. A setting decides; without one, the log is written as long as the
 * program has no listener of its own. */
static bool keeps_log(const struct reporter *reporter) REQUIRES(reporter->lock)
{
    const struct settings *settings = reporter->settings;
    if (settings->given[SETTING_DEBUG_ACTION])
        return settings->debug_action & DEBUG_ACTION_LOG_MSG;
    return settings->given[SETTING_LOG_FILENAME] || reporter->app_listener_count == 0;
}

/* Returns the message type that a messenger gets with a finding. */
static VkDebugUtilsMessageTypeFlagsEXT message_type(enum severity severity)
{
    return severity == SEVERITY_PERFORMANCE ? VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT
                                            : VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
}

/* True if the listener wants this severity. A listener of VkInstanceCreateInfo only gets messages
 * while the instance is created or destroyed. */
static bool listener_wants(const struct reporter *reporter, const struct listener *listener,
                           enum severity severity)
{
    assert((unsigned)severity <= SEVERITY_DEBUG);
    if (!listener->handle && !atomic_load_explicit(&reporter->creating, memory_order_relaxed))
        return false;
    return (listener->severities >> severity & 1) &&
           (listener->is_report_callback || (listener->types & message_type(severity)));
}

/* True if log and JSON lines are to have findings of this severity. */
static bool sinks_want(const struct reporter *reporter, enum severity severity)
{
    assert((unsigned)severity <= SEVERITY_DEBUG);
    return reporter->settings->report_flags >> severity & 1;
}

/* True if a finding shall stop the program in a debugger. */
static bool reporter_breaks(const struct reporter *reporter)
{
    return reporter->settings->debug_action & DEBUG_ACTION_BREAK;
}

/* True if a listener, the log or the JSON lines want the finding. If not, it is not formatted. */
static bool anybody_wants(struct reporter *reporter, enum severity severity)
{
    lock_take(&reporter->lock);
    bool wanted = sinks_want(reporter, severity) &&
                  (reporter->json.file >= 0 || keeps_log(reporter) || reporter_breaks(reporter));
    for (uint32_t i = 0; !wanted && i < reporter->listener_count; i++)
        wanted = listener_wants(reporter, &reporter->listeners[i], severity);
    lock_release(&reporter->lock);
    return wanted;
}

bool reporter_would_let_through(struct reporter *reporter, enum severity severity, enum vuid vuid)
{
    return !mute_is_exhausted(&reporter->mute, vuid) &&
           thread_self()->depth <= CALLBACK_DEPTH_LIMIT && anybody_wants(reporter, severity);
}

bool reporter_lets_through(struct reporter *reporter, enum vuid vuid, uint64_t place,
                           struct mute_told *told)
{
    return mute_count(&reporter->mute, vuid, place, told);
}

bool reporter_counts_repeat(struct reporter *reporter, enum vuid vuid, uint64_t place)
{
    return mute_counts_repeat(&reporter->mute, vuid, place);
}

uint32_t reporter_message_limit(const struct reporter *reporter)
{
    return reporter->mute.limit;
}

void reporter_count_untold(struct reporter *reporter, enum vuid vuid)
{
    if (mute_is_exhausted(&reporter->mute, vuid))
        mute_count_untold(&reporter->mute, vuid);
}

bool reporter_fails_call(const struct reporter *reporter, enum severity severity)
{
    return severity == SEVERITY_ERROR && (reporter->settings->debug_action & DEBUG_ACTION_FAIL);
}

bool reporter_is_filtered(const struct reporter *reporter, enum vuid vuid)
{
    return mute_is_filtered(&reporter->mute, vuid);
}

struct muting *reporter_muting(const struct reporter *reporter)
{
    return reporter ? reporter->muting : NULL;
}

const char *reporter_application(const struct reporter *reporter)
{
    return reporter->application;
}

/* Calls one messenger of the program with the report. Returns its answer: VK_TRUE asks to skip the
 * call. */
static VkBool32 call_messenger(const struct listener *listener, const struct report *report,
                               const char *message)
{
    assert(listener && message);
    static const VkDebugUtilsMessageSeverityFlagBitsEXT severities[] = {
        [SEVERITY_ERROR] = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        [SEVERITY_WARNING] = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        [SEVERITY_PERFORMANCE] = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        [SEVERITY_INFO] = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        [SEVERITY_DEBUG] = VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT,
    };
    VkDebugUtilsObjectNameInfoEXT objects[REPORT_OBJECTS];
    for (uint32_t i = 0; i < report->object_count; i++) {
        objects[i] = (VkDebugUtilsObjectNameInfoEXT){
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = handle_type_object_type[report->objects[i].type],
            .objectHandle = report->objects[i].handle,
            .pObjectName = report->objects[i].name,
        };
    }
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = report->id,
        .messageIdNumber = (int32_t)report->number,
        .pMessage = message,
        .queueLabelCount = report->queue_labels.count,
        .pQueueLabels = report->queue_labels.labels,
        .cmdBufLabelCount = report->command_buffer_labels.count,
        .pCmdBufLabels = report->command_buffer_labels.labels,
        .objectCount = report->object_count,
        /* The array lives as long as the call of the messenger, as the specification allows. */
        .pObjects = report->object_count ? objects : NULL,
    };
    return listener->messenger(severities[report->severity], message_type(report->severity), &data,
                               listener->user_data);
}

/* Calls a callback of VK_EXT_debug_report, which gets the first object only. Returns its answer:
 * VK_TRUE asks to skip the call. */
static VkBool32 call_report_callback(const struct listener *listener, const struct report *report,
                                     const char *message)
{
    const struct report_object *object = report->object_count ? &report->objects[0] : NULL;
    return listener->report_callback(report_flag[report->severity],
                                     object ? handle_type_debug_report[object->type]
                                            : VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT,
                                     object ? object->handle : 0, 0, (int32_t)report->number,
                                     "Validation", message, listener->user_data);
}

/* Calls the listeners that want the report. It uses a copy of the list, as no lock is held and a
 * callback may change the list. Returns whether one of them said VK_TRUE. */
static bool call_listeners(struct reporter *reporter, const struct report *report,
                           const char *message)
{
    struct listener on_stack[SNAPSHOT_ON_STACK];
    struct listener *copy = on_stack;
    lock_take(&reporter->lock);
    uint32_t count = reporter->listener_count;
    if (count > SNAPSHOT_ON_STACK) {
        copy = mem_alloc(count * sizeof(*copy));
        if (!copy) {
            copy = on_stack;
            count = SNAPSHOT_ON_STACK;
        }
    }
    if (count)
        memcpy(copy, reporter->listeners, count * sizeof(*copy));
    lock_release(&reporter->lock);
    bool skip = false;
    /* The depth of nested callbacks is limited to CALLBACK_DEPTH_LIMIT. */
    thread_self()->depth++;
    for (uint32_t i = 0; i < count; i++) {
        if (!listener_wants(reporter, &copy[i], report->severity))
            continue;
        skip |= copy[i].is_report_callback ? call_report_callback(&copy[i], report, message)
                                           : call_messenger(&copy[i], report, message);
    }
    thread_self()->depth--;
    if (copy != on_stack)
        mem_free(copy);
    return skip;
}

/* Writes the finding as text, or in the form of the setting message_format_json. */
static void write_message(struct string_builder *builder, const struct reporter *reporter,
                          const struct report *report, bool color)
{
    if (reporter->settings->message_format_json)
        message_write_json(builder, report);
    else
        message_write(builder, report, color,
                      reporter->settings->message_format_display_application_name);
}

/* Writes a finding to the log. In the form for people an empty line follows. */
static void COLD write_log(struct reporter *reporter, const struct report *report)
{
    char buffer[1024];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    write_message(&text, reporter, report, reporter->log.color);
    string_builder_add(&text, reporter->settings->message_format_json ? "\n" : "\n\n");
    sink_write(&reporter->log, text.text, text.length);
    string_builder_end(&text);
}

/* Writes a line of how often a finding came so far. */
static void COLD write_count(struct reporter *reporter, const struct report *report)
{
    char line_buffer[256], place_buffer[256];
    struct string_builder line, place;
    string_builder_begin(&line, line_buffer, sizeof(line_buffer));
    string_builder_begin(&place, place_buffer, sizeof(place_buffer));
    message_write_place(&place, report);
    message_write_repeats(&line, report->id, report->nth,
                          report->last_of ? "so far, and from now on it is only counted "
                                            "(duplicate_message_limit)"
                                          : "so far",
                          place.text);
    string_builder_add(&line, "\n");
    sink_write(&reporter->log, line.text, line.length);
    string_builder_end(&place);
    string_builder_end(&line);
}

/* Writes a finding to the log: in full the first time, and later in one line or not at all
 * (said.h). */
static void COLD reporter_log(struct reporter *reporter, const struct report *report)
{
    if (reporter->settings->message_format_json) {
        write_log(reporter, report);
        return;
    }
    const enum saying saying = said_how(&reporter->said, report);
    struct said_report *shown = NULL;
    if (saying == SAY_COUNT)
        write_count(reporter, report);
    else if (saying == SAY_ALL && report->same && (shown = mem_alloc(sizeof(*shown))))
        write_log(reporter, said_leave_out(&reporter->said, shown, report));
    else if (saying == SAY_ALL)
        write_log(reporter, report);
    mem_free(shown);
    if (saying != SAY_NOTHING && report->place)
        /* The totals at the end leave out the repetitions that the log has counted already. */
        atomic_store_explicit(&report->place->said, report->nth, memory_order_relaxed);
}

/* Writes a finding to the JSON lines file. If memory is out, nothing is written. */
static void COLD write_json_line(struct reporter *reporter, const struct report *report)
{
    char buffer[1024];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_json_line(&text, report);
    string_builder_add(&text, "\n");
    if (!text.truncated) /* half a line would not parse */
        sink_write(&reporter->json, text.text, text.length);
    string_builder_end(&text);
}

/* Formats the report for messengers and calls them. Returns whether one of them wants the call
 * skipped. */
static bool COLD tell_listeners(struct reporter *reporter, const struct report *report)
{
    char buffer[256]; /* threads may have small stacks: longer messages are on the heap */
    struct string_builder message;
    struct report heard = *report;
    heard.is_messengers = true;
    string_builder_begin(&message, buffer, sizeof(buffer));
    write_message(&message, reporter, &heard, false);
    const bool skip = call_listeners(reporter, &heard, message.text);
    string_builder_end(&message);
    return skip;
}

bool reporter_deliver(struct reporter *reporter, const struct report *report)
{
    assert(report->severity <= SEVERITY_DEBUG && report->id);
    bool wanted = sinks_want(reporter, report->severity), sinks = wanted || report->always;
    lock_take(&reporter->lock);
    bool log = sinks && keeps_log(reporter);
    /* The lists are looked at under the lock; files are written and callbacks called without it. */
    bool callbacks = reporter->listener_count > 0;
    lock_release(&reporter->lock);
    if (sinks && reporter->json.file >= 0)
        write_json_line(reporter, report);
    if (log)
        reporter_log(reporter, report);
    tally_count(&reporter->tally, report, sinks, reporter->json.file >= 0);
    bool skip = false;
    if (callbacks)
        skip = tell_listeners(reporter, report);
    if (wanted && reporter_breaks(reporter))
        /* The signal comes last, so that the report is written when the debugger stops. */
        (void)raise(SIGTRAP);
    return skip;
}

/* Reports what is wrong with a setting, to the log and the JSON lines as well, whatever the setting
 * report_flags says. */
static void emit_setting_warning(struct reporter *reporter, const char *text)
{
    assert(text);
    if (mute_is_filtered(&reporter->mute, VALIDATION_SETTINGS))
        return;
    struct vuid_text id;
    vuid_text_open(&id, VALIDATION_SETTINGS);
    struct report report = {
        .severity = SEVERITY_WARNING,
        .number = vuid_number[VALIDATION_SETTINGS],
        .id = id.name,
        .spec_text = "",
        .spec_page = "",
        .location = "",
        .text = text,
        .application = reporter->application,
        /* The setting of severities may itself be the wrong one, so it does not count here. */
        .always = true,
    };
    caller_note_thread(&report);
    (void)reporter_deliver(reporter, &report);
    vuid_text_close(&id);
}

void reporter_emit_diagnostics(struct reporter *reporter,
                               const struct settings_diagnostics *diagnostics)
{
    for (uint32_t i = 0; reporter && i < diagnostics->count; i++)
        emit_setting_warning(reporter, diagnostics->texts[i]);
    if (reporter && diagnostics->dropped) {
        char text[64];
        (void)snprintf(text, sizeof(text), "%u more settings could not be read",
                       diagnostics->dropped);
        emit_setting_warning(reporter, text);
    }
}

void reporter_set_name(struct reporter *reporter, struct object *object, const char *name)
{
    if (!reporter || !object)
        return;
    if (name && *name)
        names_mark(object);
    names_set(reporter->names, names_key(object), name);
}

/* True if the object may have a name or labels. */
static bool has_note(const struct reporter *reporter, const struct object *object)
{
    return reporter && object && object_has(object, OBJECT_HAS_NAME);
}

void reporter_forget(struct reporter *reporter, struct object *object)
{
    if (!has_note(reporter, object))
        return;
    char *name = names_take(reporter->names, names_key(object));
    if (name && object_type(object) == HANDLE_NONE)
        retired_add(&reporter->retired, object_retired_handle(object),
                    (enum handle_type)object->retired_type, name, object_retired_by(object));
    else
        mem_free(name);
}

bool reporter_find_retired(struct reporter *reporter, uint64_t handle, enum handle_type type,
                           struct retired_object *found)
{
    *found = (struct retired_object){0};
    return reporter && retired_find(&reporter->retired, handle, type, found);
}

char *reporter_copy_name(struct reporter *reporter, struct object *object)
{
    return has_note(reporter, object) ? names_copy(reporter->names, names_key(object)) : NULL;
}

void reporter_begin_label(struct reporter *reporter, struct object *object, const char *name,
                          const float color[4])
{
    if (!reporter || !object)
        return;
    names_mark(object);
    names_begin_label(reporter->names, names_key(object), name ? name : "", color,
                      muting_names_label(reporter->muting, name));
}

bool reporter_mutes_label(const struct reporter *reporter, const char *name)
{
    return reporter && muting_names_label(reporter->muting, name);
}

bool reporter_is_label_muted(struct reporter *reporter, const struct object *object)
{
    return reporter && object && reporter->settings->mute_labels.count &&
           names_are_labels_muted(reporter->names, object);
}

bool reporter_is_label_named(struct reporter *reporter, const struct object *object,
                             const struct setting_list *globs)
{
    if (!reporter || !object || !object_has(object, OBJECT_HAS_NAME))
        return false;
    struct label_list list = names_copy_labels(reporter->names, names_key(object));
    bool named = false;
    for (uint32_t i = 0; i < list.count && !named; i++)
        named = setting_list_matches(globs, list.labels[i].pLabelName);
    mem_free(list.labels);
    return named;
}

void reporter_count_muted_by_label(struct reporter *reporter)
{
    if (reporter)
        muting_count(reporter->muting, MUTED_BY_LABEL);
}

void reporter_set_tag(struct reporter *reporter, struct object *object, uint64_t tag,
                      const void *bytes, size_t size)
{
    if (reporter)
        muting_set_tag(reporter->muting, object, tag, bytes, size);
}

void reporter_insert_label(struct reporter *reporter, struct object *object, const char *name,
                           const float color[4])
{
    if (!reporter || !object)
        return;
    names_mark(object);
    names_insert_label(reporter->names, names_key(object), name ? name : "", color);
}

void reporter_end_label(struct reporter *reporter, struct object *object)
{
    if (has_note(reporter, object))
        names_end_label(reporter->names, names_key(object));
}

void reporter_clear_labels(struct reporter *reporter, struct object *object)
{
    if (has_note(reporter, object))
        names_clear_labels(reporter->names, names_key(object));
}

uint32_t reporter_open_labels(struct reporter *reporter, struct object *object)
{
    return has_note(reporter, object) ? names_open_labels(reporter->names, names_key(object)) : 0;
}

struct label_list reporter_copy_labels(struct reporter *reporter, struct object *object)
{
    return has_note(reporter, object) ? names_copy_labels(reporter->names, names_key(object))
                                      : (struct label_list){0};
}
