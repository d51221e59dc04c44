/* Reports wrong formats of debug printf when a shader is made. */
#include "gpu/report/report.h"

#include <stdio.h>

#include "spirv/module/source.h"
#include "spirv/printf/printf.h"

/* Reports the format of a debug printf if it does not match the arguments. */
static void printf_check_format(const struct call *call, const struct spirv_module *module,
                                const struct spirv_printf_call *print)
{
    char buffer[512], place[256] = "";
    struct spirv_printf printf;
    struct spirv_source_line line;
    struct string_builder text;
    if (!spirv_printf_parse(&printf, print->format, print->arguments, print->argument_count))
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    if (spirv_printf_check(&printf, &text)) {
        if (spirv_source_find(module, print->instruction, &line) && line.line)
            snprintf(place, sizeof(place), " (%.200s%sline %u)", line.file,
                     line.file[0] ? ", " : "", line.line);
        spirv_source_line_free(&line);
        (void)finding_with_severity(call, SEVERITY_WARNING, DEBUG_PRINTF_FORMATTING, NULL, NULL,
                                    "The format \"%.256s\" of a debug printf%s does not go with "
                                    "its arguments. %s",
                                    print->format, place, text.text);
    }
    string_builder_end(&text);
    spirv_printf_free(&printf);
}

void gpu_check_formats(const struct call *call, const struct spirv_module *module)
{
    struct spirv_printf_calls calls;
    /* Memory is out, or the module prints nothing. */
    if (!spirv_printf_find(module, &calls))
        return;
    for (uint32_t i = 0; i < calls.count; i++)
        printf_check_format(call, module, &calls.calls[i]);
    spirv_printf_calls_free(&calls);
}
