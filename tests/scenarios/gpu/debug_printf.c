/* Debug printf: what shaders print comes to the callback as text. It comes from every stage and
 * with every kind of argument, in order, once for each time it ran. */
#include "gpu/gpu_world.h"

#include <string.h>
#include <unistd.h>

#include "debug_printf.h"

/* --- what was printed --- */

#define PRINTS_LIMIT 256
#define PRINT_ID     "VVL-DEBUG-PRINTF"
#define FORMAT_ID    "DEBUG-PRINTF-FORMATTING"

/* Threads: under the callback's lock, then the scenario's. */
static struct {
    char *text[PRINTS_LIMIT]; /* of the messages */
    unsigned count;
} prints;

static VKAPI_ATTR VkBool32 VKAPI_CALL on_print(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                               VkDebugUtilsMessageTypeFlagsEXT types,
                                               const VkDebugUtilsMessengerCallbackDataEXT *data,
                                               void *user)
{
    if (!data->pMessageIdName || strcmp(data->pMessageIdName, PRINT_ID) ||
        prints.count == PRINTS_LIMIT)
        return VK_FALSE;
    EXPECT(severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
    prints.text[prints.count++] = strdup(data->pMessage);
    return VK_FALSE;
}

static void destroy_messenger(struct baseline *b, uint64_t handle)
{
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance,
                                                      (VkDebugUtilsMessengerEXT)(uintptr_t)handle,
                                                      NULL);
}

/* From now on what is printed is noted. */
static void listen_to_prints(struct baseline *b)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_print,
    };
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger));
    cleanup_add(b, destroy_messenger, HANDLE(messenger));
}

/* The message of this number has this text. */
static void expect_print(unsigned number, const char *text)
{
    if (number >= prints.count)
        scenario_fail(__FILE__, __LINE__, "nothing is printed as number %u, where \"%s\" should be",
                      number, text);
    else if (!strstr(prints.text[number], text))
        scenario_fail(__FILE__, __LINE__, "\"%s\" is printed, not \"%s\"", prints.text[number],
                      text);
}

static void expect_count(unsigned count)
{
    if (prints.count != count)
        scenario_fail(__FILE__, __LINE__, "%u texts are printed, not %u; the last is \"%s\"",
                      prints.count, count, prints.count ? prints.text[prints.count - 1] : "");
}

/* --- devices and shaders --- */

static const VkPhysicalDeviceVulkan12Features features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .shaderInt8 = VK_TRUE,
    .shaderFloat16 = VK_TRUE,
    .timelineSemaphore = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceFeatures2 features_of_types = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&features12,
    .features = {.vertexPipelineStoresAndAtomics = VK_TRUE,
                 .fragmentStoresAndAtomics = VK_TRUE,
                 .shaderFloat64 = VK_TRUE,
                 .shaderInt64 = VK_TRUE,
                 .shaderInt16 = VK_TRUE}};

#define PRINTF_SETTINGS(...)                                                                      \
    .drivers = LAVAPIPE,                                                                          \
    .settings = {"printf_enable=true", "printf_to_stdout=false", ##__VA_ARGS__}, .proceed = true, \
    .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted", "WARNING-DEBUG-PRINTF"}
#define PRINTF          PRINTF_SETTINGS(), .features = &gpu_features_plain
#define PRINTF_OF_TYPES PRINTF_SETTINGS(), .features = &features_of_types
#define PRINTF_WITH_MESH                               \
    PRINTF_SETTINGS(), .features = &gpu_features_mesh, \
        .extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME}
#define PRINTF_WITH_RAYS \
    PRINTF_SETTINGS(), .features = &gpu_features_ray, .extensions = {GPU_RAY_EXTENSIONS}

/* The pipeline with this shader, not run yet; 42 and 2.5 are pushed. */
static struct gpu world_that_prints(struct baseline *b, enum gpu_stage stage, struct gpu_code code)
{
    listen_to_prints(b);
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.index = 42;
    g.other = 10;
    gpu_make(&g);
    return g;
}

static void print_once(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                       const char *text)
{
    struct gpu g = world_that_prints(b, stage, code);
    gpu_run(&g);
    vkDeviceWaitIdle(b->device);
    expect_count(1);
    expect_print(0, text);
}

/* --- every stage --- */

