/* Checks what a reflection says of modules that a compiler made, and that damaged ones give some
 * reflection or none. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect.h"

enum file { EVERYTHING_COMP, INTERFACE_VERT, TEXTURES_FRAG, HIT_RCHIT, CULL_MESH, FILE_COUNT };
static const char *const files[] = {SPIRV_FILES};
static uint32_t words[1u << 20];

static size_t read_spirv_file(enum file which)
{
    FILE *file = fopen(files[which], "rb");
    assert_non_null(file);
    size_t count = fread(words, sizeof(words[0]), ARRAY_LENGTH(words), file);
    fclose(file);
    return count;
}

static struct spirv_reflection *reflect_code(const uint32_t *code, size_t count)
{
    struct spirv_module module;
    struct spirv_error error;
    if (!spirv_module_parse(&module, code, count, &error))
        return NULL;
    struct spirv_reflection *reflection =
        spirv_reflect(&module, spirv_hash(code, count * sizeof(*code)));
    spirv_module_free(&module);
    return reflection;
}

static struct spirv_reflection *reflect_file(enum file which)
{
    struct spirv_reflection *reflection = reflect_code(words, read_spirv_file(which));
    assert_non_null(reflection);
    assert_int_equal(reflection->entry_count, 1);
    return reflection;
}

static const struct spirv_binding *binding_of_set(const struct spirv_reflection *r, uint32_t set,
                                                  uint32_t number)
{
    for (uint32_t i = 0; i < r->entries[0].binding_count; i++) {
        const struct spirv_binding *binding = &r->bindings[r->entries[0].first_binding + i];
        if (binding->set == set && binding->binding == number)
            return binding;
    }
    fail_msg("no binding %u of set %u", number, set);
    return NULL;
}

static const struct spirv_interface *leaf_at(const struct spirv_reflection *r, uint32_t storage,
                                             uint32_t location)
{
    for (uint32_t i = 0; i < r->entries[0].interface_count; i++) {
        const struct spirv_interface *leaf = &r->interfaces[r->entries[0].first_interface + i];
        if (leaf->storage == storage && leaf->location == location && leaf->builtin == SPIRV_NONE)
            return leaf;
    }
    fail_msg("nothing at location %u", location);
    return NULL;
}

static const struct spirv_interface *has_builtin(const struct spirv_reflection *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->entries[0].interface_count; i++)
        if (r->interfaces[r->entries[0].first_interface + i].builtin == number)
            return &r->interfaces[r->entries[0].first_interface + i];
    return NULL;
}

static void compute_shader(void **state)
{
    struct spirv_reflection *r = reflect_file(EVERYTHING_COMP);
    const struct spirv_entry_point *entry = spirv_entry_find(r, "main", SpvExecutionModelGLCompute);
    assert_ptr_equal(entry, &r->entries[0]);
    assert_null(spirv_entry_find(r, "main", SpvExecutionModelFragment));
    assert_null(spirv_entry_find(r, "mail", SpvExecutionModelGLCompute));
    assert_true(spirv_has_capability(r, SpvCapabilityInt64));
    assert_false(spirv_has_capability(r, SpvCapabilityGeometry));
    assert_true(entry->uses & SPIRV_USES_ATOMICS);
    assert_true(entry->uses & SPIRV_USES_CONTROL_BARRIER);
    assert_false(entry->uses & (SPIRV_USES_DERIVATIVES | SPIRV_USES_KILL));
    assert_int_equal(entry->push_constant_begin, 0);
    assert_int_equal(entry->push_constant_end, 12);
    assert_int_equal(entry->push_accessed_end, 12);
    assert_int_equal(spirv_shared_bytes(r, entry, SpvStorageClassWorkgroup, NULL), 256);

    const struct spirv_binding *data = binding_of_set(r, 0, 0), *images = binding_of_set(r, 0, 1);
    assert_int_equal(entry->binding_count, 2);
    assert_int_equal(data->resource, SPIRV_RESOURCE_STORAGE_BUFFER);
    assert_int_equal(data->access & (SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE | SPIRV_ACCESS_ATOMIC),
                     SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE | SPIRV_ACCESS_ATOMIC);
    assert_string_equal(r->text + data->name, "data");
    assert_false(data->arrayed);
    assert_int_equal(data->size, 20);
    /* After the switch and the loop each invocation reads `wide`. What it writes is in these. */
    assert_int_equal(data->spans.read.begin, 0);
    assert_int_equal(data->spans.read.end, 8);
    assert_int_equal(data->spans.written.end, 0);
    assert_int_equal(data->spans.some_written.end, 0);
    assert_int_equal(images->resource, SPIRV_RESOURCE_STORAGE_IMAGE);
    assert_true(images->arrayed);
    assert_int_equal(images->count, 0);
    assert_int_equal(images->count_id, 0);
    assert_int_equal(r->types[images->type].image_format, SpvImageFormatRgba8);
    assert_int_equal(r->types[images->type].numeric, SPIRV_NUMERIC_FLOAT);
    assert_true(images->access & SPIRV_ACCESS_WRITE);
    assert_false(images->access & SPIRV_ACCESS_READ);

    const struct spirv_constant *steps = spirv_spec_constant_find(r, 1);
    assert_non_null(steps);
    assert_int_equal(steps->value, 3);
    assert_int_equal(steps->bytes, 4);
    assert_string_equal(r->text + steps->name, "steps");
    assert_null(spirv_spec_constant_find(r, 2));
    uint32_t size[3];
    assert_true(spirv_workgroup_size(r, entry, NULL, size));
    assert_int_equal(size[0], 1);
    assert_int_equal(size[1], 2);
    assert_int_equal(size[2], 1);
    uint32_t given[] = {5, 32};
    const struct {
        uint32_t id, offset;
        size_t size;
    } map[] = {{0, 4, 4}};
    struct spirv_specialization specialization = {
        .count = 1, .entries = (const void *)map, .bytes = sizeof(given), .data = given};
    assert_true(spirv_workgroup_size(r, entry, &specialization, size));
    assert_int_equal(size[0], 32);
    specialization.bytes = 6; /* not all of the value is there */
    assert_false(spirv_workgroup_size(r, entry, &specialization, size));
    mem_free(r);
}

