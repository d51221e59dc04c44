/* Counts the references to the code of a shader module. */
#include "gpu/pipeline/shader.h"

struct gpu_code *gpu_code_acquire(struct gpu_code *code)
{
    uint32_t references = code ? atomic_load_explicit(&code->references, memory_order_relaxed) : 0;
    /* A count of 0 is never raised again: the thread that released the last reference is about to
     * free the code. */
    while (references &&
           !atomic_compare_exchange_weak_explicit(&code->references, &references, references + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
    return references ? code : NULL;
}

void gpu_code_release(struct gpu_code *code)
{
    if (code && atomic_fetch_sub_explicit(&code->references, 1, memory_order_acq_rel) == 1)
        mem_retire(code);
}
