/* Decompresses tables with libzstd, and keeps unneeded parts of libzstd out of the library. */
#define ZSTD_STATIC_LINKING_ONLY /* contexts in memory of ours */
#include "report/names/unpack.h"

#include <zstd.h>

/* libzstd declares these hooks as weak. They are defined here, so that the dynamic linker does not
 * take them from the program that loads the layer. */
struct ZSTD_Trace;
unsigned long long ZSTD_trace_decompress_begin(const ZSTD_DCtx *context);
unsigned long long ZSTD_trace_decompress_begin(const ZSTD_DCtx *context)
{
    return 0;
}
void ZSTD_trace_decompress_end(unsigned long long begun, const struct ZSTD_Trace *trace);
void ZSTD_trace_decompress_end(unsigned long long begun, const struct ZSTD_Trace *trace)
{
}

/* Debian's libzstd also reads the formats before 1.0, which takes 100 KB. The functions for these
 * are defined here as stubs, so that the linker leaves out those of libzstd. They are never called,
 * as no frame here has an old format. They are weak, so that a libzstd with the functions in a file
 * that is needed anyway keeps its own. */
size_t unpack_old_format(void);
size_t unpack_old_format(void)
{
    return 0; /* means "no memory" for a context, and "nothing" for a length */
}
#define OLD_FUNCTION(name_) size_t name_(void) __attribute__((weak, alias("unpack_old_format")));
#define OLD_FORMAT(version_)                                  \
    OLD_FUNCTION(ZSTDv##version_##_createDCtx)                \
    OLD_FUNCTION(ZSTDv##version_##_freeDCtx)                  \
    OLD_FUNCTION(ZSTDv##version_##_decompress_usingDict)      \
    OLD_FUNCTION(ZSTDv##version_##_getFrameParams)            \
    OLD_FUNCTION(ZSTDv##version_##_findFrameSizeInfoLegacy)   \
    OLD_FUNCTION(ZBUFFv##version_##_createDCtx)               \
    OLD_FUNCTION(ZBUFFv##version_##_freeDCtx)                 \
    OLD_FUNCTION(ZBUFFv##version_##_decompressInitDictionary) \
    OLD_FUNCTION(ZBUFFv##version_##_decompressContinue)
OLD_FORMAT(05)
OLD_FORMAT(06)
OLD_FORMAT(07)

bool unpack(char *text, size_t length, const unsigned char *packed, size_t size)
{
    assert(text && length && size);
    return ZSTD_decompress(text, length, packed, size) == length;
}

/* libzstd 1.5 needs 94 KB. The system provides pages of this array only when they are written. */
static _Alignas(16) char workspace[160 << 10];

bool unpack_without_memory(char *text, size_t length, const unsigned char *packed, size_t size)
{
    assert(text && length && size);
    ZSTD_DCtx *context = ZSTD_initStaticDCtx(workspace, sizeof(workspace));
    return context && ZSTD_decompressDCtx(context, text, length, packed, size) == length;
}