#define STAGE(device_, stage_)                                             \
    SCENARIO(stage_##_stage, device_)                                      \
    {                                                                      \
        print_once(b, gpu_stage_##stage_, GPU_CODE(spirv_prints_##stage_), \
                   #stage_ " has 42 and 2.50");                            \
    }
#define STAGE_PLAIN(stage_, bit_, command_, text_) STAGE(PRINTF, stage_)
#define STAGE_MESH(stage_, bit_, command_, text_)  STAGE(PRINTF_WITH_MESH, stage_)
#define STAGE_RAYS(stage_, bit_, command_, text_)  STAGE(PRINTF_WITH_RAYS, stage_)
GPU_GRAPHICS_STAGES_X(STAGE_PLAIN)
GPU_COMPUTE_STAGES_X(STAGE_PLAIN)
GPU_MESH_STAGES_X(STAGE_MESH)
GPU_RAY_STAGES_X(STAGE_RAYS)

/* --- every kind of argument --- */

/* The dispatch is of two groups of one invocation: the same is printed twice. */
static void print_twice(struct baseline *b, struct gpu_code code, const char *text)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, code);
    g.address = 0x12345678abcd;
    gpu_run(&g);
    vkDeviceWaitIdle(b->device);
    if (!b->ours && seen_count(b, FORMAT_ID))
        return; /* the peer prints nothing of most formats that it finds fault with */
    expect_count(2);
    expect_print(0, text);
    expect_print(1, text);
}

#define FORMAT(name_, text_, ...)                               \
    SCENARIO(format_##name_, PRINTF_OF_TYPES, ##__VA_ARGS__)    \
    {                                                           \
        print_twice(b, GPU_CODE(spirv_##name_##_print), text_); \
    }

FORMAT(nothing, "no argument")
FORMAT(percent, "100% of 42")
FORMAT(integers, "42 -42 42 2a 2A 52")
FORMAT(negative, "-42 4294967254 ffffffd6")
FORMAT(flags, "[   42] [00042]")
/* the peer knows no others */
FORMAT(more_flags, "[42   ] [+42] [ 42] [0x2a] [052]", .ours_only = true)
FORMAT(precisions, "[00042] [   00042] [2] [      2.50]")
FORMAT(floats, "2.500000 2.500 2.500000e+00 2.500000E+00 2.5 2.5 0x1.4p+1")
FORMAT(special_floats, "inf -inf")
FORMAT(vectors, "2.500000, 2.500000 42, -42, 0 42, 1, 2, 3 2.50, -2.50, 0.00")
FORMAT(padded_vector, "[   42,   -42]")
FORMAT(wide, "-420000000000 46179488366592 2a0000000000 2a0000000000")
FORMAT(wide_vectors, "46179488366592, 1099511627776 1, 2, 2a -420000000000, 420000000000")
/* the peer prints nothing of %lf */
FORMAT(doubles, "2.500000 2.500000, -2.500000", .ours_only = true)
FORMAT(doubles_in_full, "250000000000000000000.000 2.5e-100 2.500000e+00",
       .ours_only = true)                                  /* the peer prints nothing */
FORMAT(doubles_as_in_c, "2.500000 2.5", .ours_only = true) /* the peer wants %lf */
FORMAT(short, "-42 42 42, -42 42, 1, 2")
FORMAT(bytes, "-42 42 42, -42 42, 1, 2")
FORMAT(lengths, "-42 42 -42 42", .ours_only = true) /* the peer knows no h */
FORMAT(half, "2.500000 -2.5 2.500000, 0.500000")
FORMAT(bools, "1 0 1, 0")
FORMAT(string, "a literal string and 42", .ours_only = true) /* the peer knows no s */
FORMAT(star, "[   42]", .ours_only = true)                   /* nor * */
FORMAT(pointer, "0x12345678abcd 12345678abcd")
FORMAT(long, "0, 42, 2, 3 1, 42, 2, 3 2, 42, 2, 3")
FORMAT(branches, "then")
FORMAT(switch, "forty-two")

/* --- formats that do not fit --- */

/* Told when the pipeline is made; printed as well as can be. */
#define MISFIT(name_, text_, finding_) \
    FORMAT(name_, text_, .expect = {FORMAT_ID}, .text = {finding_})
MISFIT(too_few, "42 and %d", "\"%d\" has no argument: the call has 1.")
MISFIT(too_many, "42", "The call has 3 arguments, and the format prints 1.")
MISFIT(unknown, "%y", "\"%y\" is not a conversion and is printed as it stands.")
MISFIT(float_for_int, "2 42.000000",
       "\"%d\" is for integers, but argument 1 is of type float: \"%f\" fits.")
MISFIT(scalar_for_vector, "2.500000, 2.500000, 2.500000",
       "\"%f\" is for a scalar, but argument 1 is of type vec3: \"%v3f\" fits.")
MISFIT(wide_for_narrow, "42",
       "\"%lu\" is for 64 bits, but argument 1 is of type uint: \"%u\" fits.")
MISFIT(narrow_for_wide, "46179488366592",
       "\"%u\" is for 32 bits, but argument 1 is of type uint64_t: \"%lu\" fits.")
MISFIT(hex_of_float, "40200000",
       "\"%x\" is for integers, but argument 1 is of type float: \"%f\" fits.")
MISFIT(vector_too_short, "2.500000, -2.500000, 0.000000",
       "\"%v2f\" is for 2 components, but argument 1 is of type vec3: \"%v3f\" fits.")
MISFIT(vector_of_scalar, "2.500000",
       "\"%v3f\" is for 3 components, but argument 1 is of type float: \"%f\" fits.")
MISFIT(vector_of_five, "%v5f", "\"%v5f\" is not a conversion and is printed as it stands.")
MISFIT(float_of_bool, "1.000000",
       "\"%f\" is for floating-point numbers, but argument 1 is of type bool: \"%u\" fits.")
MISFIT(open_percent, "42 %", "\"%\" is not a conversion and is printed as it stands.")
MISFIT(vector_without_size, "%vf", "\"%vf\" is not a conversion and is printed as it stands.")
MISFIT(vector_without_conversion, "%v3", "\"%v3\" is not a conversion")
MISFIT(vector_alone, "%v", "\"%v\" is not a conversion and is printed as it stands.")
MISFIT(width_without_conversion, "%1", "\"%1\" is not a conversion")
/* An argument fits if C takes it. */
FORMAT(crossed_signs, "42 42")
FORMAT(double_of_float, "2.500000")

/* --- how often, and in which order --- */

static void run_and_wait(struct gpu *g)
{
    gpu_run(g);
    vkDeviceWaitIdle(g->b->device);
}

SCENARIO(printing_in_a_loop, PRINTF_OF_TYPES)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_loop_print));
    g.index = 3;
    run_and_wait(&g);
    expect_count(6); /* of two groups */
}