static void vertex_shader(void **state)
{
    struct spirv_reflection *r = reflect_file(INTERFACE_VERT);
    const struct spirv_interface *position = leaf_at(r, SpvStorageClassInput, 0),
                                 *joints = leaf_at(r, SpvStorageClassInput, 1),
                                 *frame = leaf_at(r, SpvStorageClassInput, 2);
    assert_string_equal(r->text + position->name, "position");
    assert_int_equal(position->components, 3);
    assert_int_equal(position->numeric, SPIRV_NUMERIC_FLOAT);
    assert_int_equal(position->width, 32);
    assert_int_equal(joints->numeric, SPIRV_NUMERIC_SINT);
    assert_int_equal(frame->columns, 3);
    assert_int_equal(frame->location_count, 3);
    const struct spirv_interface *normal = leaf_at(r, SpvStorageClassOutput, 0),
                                 *flat = leaf_at(r, SpvStorageClassOutput, 1),
                                 *uv = leaf_at(r, SpvStorageClassOutput, 2);
    assert_true(normal->flags & SPIRV_BLOCK_MEMBER);
    assert_true(flat->flags & SPIRV_FLAT);
    assert_int_equal(flat->member, 1);
    assert_true(uv->flags & SPIRV_CENTROID);
    assert_int_equal(uv->elements, 2);
    assert_int_equal(uv->location_count, 2);
    const struct spirv_interface *clip = has_builtin(r, SpvBuiltInClipDistance);
    assert_non_null(clip);
    assert_int_equal(clip->elements, 2);
    assert_true(clip->access & SPIRV_ACCESS_WRITE);
    const struct spirv_binding *camera = binding_of_set(r, 0, 0);
    assert_int_equal(camera->resource, SPIRV_RESOURCE_UNIFORM_BUFFER);
    assert_int_equal(camera->size, 1152);
    assert_false(camera->access & SPIRV_ACCESS_WRITE);
    mem_free(r);
}

