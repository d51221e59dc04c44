/* Checks that batches may be submitted: the states of semaphores and fence, stages, values, and
 * chained structures (6.5, 7.4). Command buffers are checked in command_buffers.c; walk.c goes
 * through the batches. */
#include "state/command/protected.h"
#include "core/submit/fence.h"
#include "core/hooks.h"
#include "core/barrier/stages.h"
#include "core/submit/submit.h"
#include "core/submit/walk.h"

#include "objects/device.h"
#include "report/finding/fix.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/command_buffer.h"
#include "state/wsi/swapchain.h"
#include "vk/chain.h"

#include <inttypes.h>

const struct submit_numbers submit_numbers_of_submit = {
    RULE_00063, RULE_00064, RULE_03238, RULE_00068,        RULE_00067,         RULE_03242,
    RULE_03243, RULE_03244, "pSubmits", "pWaitSemaphores", "pSignalSemaphores"};
const struct submit_numbers submit_numbers_of_submit2 = {RULE_04894,
                                                         RULE_04895,
                                                         RULE_03873,
                                                         RULE_03871,
                                                         RULE_03868,
                                                         RULE_03882,
                                                         RULE_03884,
                                                         RULE_03883,
                                                         "pSubmits",
                                                         "pWaitSemaphoreInfos",
                                                         "pSignalSemaphoreInfos"};
static const struct submit_numbers numbers_of_bind_sparse = {
    RULE_01113, RULE_01114, RULE_03245,  RULE_01116,        RULE_01115,         RULE_03249,
    RULE_03250, RULE_03251, "pBindInfo", "pWaitSemaphores", "pSignalSemaphores"};

/* Notes a wait or signal of this call, for checks of later elements. More than OPERATIONS_MOST are
 * not kept. */
static void note_operation(struct submit *c, const struct semaphore *semaphore, bool signal,
                           uint64_t value, const struct unsubmitted_wait *after)
{
    assert(semaphore && c->operations.count <= OPERATIONS_MOST);
    if (c->operations.count == OPERATIONS_MOST) {
        c->operations.overflow = true;
        return;
    }
    c->operations.list[c->operations.count].semaphore = semaphore;
    c->operations.list[c->operations.count].signal = signal;
    c->operations.list[c->operations.count].after = after ? *after : (struct unsubmitted_wait){0};
    c->operations.list[c->operations.count++].value = value;
}

/* --- binary semaphores --- */

/* The last operation on the semaphore before this place of the call. `*stamp`: its submission, or 0
 * if it is in this call. */
static enum semaphore_last last_operation(const struct submit *c, const struct semaphore *semaphore,
                                          uint64_t *stamp)
{
    assert(c->operations.count <= OPERATIONS_MOST);
    *stamp = 0;
    for (uint32_t i = c->operations.count; i-- > 0;) {
        if (c->operations.list[i].semaphore == semaphore)
            return semaphore_is_shared(semaphore) ? SEMAPHORE_LAST_UNKNOWN
                   : c->operations.list[i].signal ? SEMAPHORE_LAST_SIGNAL
                                                  : SEMAPHORE_LAST_WAIT;
    }
    return semaphore_last(semaphore, stamp);
}

/* The value that the signal of a binary semaphore waits for, if nothing signals that value yet.
 * `stamp`: the signal's submission, if it was submitted before this call. */
static bool is_unsubmitted(const struct submit *c, struct semaphore *semaphore, uint64_t value);
static struct unsubmitted_wait signal_waits_for(const struct submit *c,
                                                const struct semaphore *semaphore, uint64_t stamp)
{
    for (uint32_t i = c->operations.count; i-- > 0;) {
        if (c->operations.list[i].semaphore != semaphore)
            continue;
        /* A later batch of this call may already signal the value. */
        const struct unsubmitted_wait after = c->operations.list[i].after;
        return after.semaphore && is_unsubmitted(c, semaphore_by_id(after.semaphore), after.value)
                   ? after
                   : (struct unsubmitted_wait){0};
    }
    return submission_unsubmitted_wait(c->call->device, stamp);
}

