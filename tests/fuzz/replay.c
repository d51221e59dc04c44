/* Runs a fuzzer's target over files of a corpus, where there is no libFuzzer to do it: replay
 * DIRECTORY... */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_LIMIT (1u << 20)

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(INPUT_LIMIT);
    if (!file || !data) {
        perror(path);
        return 1;
    }
    size_t size = fread(data, 1, INPUT_LIMIT, file);
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

/* How many files there were; -1 when one could not be read. */
static int run_directory(const char *path)
{
    DIR *directory = opendir(path);
    int files = 0;
    if (!directory) {
        perror(path);
        return -1;
    }
    for (const struct dirent *entry = readdir(directory); entry && files >= 0;
         entry = readdir(directory)) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        files = run_file(name) ? -1 : files + 1;
    }
    (void)closedir(directory);
    return files;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int files = run_directory(argv[i]);
        if (files < 1) {
            (void)fprintf(stderr, "%s: no inputs\n", argv[i]);
            return 1;
        }
        (void)printf("%s: %d inputs\n", argv[i], files);
    }
    return 0;
}