static void fragment_shader(void **state)
{
    struct spirv_reflection *r = reflect_file(TEXTURES_FRAG);
    const struct spirv_entry_point *entry = &r->entries[0];
    assert_non_null(spirv_mode_find(r, entry, SpvExecutionModeEarlyFragmentTests));
    assert_non_null(spirv_mode_find(r, entry, SpvExecutionModeOriginUpperLeft));
    assert_null(spirv_mode_find(r, entry, SpvExecutionModeDepthReplacing));
    assert_true(entry->uses & SPIRV_USES_DERIVATIVES);
    assert_true(entry->uses & SPIRV_USES_KILL);
    assert_int_equal(binding_of_set(r, 0, 0)->resource, SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER);
    assert_true(binding_of_set(r, 0, 0)->access & SPIRV_ACCESS_DEPTH_COMPARE);
    assert_int_equal(r->types[binding_of_set(r, 0, 0)->type].image_arrayed, 1);
    assert_int_equal(binding_of_set(r, 0, 1)->resource, SPIRV_RESOURCE_SAMPLED_IMAGE);
    assert_int_equal(binding_of_set(r, 0, 1)->count, 4);
    assert_true(binding_of_set(r, 0, 1)->access & SPIRV_ACCESS_OFFSET);
    assert_true(binding_of_set(r, 0, 1)->any_element);
    assert_int_equal(binding_of_set(r, 0, 1)->accessed, 1 << 1 | 1 << 2 | 1 << 3);
    assert_int_equal(binding_of_set(r, 0, 1)->surely_accessed, binding_of_set(r, 0, 1)->accessed);
    assert_int_equal(binding_of_set(r, 0, 2)->accessed, 1);
    assert_int_equal(binding_of_set(r, 0, 2)->resource, SPIRV_RESOURCE_SAMPLER);
    assert_int_equal(r->types[binding_of_set(r, 0, 3)->type].image_dim, SpvDimCube);
    assert_int_equal(binding_of_set(r, 0, 4)->resource, SPIRV_RESOURCE_INPUT_ATTACHMENT);
    assert_int_equal(binding_of_set(r, 0, 4)->attachment, 0);
    assert_true(leaf_at(r, SpvStorageClassInput, 3)->flags & SPIRV_FLAT);
    assert_int_equal(leaf_at(r, SpvStorageClassOutput, 1)->numeric, SPIRV_NUMERIC_UINT);
    assert_int_equal(leaf_at(r, SpvStorageClassOutput, 1)->components, 2);
    mem_free(r);
}

static void ray_and_mesh_shaders(void **state)
{
    struct spirv_reflection *r = reflect_file(HIT_RCHIT);
    assert_int_equal(binding_of_set(r, 0, 0)->resource, SPIRV_RESOURCE_ACCELERATION_STRUCTURE);
    assert_true(r->entries[0].uses & SPIRV_USES_TRACE_RAY);
    mem_free(r);
    r = reflect_file(CULL_MESH);
    const struct spirv_execution_mode *vertices =
        spirv_mode_find(r, &r->entries[0], SpvExecutionModeOutputVertices);
    assert_non_null(vertices);
    assert_int_equal(vertices->operands[0], 64);
    const struct spirv_interface *tint = leaf_at(r, SpvStorageClassOutput, 0),
                                 *material = leaf_at(r, SpvStorageClassOutput, 1);
    assert_true(tint->flags & SPIRV_ARRAYED);
    assert_int_equal(tint->outer_length, 64);
    assert_int_equal(tint->elements, 1);
    assert_true(material->flags & SPIRV_PER_PRIMITIVE);
    assert_int_equal(material->outer_length, 126);
    mem_free(r);
}

