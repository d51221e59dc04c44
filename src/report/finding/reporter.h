/* One instance's findings go to the program's messengers and callbacks, the log, and the JSON lines
 * file. The reporter knows what is muted, and how often one id is reported. It also keeps what the
 * program says about its objects: names and labels. One per instance, made before anything can be
 * found and destroyed after everything else of the instance. */
#ifndef ASSAY_REPORT_REPORTER_H
#define ASSAY_REPORT_REPORTER_H

#include "report/muting/retired.h"
#include "objects/device.h"

/* Makes the reporter of an instance that is being created. `settings` must outlive it. The
 * messengers and callbacks in the pNext chain of `info` (which may be NULL) hear at once, until
 * reporter_creation_ends. NULL when memory is out: findings of that instance are then written to
 * standard error, without filters. */
struct reporter *reporter_create(const struct settings *settings,
                                 const VkInstanceCreateInfo *info) MUST_CHECK;
void reporter_destroy(struct reporter *reporter);
/* Called in the child of a fork: forgets what another thread was changing at that moment.
 * `reporter` may be NULL. Threads: no others exist. */
void reporter_fork_child(struct reporter *reporter);

/* The pNext chain's messengers hear during vkCreateInstance and vkDestroyInstance only
 * (VK_EXT_debug_utils, "Debug Messengers"). Threads: the caller's call on the instance is
 * externally synchronised. */
void reporter_creation_ends(struct reporter *reporter);
void reporter_destruction_begins(struct reporter *reporter);

/* Counts a device that was created, for the totals at the end. Threads: any. */
void reporter_count_device(struct reporter *reporter);

/* vkCreateDebugUtilsMessengerEXT and vkCreateDebugReportCallbackEXT, after the next layer has made
 * `handle` (as the program sees it). Out of memory: the messenger hears nothing from this layer.
 * `reporter` may be NULL in all functions from here on. Threads: any. */
void reporter_add_messenger(struct reporter *reporter, uint64_t handle,
                            const VkDebugUtilsMessengerCreateInfoEXT *info);
void reporter_add_report_callback(struct reporter *reporter, uint64_t handle,
                                  const VkDebugReportCallbackCreateInfoEXT *info);
void reporter_remove_messenger(struct reporter *reporter, uint64_t handle);
void reporter_remove_report_callback(struct reporter *reporter, uint64_t handle);

/* Sets the debug name of an object (vkSetDebugUtilsObjectNameEXT, vkDebugMarkerSetObjectNameEXT).
 * An empty name or NULL removes it. */
void reporter_set_name(struct reporter *reporter, struct object *object, const char *name);
/* Forgets the name and labels of an object with OBJECT_HAS_NAME that is about to be released. If
 * the object was destroyed by the program, reporter_find_retired() finds the name for a while. */
void reporter_forget(struct reporter *reporter, struct object *object);
/* Finds a destroyed object of this handle and type that had a name. The caller frees `found->name`.
 * Returns false if there is none. */
bool reporter_find_retired(struct reporter *reporter, uint64_t handle, enum handle_type type,
                           struct retired_object *found) MUST_CHECK;
/* Returns a copy of the object's name, which the caller frees; NULL: it has none, or memory is
 * out. */
char *reporter_copy_name(struct reporter *reporter, struct object *object) MUST_CHECK;

/* Labels of a queue or command buffer: the Begin, Insert and End commands of VK_EXT_debug_utils and
 * VK_EXT_debug_marker. An end without a begin does nothing. A command buffer's labels are cleared
 * when it is reset or begun. */
void reporter_begin_label(struct reporter *reporter, struct object *object, const char *name,
                          const float color[4]);
void reporter_insert_label(struct reporter *reporter, struct object *object, const char *name,
                           const float color[4]);
void reporter_end_label(struct reporter *reporter, struct object *object);
void reporter_clear_labels(struct reporter *reporter, struct object *object);
/* True if the setting mute_labels names this label. Validators ask this for the labels under which
 * a command was recorded. They count a finding that is muted so by
 * reporter_count_muted_by_label(). */
bool reporter_mutes_label(const struct reporter *reporter, const char *name);
/* True if a label is open in the queue or command buffer that mute_labels names. */
bool reporter_is_label_muted(struct reporter *reporter, const struct object *object);
void reporter_count_muted_by_label(struct reporter *reporter);
/* True if one of these globs matches an open label of the queue or command buffer. */
bool reporter_is_label_named(struct reporter *reporter, const struct object *object,
                             const struct setting_list *globs) COLD;
/* Handles a tag that the program sets, which may mute findings (report/muting/muting.h). `object`
 * may be NULL. */
void reporter_set_tag(struct reporter *reporter, struct object *object, uint64_t tag,
                      const void *bytes, size_t size);
/* Returns how many labels are open. Rules say that an End command must have a Begin command before
 * it. */
uint32_t reporter_open_labels(struct reporter *reporter, struct object *object);

/* Reports each mistake in the user's settings as a warning with the id VALIDATION-SETTINGS. */
void reporter_emit_diagnostics(struct reporter *reporter,
                               const struct settings_diagnostics *diagnostics);

#endif
