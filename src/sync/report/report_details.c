/* Makes all the texts of a hazard report, in the form that a finding carries. */
#include "sync/report/report_facts.h"

/* Writes text `number` of the finding, which lives until hazard_texts_end(). */
static const char *
report_details_write(struct hazard_texts *texts, unsigned number, const struct report_facts *facts,
                     void (*writer)(struct string_builder *text, const struct report_facts *facts))
{
    struct string_builder *builder = &texts->builders[number];
    string_builder_begin(builder, texts->buffers[number], sizeof(texts->buffers[number]));
    writer(builder, facts);
    return builder->text;
}

/* Writes the section about the access that came too early. */
static void write_self(struct string_builder *text, const struct report_facts *facts)
{
    write_hazard_side(text, facts, &facts->self);
}

/* Writes the section about the access that it should have waited for. */
static void write_earlier_side(struct string_builder *text, const struct report_facts *facts)
{
    write_hazard_side(text, facts, &facts->earlier);
}

void hazard_texts_write(struct hazard_texts *texts, const struct report_facts *facts,
                        bool with_properties)
{
    texts->sentence = report_details_write(texts, 0, facts, write_hazard_sentence);
    texts->details = (struct finding_details){
        /* The section with the properties is last, so that the count leaves it out. */
        .section_count = with_properties ? 5 : 4,
        .sections = {{"this", report_details_write(texts, 1, facts, write_self)},
                     {"earlier", report_details_write(texts, 2, facts, write_earlier_side)},
                     {"between", report_details_write(texts, 3, facts, write_hazard_between)},
                     {"mend", report_details_write(texts, 4, facts, write_hazard_mend)},
                     {"extra", report_details_write(texts, 5, facts, write_hazard_properties)}},
        .json_key = "sync",
        .json = report_details_write(texts, 6, facts, write_hazard_json),
    };
}

void hazard_texts_end(struct hazard_texts *texts)
{
    for (size_t i = 0; i < ARRAY_LENGTH(texts->builders); i++)
        string_builder_end(&texts->builders[i]);
}
