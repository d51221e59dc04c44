/* Checks which hooks settings bring into a device's table. Without validate_best_practices and
 * legacy_detection it is the table of a layer that lacks what they switch on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chassis/create.h"
#include "chassis/hooks.h"
#include "practices/practices.h"
#include "settings/settings.h"
#include "settings/table.h"
#include "state/state.h"
#include "sync/sync.h"

/* Those that only these two settings may bring, with validate_best_practices_redundant under the
 * first. */
static const struct validator *const optional[] = {&practices_validator, &legacy_validator,
                                                   &redundant_validator, &advice_validator};

struct chosen {
    const struct validator *validators[VALIDATOR_LIMIT];
    uint32_t count;
};

static struct chosen select_for(const char *text)
{
    struct settings settings;
    struct settings_diagnostics diagnostics = {0};
    struct chosen chosen;
    settings_defaults(&settings);
    settings_read_text(&settings, text, strlen(text), "vk_layer_settings.txt", &diagnostics);
    assert_int_equal(diagnostics.count, 0);
    settings_conclude(&settings);
    chosen.count = validators_select(&settings, chosen.validators);
    settings_free(&settings);
    settings_diagnostics_free(&diagnostics);
    return chosen;
}

static bool has_validator(const struct chosen *chosen, const struct validator *validator)
{
    for (uint32_t i = 0; i < chosen->count; i++) {
        if (chosen->validators[i] == validator)
            return true;
    }
    return false;
}

/* The same in a layer that has no others. */
static struct chosen without_optional(const struct chosen *chosen)
{
    struct chosen rest = {.count = 0};
    for (uint32_t i = 0; i < chosen->count; i++) {
        bool stays = true;
        for (size_t k = 0; k < ARRAY_LENGTH(optional); k++)
            stays &= chosen->validators[i] != optional[k];
        if (stays)
            rest.validators[rest.count++] = chosen->validators[i];
    }
    return rest;
}

static uint32_t hooks_of(const struct validator *validator)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < (uint32_t)COMMAND_ROOT_COUNT * HOOK_PHASES; i++)
        count += VALIDATOR_FIRST_HOOK(validator->hooks)[i] != NULL;
    return count;
}

/* A command's hooks of one phase: the first of them, and how many there are. */
struct phase {
    void (**first)(void);
    uint32_t count;
};

static struct phase phase_of(const struct hook_table *table, uint32_t command, uint32_t phase)
{
    struct phase found = {table->list[command], 0};
    for (uint32_t before = 0; before < phase; before++) {
        while (*found.first)
            found.first++;
        found.first++;
    }
    while (found.first[found.count])
        found.count++;
    return found;
}

static uint32_t hooks_in(const struct hook_table *table)
{
    uint32_t count = 0;
    for (uint32_t command = 0; command < COMMAND_ROOT_COUNT; command++) {
        for (uint32_t phase = 0; phase < HOOK_PHASES; phase++)
            count += phase_of(table, command, phase).count;
    }
    return count;
}

static struct hook_table table_of(const struct chosen *chosen)
{
    struct hook_table table = {.pool = NULL};
    assert_true(hook_table_build(&table, chosen->validators, chosen->count));
    return table;
}

static void assert_same(const struct hook_table *table, const struct hook_table *other)
{
    assert_int_equal(hooks_in(table), hooks_in(other));
    assert_int_equal(table->marks, other->marks);
    assert_int_equal(table->tells_numbers, other->tells_numbers);
    for (uint32_t command = 0; command < COMMAND_ROOT_COUNT; command++) {
        assert_int_equal(hook_table_has(table, (enum command)command),
                         hook_table_has(other, (enum command)command));
        for (uint32_t phase = 0; phase < HOOK_PHASES; phase++) {
            struct phase one = phase_of(table, command, phase),
                         two = phase_of(other, command, phase);
            assert_int_equal(one.count, two.count);
            assert_memory_equal(one.first, two.first, (one.count + 1) * sizeof(*one.first));
        }
    }
}