static void what_calls_do_not_reach_is_not_used(void **state)
{
    /* Two entry points; one calls a function that loads the variable, the other one does not; the
     * function calls itself. */
    static const uint32_t code[] = {
        SpvMagicNumber,
        0x00010000,
        0,
        20,
        0,
        2 << 16 | SpvOpCapability,
        SpvCapabilityShader,
        3 << 16 | SpvOpMemoryModel,
        SpvAddressingModelLogical,
        SpvMemoryModelGLSL450,
        4 << 16 | SpvOpEntryPoint,
        SpvExecutionModelGLCompute,
        1,
        'a',
        4 << 16 | SpvOpEntryPoint,
        SpvExecutionModelGLCompute,
        2,
        'b',
        4 << 16 | SpvOpDecorate,
        10,
        SpvDecorationDescriptorSet,
        3,
        4 << 16 | SpvOpDecorate,
        10,
        SpvDecorationBinding,
        7,
        2 << 16 | SpvOpTypeVoid,
        4,
        3 << 16 | SpvOpTypeFunction,
        5,
        4,
        2 << 16 | SpvOpTypeSampler,
        6,
        4 << 16 | SpvOpTypePointer,
        7,
        SpvStorageClassUniformConstant,
        6,
        4 << 16 | SpvOpVariable,
        7,
        10,
        SpvStorageClassUniformConstant,
        5 << 16 | SpvOpFunction,
        4,
        1,
        0,
        5,
        2 << 16 | SpvOpLabel,
        11,
        4 << 16 | SpvOpFunctionCall,
        4,
        12,
        3,
        1 << 16 | SpvOpReturn,
        1 << 16 | SpvOpFunctionEnd,
        5 << 16 | SpvOpFunction,
        4,
        2,
        0,
        5,
        2 << 16 | SpvOpLabel,
        13,
        1 << 16 | SpvOpReturn,
        1 << 16 | SpvOpFunctionEnd,
        5 << 16 | SpvOpFunction,
        4,
        3,
        0,
        5,
        2 << 16 | SpvOpLabel,
        14,
        4 << 16 | SpvOpLoad,
        6,
        15,
        10,
        4 << 16 | SpvOpFunctionCall,
        4,
        16,
        3,
        1 << 16 | SpvOpKill,
        1 << 16 | SpvOpFunctionEnd,
    };
    struct spirv_reflection *r = reflect_code(code, ARRAY_LENGTH(code));
    assert_non_null(r);
    assert_int_equal(r->entry_count, 2);
    assert_int_equal(r->entries[0].binding_count, 1);
    assert_int_equal(r->bindings[r->entries[0].first_binding].set, 3);
    assert_int_equal(r->bindings[r->entries[0].first_binding].binding, 7);
    assert_true(r->entries[0].uses & SPIRV_USES_KILL);
    assert_int_equal(r->entries[1].binding_count, 0);
    assert_int_equal(r->entries[1].uses, 0);
    mem_free(r);
}

/* A push constant is a pointer whose type is declared after the block. */
static void pointer_that_is_declared_later(void **state)
{
    static const uint32_t code[] = {
        SpvMagicNumber,
        0x10500,
        0,
        32,
        0, /* */
        3 << 16 | SpvOpMemoryModel,
        SpvAddressingModelPhysicalStorageBuffer64,
        1, /* */
        5 << 16 | SpvOpEntryPoint,
        SpvExecutionModelGLCompute,
        1,
        0x6e69616d,
        0, /* "main" */
        5 << 16 | SpvOpMemberName,
        10,
        1,
        0x6d6f7266,
        0, /* "from" */
        5 << 16 | SpvOpMemberDecorate,
        10,
        0,
        SpvDecorationOffset,
        0, /* */
        5 << 16 | SpvOpMemberDecorate,
        10,
        1,
        SpvDecorationOffset,
        8, /* */
        5 << 16 | SpvOpMemberDecorate,
        11,
        0,
        SpvDecorationOffset,
        4, /* */
        3 << 16 | SpvOpTypeForwardPointer,
        12,
        SpvStorageClassPhysicalStorageBuffer, /* */
        2 << 16 | SpvOpTypeVoid,
        4, /* */
        3 << 16 | SpvOpTypeFunction,
        5,
        4, /* */
        4 << 16 | SpvOpTypeInt,
        6,
        32,
        0, /* */
        4 << 16 | SpvOpTypeStruct,
        10,
        6,
        12, /* the block */
        3 << 16 | SpvOpTypeStruct,
        11,
        6, /* what it points to */
        4 << 16 | SpvOpTypePointer,
        12,
        SpvStorageClassPhysicalStorageBuffer,
        11, /* */
        4 << 16 | SpvOpTypePointer,
        13,
        SpvStorageClassPushConstant,
        10, /* */
        4 << 16 | SpvOpVariable,
        13,
        14,
        SpvStorageClassPushConstant, /* */
        5 << 16 | SpvOpFunction,
        4,
        1,
        0,
        5, /* */
        2 << 16 | SpvOpLabel,
        20, /* */
        4 << 16 | SpvOpLoad,
        10,
        21,
        14,                    /* */
        1 << 16 | SpvOpReturn, /* */
        1 << 16 | SpvOpFunctionEnd,
    };
    struct spirv_reflection *r = reflect_code(code, ARRAY_LENGTH(code));
    assert_non_null(r);
    const struct spirv_entry_point *entry = &r->entries[0];
    assert_int_equal(entry->push_constant_end, 16);
    const struct spirv_type *block = &r->types[entry->push_constant_type];
    const struct spirv_member *member = &r->members[block->first_member + 1];
    assert_int_equal(member->size, 8);
    assert_string_equal(r->text + member->name, "from");
    assert_string_equal(r->text + r->members[block->first_member].name, "");
    const struct spirv_type *pointer = &r->types[member->type];
    assert_int_equal(pointer->opcode, SpvOpTypePointer);
    assert_int_equal(pointer->length, SpvStorageClassPhysicalStorageBuffer);
    assert_int_equal(r->types[pointer->element].id, 11);
    assert_int_equal(r->types[pointer->element].size, 8);
    mem_free(r);
}

