#version 460
// Accesses of shared memory, most of which race with nothing whatever the values are. The others say so.
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint line[32];
shared uint padded[4][9];
shared uint flat_rows[36];
shared vec4 mixed[32];
shared uint short_rows[32];
shared uint met[32];
shared uint later[32];
shared uint counter;

uint sum_of_rows()
{
    uint sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += padded[gl_LocalInvocationID.y][k] + flat_rows[gl_LocalInvocationID.y * 9 + k];
    return sum;
}

void main()
{
    uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, i = gl_LocalInvocationIndex, sum = 0;
    for (uint tile = 0; tile < data[0]; tile++) {
        line[i] = data[i + tile];
        padded[y][x] = data[tile];
        flat_rows[(y << 3) + y + x] = tile;
        barrier();
        sum += sum_of_rows() + line[data[1] % 32];
        barrier();
    }
    mixed[i] = vec4(sum);
    short_rows[y * 7 + x] = sum; // 1: the row before ends there
    if (data[2] == 0)
        met[i] = sum; // 2
    else
        sum += met[data[3] % 32]; // 3
    barrier();
    sum += uint(mixed[data[4] % 32].x) + short_rows[data[5] % 32];
    later[i] = sum; // 4
    if (data[6] == 0)
        barrier();
    sum += later[data[7] % 32]; // 5
    atomicAdd(counter, 1u); // 6: atomic operations are always checked
    barrier();
    met[data[8] % 32] = sum; // 7
    data[i] = sum + counter + met[i]; // 8; the counter is not written any more
    line[0] += 1; // 9 and 10: a load and a store
}