SCENARIO(printing_in_a_function, PRINTF_OF_TYPES)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_function_print));
    run_and_wait(&g);
    expect_count(4);
    expect_print(0, "called with 42");
}

/* One of two groups, which run one after the other or not. */
SCENARIO(printing_more_than_once, PRINTF_OF_TYPES)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_twice_print));
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    vkCmdDispatch(g.commands, 1, 1, 1);
    gpu_submit(&g);
    vkDeviceWaitIdle(b->device);
    expect_count(3);
    expect_print(0, "first 42");
    expect_print(1, "second 2.500000");
    expect_print(2, "first 42");
}

SCENARIO(printing_by_every_invocation, PRINTF_SETTINGS("printf_buffer_size=65536"),
         .features = &gpu_features_plain)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_every_print));
    run_and_wait(&g);
    expect_count(128);
    for (unsigned i = 0; i < 128; i++) {
        char text[32];
        unsigned found = 0;
        snprintf(text, sizeof(text), "invocation %u", i);
        for (unsigned j = 0; j < prints.count; j++) {
            const char *at = strstr(prints.text[j], text);
            found += at && (at[strlen(text)] < '0' || at[strlen(text)] > '9');
        }
        EXPECT_EQUAL(found, 1);
    }
}

/* Two draws of one command buffer, the second with other values. */
SCENARIO(printing_by_each_command, PRINTF)
{
    struct gpu g = world_that_prints(b, gpu_stage_vert, GPU_CODE(spirv_prints_vert));
    gpu_prepare(&g);
    gpu_record(&g);
    g.index = 43;
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
    vkDeviceWaitIdle(b->device);
    expect_count(2);
    expect_print(0, "vert has 42 and 2.50");
    expect_print(1, "vert has 43 and 2.50");
}

SCENARIO(printing_again_in_each_submission, PRINTF)
{
    struct gpu g = world_that_prints(b, gpu_stage_frag, GPU_CODE(spirv_prints_frag));
    const VkCommandBufferBeginInfo again = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    gpu_prepare(&g);
    gpu_begin(&g);
    VK(vkEndCommandBuffer(g.commands));
    VK(vkBeginCommandBuffer(g.commands, &again));
    gpu_bind(&g);
    gpu_push(&g);
    gpu_act(&g);
    VK(vkEndCommandBuffer(g.commands));
    const VkSubmitInfo submit = submit_info(&g.commands);
    for (unsigned i = 1; i <= 3; i++) {
        VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
        VK(vkQueueWaitIdle(b->queue));
        expect_count(i);
        expect_print(i - 1, "frag has 42 and 2.50");
    }
}

SCENARIO(printing_by_two_stages_of_a_draw, PRINTF)
{
    struct gpu g = world_that_prints(b, gpu_stage_vert, GPU_CODE(spirv_prints_vert));
    struct gpu both = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_vert);
    both.code = g.code;
    both.fragment = GPU_CODE(spirv_prints_frag);
    both.index = 42;
    both.other = 10;
    gpu_make(&both);
    run_and_wait(&both);
    expect_count(2);
    expect_print(0, "vert has 42 and 2.50");
    expect_print(1, "frag has 42 and 2.50");
}

