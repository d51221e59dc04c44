/* Checks that a call is found that uses an object while another thread is in a call that needs the
 * object for itself. The other thread gives the object a name, which needs it externally
 * synchronized whatever its type. It stays in the driver as long as the test wants. */
#include "threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "world.h"

static sem_t inside, leave;
static _Thread_local bool is_other_thread;

/* Called by the null driver in vkSetDebugUtilsObjectNameEXT. */
static void stay_in_driver(void)
{
    if (!is_other_thread)
        return;
    sem_post(&inside);
    while (sem_wait(&leave))
        continue;
}

struct naming {
    uint64_t handle;
    VkObjectType type;
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
};

static void *name_in_thread(void *argument)
{
    const struct naming *naming = argument;
    VkDebugUtilsObjectNameInfoEXT info = {.sType =
                                              VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = naming->type,
                                          .objectHandle = naming->handle,
                                          .pObjectName = "shared"};
    is_other_thread = true;
    naming->set_name(world.device, &info);
    return NULL;
}

static void hook_driver(void)
{
    static bool hooked;
    if (hooked)
        return;
    hooked = true;
    /* beside its manifest */
    const char *manifest = getenv("VK_DRIVER_FILES"),
               *name = manifest ? strrchr(manifest, '/') : NULL;
    char path[4096];
    snprintf(path, sizeof(path), "%.*s/libassay_null.so", name ? (int)(name - manifest) : 0,
             manifest);
    void *driver = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    void (**hook)(void) = driver ? (void (**)(void))dlsym(driver, "null_driver_naming_hook") : NULL;
    if (!hook || sem_init(&inside, 0, 0) || sem_init(&leave, 0, 0))
        fail("the null driver is not loaded");
    *hook = stay_in_driver;
}

static const struct thread_test *tests_of(const struct test_command_info *command, unsigned *count)
{
    const struct thread_test *first = NULL;
    *count = 0;
    for (unsigned i = 0; i < thread_test_count; i++) {
        if (thread_tests[i].command == command && !(*count)++)
            first = &thread_tests[i];
    }
    return first;
}

unsigned thread_case_count(const struct test_command_info *command)
{
    unsigned count;
    (void)tests_of(command, &count);
    return count;
}

void thread_run_case(const struct test_command_info *command, unsigned index)
{
    unsigned count;
    const struct thread_test *test = &tests_of(command, &count)[index];
    hook_driver();
    void *args = test_allocate(command->size);
    command->fill(args);
    struct naming naming = {
        .type = test->type->type,
        .set_name =
            (PFN_vkSetDebugUtilsObjectNameEXT)test_proc("vkSetDebugUtilsObjectNameEXT", true)};
    if (test->implicit) {
        naming.handle = test->implicit();
    } else {
        void *place = test->locate(args);
        if (test->fixed)
            memcpy(&naming.handle, place, sizeof(naming.handle));
        else /* of its own, so that it is in no other parameter */
            naming.handle = test->type->create ? test->type->create(NULL) : test->type->get();
        memcpy(place, &naming.handle, sizeof(naming.handle));
    }
    char text[160];
    snprintf(text, sizeof(text), "%s(): %s%s%s 0x", command->name,
             test->parameter ? test->parameter : "", test->parameter ? " " : "", test->type->name);
    describe_case("%s%s", test->parameter ? test->parameter : "implicit ",
                  test->parameter ? "" : test->type->name);
    pthread_t other;
    if (pthread_create(&other, NULL, name_in_thread, &naming))
        fail("no thread");
    while (sem_wait(&inside))
        continue;
    judge_text(command, args,
               test->write ? "UNASSIGNED-Threading-MultipleThreads-Write"
                           : "UNASSIGNED-Threading-MultipleThreads-Read",
               text);
    if (command->no_valid_call) /* the device is gone, with the other thread in it */
        end_process();
    sem_post(&leave);
    pthread_join(other, NULL);
}
