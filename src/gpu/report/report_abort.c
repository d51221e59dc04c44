/* Reports that a shader has aborted, with its message. */
#include "gpu/device/areas.h"
#include "gpu/report/report.h"

#include "gpu/abort/abort.h"

void gpu_tell_abort(struct gpu_message *message)
{
    const struct gpu_aborts *aborts = gpu_in_device(message->call.device)->aborts;
    const uint32_t index = gpu_message_word(message, 0);
    char buffer[1024];
    struct string_builder text;
    /* The record names a message by its number; the program may have overwritten it. */
    if (!aborts || index >= aborts->message_count)
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    aborts_describe(&aborts->messages[index], &text);
    gpu_message_tell(message, SEVERITY_ERROR, UNASSIGNED_Shader_Abort,
                     "The shader has aborted: %s%s", text.text,
                     text.length && (text.text[text.length - 1] == '.' ||
                                     text.text[text.length - 1] == '!')
                         ? ""
                         : ".");
    string_builder_end(&text);
}
