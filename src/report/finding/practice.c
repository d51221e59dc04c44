/* Adds what the table of advice (practice.h) says of an id to a finding: the line `cost`, and the
 * member "practice" of JSON lines. */
#include "report/finding/practice.h"

/* Writes the names of the vendors whose bits are set, as strings of JSON with commas between
 * them. */
static void write_vendors(struct string_builder *json, uint32_t vendors)
{
    const char *comma = "";
    for (uint32_t i = 0; i < PRACTICE_VENDORS; i++) {
        if (!(vendors & 1u << i))
            continue;
        string_builder_format(json, "%s\"%s\"", comma, practice_vendor_name[i]);
        comma = ",";
    }
}

const struct finding_details *practice_details_begin(struct practice_details *own,
                                                     const struct practice *practice,
                                                     const char *cost)
{
    assert(own && practice && practice->saves < SAVES_COUNT && cost);
    string_builder_begin(&own->json, own->json_buffer, sizeof(own->json_buffer));
    string_builder_format(&own->json, "{\"saves\":\"%s\",\"vendors\":[",
                          practice_saves_name[practice->saves]);
    write_vendors(&own->json, practice->vendors);
    string_builder_add(&own->json, "],\"cost\":\"");
    string_builder_add_json(&own->json, cost);
    string_builder_add(&own->json, "\"}");
    own->details = (struct finding_details){.section_count = 1,
                                            .sections = {{"cost", cost}},
                                            .json_key = "practice",
                                            .json = own->json.text};
    return &own->details;
}

void practice_details_end(struct practice_details *own)
{
    string_builder_end(&own->json);
}