SCENARIO(printing_in_a_secondary, PRINTF)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp));
    gpu_prepare(&g);
    VkCommandBuffer primary = make_recording(b);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    g.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(g.commands, &info));
    gpu_bind(&g);
    gpu_push(&g);
    gpu_act(&g);
    VK(vkEndCommandBuffer(g.commands));
    vkCmdExecuteCommands(primary, 1, &g.commands);
    run_commands(b, primary);
    vkDeviceWaitIdle(b->device);
    expect_count(1);
    expect_print(0, "comp has 42 and 2.50");
}

/* --- settings --- */

SCENARIO(not_asked_for, .drivers = LAVAPIPE, .features = &gpu_features_plain)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp));
    run_and_wait(&g);
    expect_count(0);
}

SCENARIO(with_gpu_assisted_validation, PRINTF_SETTINGS("gpuav_enable=true"),
         .features = &gpu_features_plain)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp));
    run_and_wait(&g);
    expect_count(1);
    expect_print(0, "comp has 42 and 2.50");
}

/* Names what printed beside what it printed. */
SCENARIO(verbose, PRINTF_SETTINGS("printf_verbose=true"), .features = &gpu_features_plain)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp));
    run_and_wait(&g);
    expect_count(1);
    expect_print(0, "comp has 42 and 2.50");
    expect_print(0, "(5, 0, 0)");
    expect_print(0, "prints_comp.comp");
    expect_print(0, "debugPrintfEXT(\"comp has %u and %.2f\"");
    expect_print(0, "Compute");
}

/* All that fits in the buffer is printed. The peer's is as small as it is asked to be, and it tells
 * that there was more; ours always has room for some thousands. */
SCENARIO(small_buffer, PRINTF_SETTINGS("printf_buffer_size=128"), .features = &gpu_features_plain)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_every_print));
    run_and_wait(&g);
    expect_print(0, "invocation ");
    if (b->ours)
        expect_count(128);
    else
        EXPECT(prints.count > 1 && strstr(prints.text[prints.count - 1], "PRINTF_BUFFER_SIZE"));
}

/* 80 dispatches of 128 invocations, and nothing reads in between: more than fits. */
static void print_much(struct baseline *b)
{
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_every_print));
    gpu_prepare(&g);
    gpu_record(&g);
    for (int i = 1; i < 80; i++)
        gpu_act(&g);
    gpu_submit(&g);
    vkDeviceWaitIdle(b->device);
}
SCENARIO(too_much, PRINTF, .expect = {"WARNING-GPU-Assisted-Validation"},
         .text = {" more records of what shaders found or printed were lost, as the buffer of "
                  "262144 bytes for them was full (printf_buffer_size makes it larger)"})
{
    print_much(b);
}
SCENARIO(not_too_much, PRINTF_SETTINGS("printf_buffer_size=1048576"),
         .features = &gpu_features_plain)
{
    print_much(b);
    EXPECT_EQUAL(prints.count, PRINTS_LIMIT);
}

/* The process's own output. */
SCENARIO(to_stdout, .drivers = LAVAPIPE,
         .settings = {"printf_enable=true", "printf_to_stdout=true"},
         .features = &gpu_features_plain, .proceed = true,
         .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
{
    char output[4096] = "";
    int own = dup(STDOUT_FILENO), into[2];
    ENSURE(pipe(into) == 0);
    fflush(stdout);
    ENSURE(dup2(into[1], STDOUT_FILENO) == STDOUT_FILENO);
    struct gpu g = world_that_prints(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp));
    run_and_wait(&g);
    fflush(stdout);
    ENSURE(dup2(own, STDOUT_FILENO) == STDOUT_FILENO);
    close(into[1]);
    ssize_t length = read(into[0], output, sizeof(output) - 1);
    EXPECT(length > 0 && strstr(output, "comp has 42 and 2.50"));
}

/* A listener hears of it even where nothing was said of where it goes. */
SCENARIO(to_the_callback_by_default, .drivers = LAVAPIPE, .settings = {"printf_enable=true"},
         .features = &gpu_features_plain, .proceed = true,
         .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
{
    print_once(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp), "comp has 42 and 2.50");
}

static const VkValidationFeatureEnableEXT debug_printf =
    VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT;
static const VkValidationFeaturesEXT validation_features = {
    .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
    .enabledValidationFeatureCount = 1,
    .pEnabledValidationFeatures = &debug_printf};

SCENARIO(by_validation_features, .drivers = LAVAPIPE, .settings = {"printf_to_stdout=false"},
         .start = START_NOTHING, .features = &gpu_features_plain, .proceed = true,
         .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
{
    world_start(b, &validation_features);
    print_once(b, gpu_stage_comp, GPU_CODE(spirv_prints_comp), "comp has 42 and 2.50");
}