/* ... and any semaphore signal operations on which it depends must have also been submitted for
 * execution */
static COLD bool report_unsubmitted(const struct call *call, const struct semaphore *semaphore,
                                    const struct unsubmitted_wait *after, enum rule rule,
                                    const struct location *where)
{
    const struct semaphore *timeline = semaphore_by_id(after->semaphore);
    const uint64_t handle = timeline ? object_state_handle(&timeline->base) : 0;
    return BROKEN_BY(call, rule, where,
                     OBJECT2(HANDLE_SEMAPHORE, object_state_handle(&semaphore->base),
                             HANDLE_SEMAPHORE, handle),
                     "is signaled by a batch that waits for value %" PRIu64
                     " of VkSemaphore 0x%" PRIx64 ", which nothing that was submitted signals",
                     after->value, handle);
}

/* Checks that a signal of the binary semaphore is submitted, and that no other queue waits for it.
 * True: the call is to be skipped. */
static bool check_binary_wait(struct submit *c, const struct semaphore *semaphore,
                              const struct location *where)
{
    assert(semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE);
    const struct call *call = c->call;
    const struct finding_objects *objects =
        OBJECT(HANDLE_SEMAPHORE, object_state_handle(&semaphore->base));
    uint64_t stamp;
    enum semaphore_last last = last_operation(c, semaphore, &stamp);
    if (likely(last == SEMAPHORE_LAST_SIGNAL)) {
        const struct unsubmitted_wait after = signal_waits_for(c, semaphore, stamp);
        return unlikely(after.semaphore) &&
               report_unsubmitted(call, semaphore, &after, c->numbers->wait_has_signal, where);
    }
    if (likely(last == SEMAPHORE_LAST_UNKNOWN))
        return false;
    const struct queue *waiting =
        last == SEMAPHORE_LAST_WAIT ? stamp_pending(call->device, stamp) : NULL;
    /* When a semaphore wait operation referring to a binary semaphore executes on queue, there must
     * be no other queues waiting on the same semaphore */
    if (waiting && waiting != c->queue)
        return BROKEN_BY(call, c->numbers->wait_alone, where, objects,
                         "is being waited for by VkQueue 0x%" PRIx64 " already",
                         object_state_handle(&waiting->base));
    /* ... must reference a semaphore signal operation that has been submitted for execution */
    return BROKEN_BY(call, c->numbers->wait_has_signal, where, objects,
                     last == SEMAPHORE_LAST_WAIT
                         ? "has been waited for since it was last signaled: no submitted operation "
                           "will signal it again"
                         : "is not signaled, and no submitted operation will signal it");
}

/* Each binary semaphore of pSignalSemaphores must be unsignaled when the semaphore signal operation
 * it defines is executed on the device */
static bool check_binary_signal(struct submit *c, const struct semaphore *semaphore,
                                const struct location *where)
{
    assert(semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE);
    uint64_t stamp;
    uint32_t index;
    enum semaphore_last last = last_operation(c, semaphore, &stamp);
    /* The wait of a present ends when the presentation engine has finished it, whatever else the
     * queue executes meanwhile. */
    const struct swapchain *swapchain =
        last == SEMAPHORE_LAST_WAIT && stamp
            ? semaphore_awaits_present(c->call->device, semaphore, &index)
            : NULL;
    if (unlikely(swapchain))
        return finding_with_fix(c->call, rule_vuid(c->call->command, c->numbers->signal_unsignaled),
                                where,
                                OBJECT2(HANDLE_SEMAPHORE, object_state_handle(&semaphore->base),
                                        HANDLE_SWAPCHAIN_KHR,
                                        object_state_handle(&swapchain->base)),
                                "present with a semaphore for each image of the swapchain, chosen "
                                "by the index that was acquired, and not with one for each frame "
                                "in flight",
                                "is waited for by the present of image %u, and that image has not "
                                "been acquired again since: the presentation engine may not have "
                                "waited yet",
                                index);
    if (likely(last != SEMAPHORE_LAST_SIGNAL))
        return false;
    return BROKEN_BY(c->call, c->numbers->signal_unsignaled, where,
                     OBJECT(HANDLE_SEMAPHORE, object_state_handle(&semaphore->base)),
                     "is signaled, or will be, and no submitted operation waits for it before it "
                     "is "
                     "signaled again");
}

