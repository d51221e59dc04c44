/* Checks that a handle that is dead, garbage, or of another type or parent is found wherever it is
 * passed, and kept from the driver. */
#include <stdlib.h>

#include "handles.h"
#include "world.h"

/* The mistakes in a handle. */
enum fault { FAULT_DESTROYED, FAULT_GARBAGE, FAULT_TYPE, FAULT_PARENT, FAULT_POOL, FAULT_COUNT };

static const char *const fault_names[FAULT_COUNT] = {
    [FAULT_DESTROYED] = "destroyed",  [FAULT_GARBAGE] = "garbage",
    [FAULT_TYPE] = "of another type", [FAULT_PARENT] = "of another parent",
    [FAULT_POOL] = "of another pool",
};

/* A value that no id and no driver's handle has. */
#define GARBAGE 0x5eed5eed5eed5e00ull

/* Cases of an allocator test, and of a command's first parameter. */
enum { HAD_CALLBACKS, HAD_NONE, ALLOCATOR_CASES };
enum { FIRST_GARBAGE, FIRST_FREED, FIRST_CASES };

/* --- allocation callbacks --- */

static void *VKAPI_CALL callback_allocate(void *user, size_t size, size_t alignment,
                                          VkSystemAllocationScope scope)
{
    (void)user, (void)alignment, (void)scope;
    return malloc(size);
}

static void *VKAPI_CALL callback_reallocate(void *user, void *original, size_t size,
                                            size_t alignment, VkSystemAllocationScope scope)
{
    (void)user, (void)alignment, (void)scope;
    return realloc(original, size);
}

static void VKAPI_CALL callback_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static const VkAllocationCallbacks callbacks = {.pfnAllocation = callback_allocate,
                                                .pfnReallocation = callback_reallocate,
                                                .pfnFree = callback_free};

/* --- one handle --- */

/* An object that looks alive to the loader: its first word leads to the dispatch table of `like`.
 */
static uint64_t imitate_object(const void *like)
{
    void *object = test_memory();
    memcpy(object, like, sizeof(void *));
    return (uint64_t)(uintptr_t)object;
}

/* A handle of the type with the fault, or 0 where there is none. */
static uint64_t make_faulty(const struct handle_test *test, enum fault fault)
{
    const struct handle_type
        *type = test->type,
        *other = &handle_types[type->type == VK_OBJECT_TYPE_FENCE ? TYPE_VkEvent : TYPE_VkFence];
    uint64_t handle = 0;
    switch (fault) {
    case FAULT_DESTROYED:
        if (!type->create || !type->destroy)
            return 0;
        handle = type->create(NULL);
        type->destroy(handle);
        return handle;
    case FAULT_GARBAGE:
        return type->dispatchable ? imitate_object(world.device) : GARBAGE;
    case FAULT_TYPE:
        return type->dispatchable ? 0 : other->get();
    case FAULT_PARENT:
        if (!test->parent)
            return 0;
        world_in_use = &worlds[test->instance ? WORLD_OTHER_INSTANCE : WORLD_OTHER_DEVICE];
        handle = type->create ? type->create(NULL) : type->get();
        world_in_use = &worlds[WORLD_MAIN];
        /* the displays of two instances are the same to the driver */
        return !type->create || handle != type->get() ? handle : 0;
    default:
        return test->pooled && type->of_second_pool ? type->of_second_pool() : 0;
    }
}

static void run_handle_case(const struct handle_test *test, enum fault fault)
{
    void *args = test_allocate(test->command->size);
    test->command->fill(args);
    void *place = test->locate(args);
    uint64_t handle = make_faulty(test, fault);
    if (!handle)
        return;
    describe_case("%s.%s is %s", test->owner, test->member, fault_names[fault]);
    memcpy(place, &handle, sizeof(handle));
    judge_call(test->command, args, fault >= FAULT_PARENT ? test->parent : test->alive, NULL);
}

/* --- the others --- */

