#version 460
// A column of a matrix that is stored by rows is not contiguous.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(buffer_reference, scalar, row_major) buffer Rows { mat2 matrix; };
layout(buffer_reference, scalar, column_major) buffer Columns { mat2 matrix; };
layout(push_constant) uniform Push { Rows rows; Columns columns; } push;

void main()
{
    push.rows.matrix[1] = vec2(1.0);
    push.rows.matrix[1][0] = 2.0;
    push.columns.matrix[1] = vec2(3.0);
}