/* --- timeline semaphores --- */

/* True if `value` differs from an outstanding one by more than `most`
 * (maxTimelineSemaphoreValueDifference). `most` 0: the limit is not known. */
static bool differs_too_much(uint64_t value, const struct timeline *timeline, uint64_t most)
{
    return most &&
           ((value > timeline->outstanding_min && value - timeline->outstanding_min > most) ||
            (timeline->outstanding_max > value && timeline->outstanding_max - value > most));
}

/* The value must not differ from the current value or the value of any outstanding ... operation by
 * more than maxTimelineSemaphoreValueDifference */
static bool check_difference(struct submit *c, const struct semaphore *semaphore,
                             const struct timeline *timeline, uint64_t value, enum rule rule,
                             const struct location *where)
{
    assert(timeline->known);
    uint64_t most =
        c->call->device->extended.TimelineSemaphoreProperties.maxTimelineSemaphoreValueDifference;
    if (likely(!differs_too_much(value, timeline, most)))
        return false;
    return BROKEN_BY(c->call, rule, where,
                     OBJECT(HANDLE_SEMAPHORE, object_state_handle(&semaphore->base)),
                     "has value %" PRIu64
                     ", more than maxTimelineSemaphoreValueDifference (%" PRIu64
                     ") away from those between %" PRIu64 " and %" PRIu64
                     " that the semaphore has or will have",
                     value, most, timeline->outstanding_min, timeline->outstanding_max);
}

/* Checks the value of a wait against the outstanding values of the semaphore. */
static bool check_timeline_wait(struct submit *c, struct semaphore *semaphore, uint64_t value,
                                const struct location *where)
{
    assert(semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE);
    struct timeline timeline = semaphore_timeline(semaphore, c->queue);
    return timeline.known &&
           check_difference(c, semaphore, &timeline, value, c->numbers->wait_difference, where);
}

/* Checks that a signal's value is greater than the value that the timeline semaphore has by then.
 * Only signals of this call, or earlier on this queue, count. True: the call is to be skipped. */
static bool check_timeline_signal(struct submit *c, struct semaphore *semaphore, uint64_t value,
                                  const struct location *where)
{
    assert(semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE);
    struct timeline timeline = semaphore_timeline(semaphore, c->queue);
    if (!timeline.known)
        return false;
    /* The signal operations of one queue execute in the order in which they are submitted. */
    uint64_t reached =
        timeline.own_signal_max > timeline.completed ? timeline.own_signal_max : timeline.completed;
    for (uint32_t i = 0; i < c->operations.count; i++) {
        if (c->operations.list[i].semaphore == semaphore && c->operations.list[i].signal &&
            c->operations.list[i].value > reached)
            reached = c->operations.list[i].value;
    }
    /* ... a value greater than the current value of the semaphore when the semaphore signal
     * operation is executed */
    if (unlikely(value <= reached))
        return BROKEN_BY(c->call, c->numbers->signal_greater, where,
                         OBJECT(HANDLE_SEMAPHORE, object_state_handle(&semaphore->base)),
                         "is to be signaled with value %" PRIu64
                         ", but it will have reached %" PRIu64 " by then",
                         value, reached);
    return check_difference(c, semaphore, &timeline, value, c->numbers->signal_difference, where);
}

/* --- batches --- */

/* True if neither an earlier batch of the call nor anything before it signals that value. */
static bool is_unsubmitted(const struct submit *c, struct semaphore *semaphore, uint64_t value)
{
    for (uint32_t i = 0; i < c->operations.count; i++) {
        if (c->operations.list[i].semaphore == semaphore && c->operations.list[i].signal &&
            c->operations.list[i].value >= value)
            return false;
    }
    return semaphore_is_unsubmitted(semaphore, value);
}