static void run_allocator_case(const struct allocator_test *test, unsigned which)
{
    void *args = test_allocate(test->command->size);
    const VkAllocationCallbacks *given = which == HAD_NONE ? &callbacks : NULL;
    test->command->fill(args);
    uint64_t handle = test->type->create(which == HAD_CALLBACKS ? &callbacks : NULL);
    memcpy(test->locate(args), &handle, sizeof(handle));
    memcpy((char *)args + test->allocator, &given, sizeof(given));
    describe_case(which == HAD_NONE ? "created without callbacks, destroyed with"
                                    : "created with callbacks, destroyed without");
    judge_call(test->command, args, which == HAD_NONE ? test->had_none : test->had_callbacks, NULL);
}

/* The first parameter of every command: the loader does not look at it, or (of instances and
 * physical devices) is not asked. */
static void run_first_case(const struct test_command_info *command, unsigned which)
{
    if (!command->first_alive)
        return;
    void *args = test_allocate(command->size);
    command->fill(args);
    void *first;
    memcpy(&first, args, sizeof(first));
    if (which == FIRST_GARBAGE) {
        test_use_layer_functions(!command->of_device);
        uint64_t handle = imitate_object(first);
        memcpy(args, &handle, sizeof(handle));
        describe_case("the first parameter is garbage");
        judge_call(command, args, command->first_alive, NULL);
        test_use_layer_functions(false);
        return;
    }
    if (first != (void *)world.command_buffer)
        return;
    /* The memory of a freed command buffer can be read here, and looks as if it had not been used
     * since. */
    uint64_t freed = handle_types[TYPE_VkCommandBuffer].create(NULL), kept = 0;
    handle_types[TYPE_VkCommandBuffer].destroy(freed);
    memcpy(&kept, (void *)(uintptr_t)freed, sizeof(kept));
    memcpy((void *)(uintptr_t)freed, first, sizeof(void *));
    memcpy(args, &freed, sizeof(freed));
    describe_case("the command buffer is freed");
    judge_call(command, args, command->first_alive, NULL);
    memcpy((void *)(uintptr_t)freed, &kept, sizeof(kept));
}

/* the cases of a command: its handles', its allocators', its first parameter's, the valid call */

/* The tests of a command stand side by side. */
static unsigned handles_of(const struct test_command_info *command,
                           const struct handle_test **first)
{
    unsigned count = 0;
    for (unsigned i = 0; i < handle_test_count; i++) {
        if (handle_tests[i].command == command && !count++)
            *first = &handle_tests[i];
    }
    return count;
}

static const struct allocator_test *allocator_of(const struct test_command_info *command)
{
    for (unsigned i = 0; i < allocator_test_count; i++) {
        if (allocator_tests[i].command == command)
            return &allocator_tests[i];
    }
    return NULL;
}

unsigned lifetime_case_count(const struct test_command_info *command)
{
    const struct handle_test *first;
    return handles_of(command, &first) * FAULT_COUNT +
           (allocator_of(command) ? ALLOCATOR_CASES : 0) + FIRST_CASES + 1;
}

void lifetime_run_case(const struct test_command_info *command, unsigned index)
{
    heard.passing = true;
    const struct handle_test *handles = NULL;
    unsigned handle_cases = handles_of(command, &handles) * FAULT_COUNT;
    const struct allocator_test *allocator = allocator_of(command);
    if (index < handle_cases) {
        run_handle_case(&handles[index / FAULT_COUNT], (enum fault)(index % FAULT_COUNT));
        return;
    }
    index -= handle_cases;
    if (allocator && index < ALLOCATOR_CASES) {
        run_allocator_case(allocator, index);
        return;
    }
    index -= allocator ? ALLOCATOR_CASES : 0;
    if (index < FIRST_CASES) {
        run_first_case(command, index);
        return;
    }
    if (command->no_valid_call)
        return;
    void *args = test_allocate(command->size);
    command->fill(args);
    judge_call(command, args, NULL, NULL);
}
