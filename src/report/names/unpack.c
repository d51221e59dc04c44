/* Opens what is compressed: libzstd, and what is left out of it. */
#define ZSTD_STATIC_LINKING_ONLY /* contexts in memory of ours */
#include "report/names/unpack.h"

#include <zstd.h>

/* Hooks of libzstd that are weak there. Defined here, they are not looked up in the program that
 * the layer is loaded into. */
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

/* Debian's libzstd reads the formats before 1.0, too: 100 KB of library. Where their functions are
 * defined already, the linker takes none of it. They are called for a frame that begins with an old
 * format's number, of which there are none here. Weak: a libzstd that has them elsewhere keeps its
 * own. */
size_t unpack_old_format(void);
size_t unpack_old_format(void)
{
    return 0; /* as context no memory, as length none */
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

/* libzstd 1.5 wants 94 KB. The system gives pages when they are first written. */
static _Alignas(16) char workspace[160 << 10];

bool unpack_without_memory(char *text, size_t length, const unsigned char *packed, size_t size)
{
    assert(text && length && size);
    ZSTD_DCtx *context = ZSTD_initStaticDCtx(workspace, sizeof(workspace));
    return context && ZSTD_decompressDCtx(context, text, length, packed, size) == length;
}