/* Checks the waits of a batch, then its signals, and notes each for later batches. True: the call
 * is to be skipped. */
static bool check_semaphores(struct submit *c, const struct batch *batch,
                             const struct location *parent)
{
    assert(c->call && batch);
    bool skip = false;
    struct unsubmitted_wait after = {0};
    for (uint32_t i = 0; i < batch->wait_count && !c->operations.overflow; i++) {
        struct semaphore *semaphore = find_semaphore(c->call, batch_wait(batch, i));
        const struct location where = LOCATION_INDEX(parent, c->numbers->waits, i);
        const uint64_t value = batch_wait_value(batch, i);
        if (!semaphore)
            continue;
        if (semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE) {
            skip |= check_timeline_wait(c, semaphore, value, &where);
            if (unlikely(is_unsubmitted(c, semaphore, value)))
                after = (struct unsubmitted_wait){object_state_id(&semaphore->base), value};
        } else {
            skip |= check_binary_wait(c, semaphore, &where);
        }
        note_operation(c, semaphore, false, value, NULL);
    }
    for (uint32_t i = 0; i < batch->signal_count && !c->operations.overflow; i++) {
        struct semaphore *semaphore = find_semaphore(c->call, batch_signal(batch, i));
        const struct location where = LOCATION_INDEX(parent, c->numbers->signals, i);
        if (!semaphore)
            continue;
        if (semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE)
            skip |= check_timeline_signal(c, semaphore, batch_signal_value(batch, i), &where);
        else
            skip |= check_binary_signal(c, semaphore, &where);
        note_operation(c, semaphore, true, batch_signal_value(batch, i), &after);
    }
    return skip;
}

/* True if one of the semaphores is a timeline semaphore. */
static bool has_timeline(const struct call *call, const VkSemaphore *semaphores, uint32_t count)
{
    for (uint32_t i = 0; semaphores && i < count; i++) {
        const struct semaphore *semaphore = find_semaphore(call, semaphores[i]);
        if (semaphore && semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE)
            return true;
    }
    return false;
}

/* Checks the timeline values of version 1 and of vkQueueBindSparse, which are in a chained
 * structure. False: values are missing, and the semaphores cannot be judged. */
static bool check_timeline_values(const struct call *call, const struct batch *batch,
                                  const void *chain, const enum rule rules[3],
                                  const struct location *where, bool *skip)
{
    bool waits = has_timeline(call, batch->waits, batch->wait_count);
    bool signals = has_timeline(call, batch->signals, batch->signal_count);
    if (likely(!waits && !signals))
        return true;
    const VkTimelineSemaphoreSubmitInfo *values =
        chain_find(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    const struct location chained = LOCATION_CHAINED(where, "VkTimelineSemaphoreSubmitInfo");
    /* If any element ... was created with TIMELINE, then the pNext chain must include a
     * VkTimelineSemaphoreSubmitInfo structure */
    if (!values) {
        *skip |= finding(call, rule_vuid(call->command, rules[0]), &LOCATION(where, "pNext"), NULL,
                         "has no VkTimelineSemaphoreSubmitInfo, but there is a timeline semaphore");
        return false;
    }
    bool good = true;
    /* ... any element of pWaitSemaphores was created with TIMELINE, then its
     * waitSemaphoreValueCount member must equal waitSemaphoreCount */
    if (waits && values->waitSemaphoreValueCount != batch->wait_count) {
        good = false;
        *skip |= finding(call, rule_vuid(call->command, rules[1]),
                         &LOCATION(&chained, "waitSemaphoreValueCount"), NULL,
                         "is %u, but waitSemaphoreCount is %u", values->waitSemaphoreValueCount,
                         batch->wait_count);
    }
    /* ... any element of pSignalSemaphores was created with TIMELINE, then its
     * signalSemaphoreValueCount member must equal signalSemaphoreCount */
    if (signals && values->signalSemaphoreValueCount != batch->signal_count) {
        good = false;
        *skip |= finding(call, rule_vuid(call->command, rules[2]),
                         &LOCATION(&chained, "signalSemaphoreValueCount"), NULL,
                         "is %u, but signalSemaphoreCount is %u", values->signalSemaphoreValueCount,
                         batch->signal_count);
    }
    return good;
}

/* --- rules of command buffers that go with the batch --- */

bool submit_is_protected(const VkSubmitInfo *info)
{
    const VkProtectedSubmitInfo *protects =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO);
    return protects && protects->protectedSubmit;
}

