/* Checks what the log leaves out of a finding, and when it says that one came again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/muting/said.h"

static struct said said;

static int begin_said(void **state)
{
    (void)state;
    said_init(&said);
    return said.keys ? 0 : -1;
}

static int end_said(void **state)
{
    (void)state;
    said_free(&said);
    return 0;
}

static void in_full_once_then_at_powers_of_ten(void **state)
{
    (void)state;
    struct report report = {.same = 0x1234};
    for (report.nth = 1; report.nth <= 1000; report.nth++) {
        const bool ten = report.nth == 10 || report.nth == 100 || report.nth == 1000;
        assert_int_equal(said_how(&said, &report), report.nth == 1 ? SAY_ALL
                                                   : ten           ? SAY_COUNT
                                                                   : SAY_NOTHING);
    }
    /* The last one says that no other one follows. */
    report.nth = 3;
    report.last_of = 3;
    assert_int_equal(said_how(&said, &report), SAY_COUNT);
    /* Another text from the same place. */
    report.same = 0x5678;
    assert_int_equal(said_how(&said, &report), SAY_ALL);
    assert_int_equal(said_how(&said, &report), SAY_COUNT);
}

static void what_was_asked_for_is_said_each_time(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < 20; i++)
        assert_int_equal(said_how(&said, &(struct report){.same = 0, .nth = i}), SAY_ALL);
}

/* More than there is room for: in full rather than not at all. */
static void a_full_table_hides_nothing(void **state)
{
    (void)state;
    unsigned again = 0;
    for (uint64_t i = 1; i < 100000; i++) {
        const struct report report = {.same = i * 0x9e3779b97f4a7c15ull | 1, .nth = 2};
        again += said_how(&said, &report) != SAY_ALL;
    }
    assert_true(again < 10); /* keys differ in one bit only, seldom */
    said_free(&said);
    assert_int_equal(said_how(&said, &(struct report){.same = 1, .nth = 2}), SAY_ALL);
    assert_int_equal(said_how(&said, &(struct report){.same = 1, .nth = 2}), SAY_ALL);
    said_init(&said);
}

static const struct report *leave_out(struct said_report *shown, uint32_t number, const char *fix,
                                      const char *mend, struct report *report,
                                      struct finding_details *details)
{
    *details = (struct finding_details){
        .section_count = 3,
        .sections = {{"this", "reads"}, {"cost", "a millisecond"}, {"mend", mend}}};
    *report = (struct report){.same = 1,
                              .number = number,
                              .spec_text = "a sentence",
                              .spec_page = "a.html",
                              .fix = fix,
                              .details = details};
    return said_leave_out(&said, shown, report);
}

static void what_an_id_says_is_said_once(void **state)
{
    (void)state;
    struct said_report shown;
    struct report report;
    struct finding_details details;
    const struct report *first =
        leave_out(&shown, 7, "wait for VkFence 0x1 \"a\"", "before command 1\nbarrier(4, \"a\");",
                  &report, &details);
    assert_string_equal(first->fix, "wait for VkFence 0x1 \"a\"");
    assert_string_equal(first->spec_text, "a sentence");
    assert_int_equal(first->details->section_count, 3);
    assert_string_equal(first->details->sections[2].text, "before command 1\nbarrier(4, \"a\");");
    const struct report *second =
        leave_out(&shown, 7, "wait for VkFence 0x2 \"b\"", "before command 9\nbarrier(16, \"b\");",
                  &report, &details);
    assert_string_equal(second->fix, "as said before for this id");
    assert_string_equal(second->spec_text, "");
    assert_string_equal(second->spec_page, "");
    assert_int_equal(second->details->section_count, 2);
    assert_string_equal(second->details->sections[0].text, "reads");
    assert_string_equal(second->details->sections[1].text,
                        "before command 9\n(the code is as said before for this id, but for "
                        "numbers and names)");
    /* The report itself is as it was: messengers and JSON lines get it. */
    assert_string_equal(report.fix, "wait for VkFence 0x2 \"b\"");
    assert_int_equal(details.section_count, 3);
    /* Another mend of the same id, and another id. */
    const struct report *other =
        leave_out(&shown, 7, "wait for VkSemaphore 0x2", "before\nevent();", &report, &details);
    assert_string_equal(other->fix, "wait for VkSemaphore 0x2");
    assert_string_equal(other->details->sections[1].text, "before\nevent();");
    other = leave_out(&shown, 8, "wait for VkFence 0x1", "before\nevent();", &report, &details);
    assert_string_equal(other->fix, "wait for VkFence 0x1");
    assert_string_equal(other->spec_text, "a sentence");
    assert_int_equal(other->details->section_count, 3);
}

/* A finding may quote the statement of another id: that is said once, and does not hide its own. */
static void a_quoted_statement_is_said_once(void **state)
{
    (void)state;
    const struct vuid_text copy = {.name = "VUID-vkCmdCopyImage-srcImageLayout-00128",
                                   .text = "of copies",
                                   .page = "copies.html"};
    struct report quotes = {
        .same = 1, .number = 9, .spec_text = "of draws", .spec_page = "", .quoted = &copy};
    struct report own = {.same = 1, .number = 9, .spec_text = "of draws", .spec_page = ""};
    struct said_report shown;
    assert_ptr_equal(said_leave_out(&said, &shown, &quotes)->quoted, &copy);
    const struct report *second = said_leave_out(&said, &shown, &quotes);
    assert_null(second->quoted);
    assert_string_equal(second->spec_text, "");
    assert_string_equal(said_leave_out(&said, &shown, &own)->spec_text, "of draws");
    assert_string_equal(said_leave_out(&said, &shown, &own)->spec_text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(in_full_once_then_at_powers_of_ten, begin_said, end_said),
        cmocka_unit_test_setup_teardown(what_was_asked_for_is_said_each_time, begin_said, end_said),
        cmocka_unit_test_setup_teardown(a_full_table_hides_nothing, begin_said, end_said),
        cmocka_unit_test_setup_teardown(what_an_id_says_is_said_once, begin_said, end_said),
        cmocka_unit_test_setup_teardown(a_quoted_statement_is_said_once, begin_said, end_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