static void same_code_has_the_same_hash(void **state)
{
    static const char text[] = "the same words";
    assert_int_equal(spirv_hash(text, sizeof(text)), spirv_hash("the same words", sizeof(text)));
    assert_int_not_equal(spirv_hash(text, sizeof(text)),
                         spirv_hash("the same wordt", sizeof(text)));
}

/* Everything that a reflection points to lies in it. */
static void check_bounds(const struct spirv_reflection *r)
{
    for (uint32_t i = 0; i < r->entry_count; i++) {
        const struct spirv_entry_point *entry = &r->entries[i];
        assert_true((uint64_t)entry->first_interface + entry->interface_count <=
                    r->interface_count);
        assert_true((uint64_t)entry->first_binding + entry->binding_count <= r->binding_count);
        assert_true((uint64_t)entry->first_mode + entry->mode_count <= r->mode_count);
        assert_true(entry->push_constant_type == SPIRV_NONE ||
                    entry->push_constant_type < r->type_count);
        uint32_t size[3];
        (void)spirv_workgroup_size(r, entry, NULL, size);
    }
    for (uint32_t i = 0; i < r->type_count; i++) {
        /* it may point to what it lies in */
        const bool is_pointer = r->types[i].opcode == SpvOpTypePointer;
        assert_true(r->types[i].element == SPIRV_NONE ||
                    r->types[i].element < (is_pointer ? r->type_count : i));
        assert_true((uint64_t)r->types[i].first_member + r->types[i].member_count <=
                    r->member_count);
    }
    for (uint32_t i = 0; i < r->binding_count; i++)
        assert_true(r->bindings[i].type < r->type_count);
    for (uint32_t i = 0; i < r->interface_count; i++)
        assert_true(r->interfaces[i].type < r->type_count);
}

/* Bounded: garbage in any word of real modules (the sanitizer builds watch). */
static void damaged_modules_do_not_crash(void **state)
{
    static uint32_t damaged[1u << 16];
    uint32_t random = 7, made = 0;
    for (int which = 0; which < FILE_COUNT; which++) {
        size_t count = read_spirv_file((enum file)which);
        assert_true(count < ARRAY_LENGTH(damaged));
        for (int round = 0; round < 1500; round++) {
            memcpy(damaged, words, count * sizeof(*words));
            for (int changes = 0; changes < 1 + round % 8; changes++) {
                random = random * 1664525 + 1013904223;
                size_t at = 3 + (random >> 8) % (count - 3);
                random = random * 1664525 + 1013904223;
                uint32_t other = words[(random >> 4) % count], bound = words[3];
                damaged[at] = round % 3 == 0   ? other
                              : round % 3 == 1 ? damaged[at] ^ 1u << (random >> 27)
                                               : random % bound;
            }
            size_t length = round % 16 ? count : count - random % 64;
            struct spirv_reflection *r = reflect_code(damaged, length);
            if (r) {
                check_bounds(r);
                made++;
            }
            mem_free(r);
        }
    }
    assert_true(made > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compute_shader),
        cmocka_unit_test(vertex_shader),
        cmocka_unit_test(fragment_shader),
        cmocka_unit_test(ray_and_mesh_shaders),
        cmocka_unit_test(what_calls_do_not_reach_is_not_used),
        cmocka_unit_test(pointer_that_is_declared_later),
        cmocka_unit_test(same_code_has_the_same_hash),
        cmocka_unit_test(damaged_modules_do_not_crash),
    };
    return cmocka_run_group_tests_name("reflect", tests, NULL, NULL);
}