/* The table that the settings give is that of a layer without the optional validators. */
static void assert_lacks_optional(const char *text)
{
    struct chosen chosen = select_for(text), rest = without_optional(&chosen);
    struct hook_table table = table_of(&chosen), bare = table_of(&rest);
    if (hooks_in(&table) != hooks_in(&bare))
        print_error("with \"%s\"\n", text);
    assert_same(&table, &bare);
    hook_table_free(&table);
    hook_table_free(&bare);
}

static void defaults_bring_no_hook_of_practices(void **state)
{
    assert_lacks_optional("");
    /* as there are such hooks, the comparison can fail */
    assert_true(hooks_of(&practices_validator) > 300);
    assert_true(hooks_of(&legacy_validator) > 20);
    assert_true(hooks_of(&advice_validator) > 20);
}

static void no_other_setting_brings_them(void **state)
{
    uint32_t looked_at = 0;
    for (uint32_t i = 0; i < SETTING_COUNT; i++) {
        if (setting_info[i].type != SETTING_TYPE_BOOL || i == SETTING_VALIDATE_BEST_PRACTICES ||
            i == SETTING_LEGACY_DETECTION)
            continue;
        char text[128];
        const bool is_on = strcmp(setting_info[i].default_text, "true") == 0;
        snprintf(text, sizeof(text), "assay.%s = %s\n", setting_info[i].name,
                 is_on ? "false" : "true");
        assert_lacks_optional(text);
        looked_at++;
    }
    assert_true(looked_at > 20);
}

/* Each of them brings the hooks of its own validator, and no others. */
static void setting_brings_its_own(const char *text, const struct validator *validator)
{
    struct chosen before = select_for(""), after = select_for(text);
    struct hook_table without = table_of(&before), with = table_of(&after);
    assert_int_equal(after.count, before.count + 1);
    assert_true(has_validator(&after, validator));
    assert_int_equal(hooks_in(&with), hooks_in(&without) + hooks_of(validator));
    hook_table_free(&without);
    hook_table_free(&with);
}

static void settings_bring_their_own(void **state)
{
    setting_brings_its_own("assay.validate_best_practices = true\n", &practices_validator);
    setting_brings_its_own("assay.legacy_detection = true\n", &legacy_validator);
    assert_true(hooks_of(&redundant_validator) > 100);
    struct chosen redundant = select_for("assay.validate_best_practices = true\n"
                                         "assay.validate_best_practices_redundant = true\n");
    assert_true(has_validator(&redundant, &redundant_validator));
    struct chosen both =
        select_for("assay.validate_best_practices = true\nassay.validate_sync = true\n");
    assert_true(has_validator(&both, &advice_validator));
}

/* One hook after the call counts draws and dispatches. */
static void draws_have_one_hook(void **state)
{
    uint32_t looked_at = 0;
    for (uint32_t command = 0; command < COMMAND_ROOT_COUNT; command++) {
        void (**hooks)(void) =
            &VALIDATOR_FIRST_HOOK(practices_validator.hooks)[command * HOOK_PHASES];
        if (strncmp(command_name[command], "vkCmdDraw", 9) != 0 &&
            strncmp(command_name[command], "vkCmdDispatch", 13) != 0)
            continue;
        assert_null(hooks[HOOK_VALIDATE]);
        assert_null(hooks[HOOK_BEFORE]);
        assert_non_null(hooks[HOOK_AFTER]);
        looked_at++;
    }
    assert_true(looked_at > 20);
}

/* State is followed where a validator that is on needs it: practices do. */
static void state_is_tracked_for_practices(void **state)
{
    const char *core_off = "assay.validate_core = false\nassay.shader_abort = off\n";
    struct chosen none = select_for(core_off);
    assert_false(has_validator(&none, &tracking_validator));
    struct chosen with = select_for("assay.validate_core = false\nassay.shader_abort = off\n"
                                    "assay.validate_best_practices = true\n");
    assert_true(has_validator(&with, &tracking_validator));
    assert_int_equal(with.count, none.count + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_bring_no_hook_of_practices),
        cmocka_unit_test(no_other_setting_brings_them),
        cmocka_unit_test(settings_bring_their_own),
        cmocka_unit_test(draws_have_one_hook),
        cmocka_unit_test(state_is_tracked_for_practices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
