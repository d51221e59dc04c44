/* The code of the shaders, as the build makes it of shaders/. */
#include "valid.h"

#include "valid_all_comp.h"
#include "valid_array_comp.h"
#include "valid_capture_vert.h"
#include "valid_control_tesc.h"
#include "valid_depth_frag.h"
#include "valid_empty_comp.h"
#include "valid_empty_frag.h"
#include "valid_evaluate_tese.h"
#include "valid_fill_comp.h"
#include "valid_heap_comp.h"
#include "valid_input_frag.h"
#include "valid_inline_comp.h"
#include "valid_inputs_vert.h"
#include "valid_mesh_mesh.h"
#include "valid_multiview_vert.h"
#include "valid_plain_frag.h"
#include "valid_plain_vert.h"
#include "valid_points_geom.h"
#include "valid_push_vert.h"
#include "valid_query_comp.h"
#include "valid_sampled_comp.h"
#include "valid_sets_comp.h"
#include "valid_store_comp.h"
#include "valid_task_task.h"
#include "valid_textured_frag.h"
#include "valid_trace_rchit.h"
#include "valid_trace_rgen.h"
#include "valid_trace_rmiss.h"
#include "valid_two_frag.h"

const struct shader_code shader_codes[SHADER_COUNT] = {
#define X(name_) {valid_##name_, sizeof(valid_##name_)},
    SHADERS(X)
#undef X
};