/* Reports command buffers of the batch that are protected (`protects`), or those that are not
 * (!`protects`). */
static COLD bool report_protected(const struct submit *submit, const struct submit_batch *submitted,
                                  bool protects, enum rule rule, const char *text)
{
    const struct batch *batch = &submitted->batch;
    bool skip = false;
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer *command_buffer = find_command_buffer(handle);
        if (command_buffer && command_buffer_is_protected(command_buffer) == protects)
            skip |=
                BROKEN_BY(submit->call, rule,
                          &LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i),
                          OBJECT(HANDLE_COMMAND_BUFFER, handle), "%s", text);
    }
    return skip;
}

/* A batch that is not protected may not have protected command buffers. */
bool submit_check_protected(struct submit *submit, const struct submit_batch *batch)
{
    return !batch->is_protected &&
           report_protected(submit, batch, true, submit->is_version2 ? RULE_03887 : RULE_04120,
                            "is protected, but the batch is not");
}

/* A protected batch may only have protected command buffers. */
static bool check_protected(const struct submit *submit, const struct submit_batch *batch,
                            enum rule rule)
{
    return report_protected(submit, batch, false, rule, "is not protected, but the batch is");
}

/* True if the queue cannot execute protected batches. False if the queue is not known. */
static bool is_wrong_queue(const struct submit *c)
{
    return c->queue && !(c->queue->flags & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT);
}

/* Checks that the queue supports the stages. */
static bool check_queue_stages(const struct submit *c, VkPipelineStageFlags2 stages, enum rule rule,
                               const struct location *where)
{
    if (likely(!c->queue || !stages_unsupported(stages, c->queue->queue_flags)))
        return false;
    return stages_check_queue(c->call, rule_vuid(c->call->command, rule), stages, c->queue->family,
                              c->queue->queue_flags, where);
}

/* --- vkQueueSubmit --- */

/* Checks each element of pWaitDstStageMask, which may be NULL. True: the call is to be skipped. */
static bool check_wait_stages(const struct submit *c, const VkSubmitInfo *info,
                              const struct location *parent)
{
    const struct call *call = c->call;
    struct subject s = {.call = call};
    for (uint32_t i = 0; info->pWaitDstStageMask && i < info->waitSemaphoreCount; i++) {
        VkPipelineStageFlags stages = info->pWaitDstStageMask[i];
        const struct location where = LOCATION_INDEX(parent, "pWaitDstStageMask", i);
        s.skip |= stages_check_features(call, MASK_VkSubmitInfo_pWaitDstStageMask, stages, &where);
        /* If the synchronization2 feature is not enabled, pWaitDstStageMask must not be 0 */
        if (unlikely(!stages && !device_has_feature(call->device, FEATURE_synchronization2)))
            BROKEN(&s, VUID_VkSubmitInfo_pWaitDstStageMask_03937, &where,
                   "is 0, but the feature synchronization2 is not enabled");
        /* Each element of pWaitDstStageMask must not include VK_PIPELINE_STAGE_HOST_BIT */
        if (unlikely(stages & VK_PIPELINE_STAGE_HOST_BIT))
            BROKEN(&s, RULE_00078, &where, "includes VK_PIPELINE_STAGE_HOST_BIT");
        /* Any stage flag included in any element of pWaitDstStageMask ... must be a pipeline stage
         * supported by ... queue */
        s.skip |= check_queue_stages(c, stages, RULE_00066, &where);
    }
    return s.skip;
}

/* Checks the count in a chained structure, which must be equal to the corresponding count of
 * VkSubmitInfo. */
static bool submit_check_count(const struct call *call, enum rule rule, uint32_t count,
                               uint32_t wanted, const char *name, const char *other,
                               const struct location *where)
{
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, rule, count == wanted, name, "is %u, but VkSubmitInfo::%s is %u", count, other,
            wanted);
    return s.skip;
}

/* All elements of pWaitSemaphoreDeviceIndices and pSignalSemaphoreDeviceIndices must be valid
 * device indices */
static bool check_device_indices(const struct call *call, const uint32_t *indices, uint32_t count,
                                 const char *name, const struct location *where)
{
    const struct device_state *state = object_load_state(call->device->object);
    struct subject s = {.call = call};
    if (!state || !state->physical_device_count || pointer_is_bad(indices))
        return false;
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(&s, RULE_00085, indices[i] < state->physical_device_count,
                &LOCATION_INDEX(where, name, i), "is %u, but the device has %u physical devices",
                indices[i], state->physical_device_count);
    return s.skip;
}

/* Checks the counts and device indices of VkDeviceGroupSubmitInfo against those of its batch. True:
 * the call is to be skipped. */
static COLD bool check_device_group(const struct call *call, const VkSubmitInfo *info,
                                    const VkDeviceGroupSubmitInfo *group,
                                    const struct location *parent)
{
    const struct location where = LOCATION_CHAINED(parent, "VkDeviceGroupSubmitInfo");
    bool skip =
        submit_check_count(call, RULE_00082, group->waitSemaphoreCount, info->waitSemaphoreCount,
                           "waitSemaphoreCount", "waitSemaphoreCount", &where);
    skip |=
        submit_check_count(call, RULE_00083, group->commandBufferCount, info->commandBufferCount,
                           "commandBufferCount", "commandBufferCount", &where);
    skip |= submit_check_count(call, RULE_00084, group->signalSemaphoreCount,
                               info->signalSemaphoreCount, "signalSemaphoreCount",
                               "signalSemaphoreCount", &where);
    skip |= check_device_indices(call, group->pWaitSemaphoreDeviceIndices,
                                 group->waitSemaphoreCount, "pWaitSemaphoreDeviceIndices", &where);
    skip |=
        check_device_indices(call, group->pSignalSemaphoreDeviceIndices,
                             group->signalSemaphoreCount, "pSignalSemaphoreDeviceIndices", &where);
    return skip;
}

bool submit_check_info(struct submit *submit, const VkSubmitInfo *info,
                       const struct submit_batch *submitted)
{
    assert(submit->numbers && submit->call);
    static const enum rule value_rules[3] = {RULE_03239, RULE_03240, RULE_03241};
    struct call *call = submit->call;
    const struct location *where = &submitted->where;
    struct subject s = {.call = call};
    s.skip |= check_wait_stages(submit, info, where);
    if (!check_timeline_values(call, &submitted->batch, info->pNext, value_rules, where, &s.skip))
        submit->operations.overflow = true;
    s.skip |= check_semaphores(submit, &submitted->batch, where);
    if (!info->pNext)
        return s.skip;
    const VkDeviceGroupSubmitInfo *group =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO);
    if (group)
        s.skip |= check_device_group(call, info, group, where);
    if (submitted->is_protected) {
        s.skip |= check_protected(submit, submitted, RULE_04148);
        /* If queue was not created with VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, there must be no ...
         * protectedSubmit equal to VK_TRUE */
        if (is_wrong_queue(submit))
            BROKEN(&s, RULE_06448, where,
                   "is protected (VkProtectedSubmitInfo::protectedSubmit), but the queue "
                   "was created without VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT");
    }
    return s.skip;
}

/* --- vkQueueSubmit2 --- */

/* Checks the stages of waits or signals of VkSubmitInfo2. */
static bool check_submit_infos(const struct submit *c, const VkSemaphoreSubmitInfo *infos,
                               uint32_t count, enum rule rule, const char *name,
                               const struct location *parent)
{
    bool skip = false;
    for (uint32_t i = 0; infos && i < count; i++) {
        const struct location info = LOCATION_INDEX(parent, name, i),
                              where = LOCATION(&info, "stageMask");
        skip |= stages_check_features(c->call, MASK_VkSemaphoreSubmitInfo_stageMask,
                                      infos[i].stageMask, &where);
        skip |= check_queue_stages(c, infos[i].stageMask, rule, &where);
    }
    return skip;
}

/* If the same semaphore is used as the semaphore member of both an element of pSignalSemaphoreInfos
 * and pWaitSemaphoreInfos, and ... is a timeline semaphore, the value member of the
 * pSignalSemaphoreInfos element must be greater than the value member of the pWaitSemaphoreInfos
 * element */
static bool check_same_semaphores(const struct call *call, const struct batch *batch,
                                  const struct location *parent)
{
    struct subject s = {.call = call};
    if (batch->wait_count > OPERATIONS_MOST || batch->signal_count > OPERATIONS_MOST)
        return false;
    for (uint32_t i = 0; i < batch->signal_count; i++) {
        for (uint32_t j = 0; j < batch->wait_count; j++) {
            if (likely(batch->signals2[i].semaphore != batch->waits2[j].semaphore ||
                       batch->signals2[i].value > batch->waits2[j].value))
                continue;
            const struct semaphore *semaphore = find_semaphore(call, batch->signals2[i].semaphore);
            const struct location where = LOCATION_INDEX(parent, "pSignalSemaphoreInfos", i);
            if (semaphore && semaphore->type == VK_SEMAPHORE_TYPE_TIMELINE)
                BROKEN_OF(&s, OBJECT(HANDLE_SEMAPHORE, batch->signals2[i].semaphore), RULE_03881,
                          &LOCATION(&where, "value"),
                          "is %" PRIu64 ", but pWaitSemaphoreInfos[%u] waits for the same "
                          "semaphore to reach %" PRIu64,
                          batch->signals2[i].value, j, batch->waits2[j].value);
        }
    }
    return s.skip;
}

bool submit_check_info2(struct submit *submit, const VkSubmitInfo2 *info,
                        const struct submit_batch *submitted)
{
    assert(submit->is_version2);
    struct call *call = submit->call;
    const struct location *where = &submitted->where;
    struct subject s = {.call = call, .where = where};
    s.skip |= check_submit_infos(submit, info->pWaitSemaphoreInfos, info->waitSemaphoreInfoCount,
                                 RULE_03870, "pWaitSemaphoreInfos", where);
    s.skip |=
        check_submit_infos(submit, info->pSignalSemaphoreInfos, info->signalSemaphoreInfoCount,
                           RULE_03869, "pSignalSemaphoreInfos", where);
    s.skip |= check_same_semaphores(call, &submitted->batch, where);
    s.skip |= check_semaphores(submit, &submitted->batch, where);
    if (unlikely(submitted->is_protected)) {
        s.skip |= check_protected(submit, submitted, RULE_03886);
        /* If queue was not created with VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, the flags member ...
         * must not include VK_SUBMIT_PROTECTED_BIT */
        if (is_wrong_queue(submit))
            BROKEN(&s, RULE_06447, "flags",
                   "includes VK_SUBMIT_PROTECTED_BIT, but the queue was created without "
                   "VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT");
    }
    return s.skip;
}

/* --- vkQueueBindSparse --- */

bool core_validate_QueueBindSparse_semaphores(struct call *call, VkQueue queue,
                                              uint32_t bindInfoCount,
                                              const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    static const enum rule value_rules[3] = {RULE_03246, RULE_03247, RULE_03248};
    struct submit c;
    bool skip = submit_begin(&c, call, &numbers_of_bind_sparse, fence);
    for (uint32_t i = 0; pBindInfo && i < bindInfoCount; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pBindInfo", i);
        struct batch batch = batch_of_bind_sparse(&pBindInfo[i]);
        if (!check_timeline_values(call, &batch, pBindInfo[i].pNext, value_rules, &where, &skip))
            c.operations.overflow = true;
        skip |= check_semaphores(&c, &batch, &where);
    }
    return skip;
}
