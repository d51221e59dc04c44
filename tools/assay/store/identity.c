/* Decides when two findings are the same one. */
#include "assay/store/identity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <string.h>

#include "assay/report/findings.h"

#define DIGITS "0123456789"

/* Collects texts to hash. They are hashed together; when the buffer is full, its content is hashed
 * first. */
struct texts {
    XXH3_state_t *state;
    bool streamed;
    size_t length;
    char bytes[2048];
};

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_byte(struct texts *texts, char byte)
{
    if (texts->length == sizeof(texts->bytes)) {
        if (!texts->streamed)
            XXH3_128bits_reset(texts->state);
        texts->streamed = true;
        XXH3_128bits_update(texts->state, texts->bytes, texts->length);
        texts->length = 0;
    }
    texts->bytes[texts->length++] = byte;
}

static void texts_add(struct texts *texts, const char *text)
{
    for (; text && *text; text++)
        add_byte(texts, *text);
    add_byte(texts, '\0');
}

/* Returns the length of the number or handle at the beginning of the text; 0: there is none. */
static size_t number_length(const char *text)
{
    bool hexadecimal = text[0] == '0' && text[1] == 'x';
    return hexadecimal ? 2 + strspn(text + 2, DIGITS "abcdef") : strspn(text, DIGITS);
}

/* Adds a text without numbers and handles, which change from run to run. */
static void add_message(struct texts *texts, const char *text)
{
    while (text && *text) {
        size_t digits = number_length(text);
        add_byte(texts, digits ? '#' : *text);
        text += digits ? digits : 1;
    }
    add_byte(texts, '\0');
}

/* letters and digits of a word that is not a word: an address, a part of a UUID */
#define HEXADECIMAL_LEAST 8

size_t number_in_name(const char *text, bool inside)
{
    const char *letters = DIGITS "abcdefABCDEF";
    size_t decimal = strspn(text, DIGITS), hexadecimal = strspn(text, letters), digits = 0;
    if (inside)
        return decimal;
    if (!strncmp(text, "0x", 2) && strspn(text + 2, letters))
        return 2 + strspn(text + 2, letters);
    for (size_t i = 0; i < hexadecimal; i++)
        digits += text[i] >= '0' && text[i] <= '9';
    return hexadecimal >= HEXADECIMAL_LEAST && digits > 1 ? hexadecimal : decimal;
}

/* Adds a name without its numbers: "frame 12" and "frame 13" are equal. */
static void add_name(struct texts *texts, const char *name)
{
    for (bool inside = false; name && *name;) {
        size_t number = number_in_name(name, inside);
        inside = !number && ((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z'));
        add_byte(texts, number ? '#' : *name);
        name += number ? number : 1;
    }
    add_byte(texts, '\0');
}

/* Adds a text without numbers, and without names in quotation marks. */
static void add_nameless(struct texts *texts, const char *text)
{
    bool named = false;
    while (*text) {
        const size_t number = number_length(text);
        named ^= *text == '"';
        if (!number && !named)
            add_byte(texts, *text);
        text += number ? number : 1;
    }
    add_byte(texts, '\0');
}

/* Returns the hash, and begins another one. */
static XXH128_hash_t texts_end(struct texts *texts)
{
    XXH128_hash_t hash;
    if (texts->streamed) {
        XXH3_128bits_update(texts->state, texts->bytes, texts->length);
        hash = XXH3_128bits_digest(texts->state);
    } else {
        hash = XXH3_128bits(texts->bytes, texts->length);
    }
    texts->length = 0;
    texts->streamed = false;
    return hash;
}

static void texts_add_object(struct texts *texts, struct json_object *object)
{
    texts_add(texts, json_text(object, "type"));
    add_name(texts, json_text(object, "name"));
}

/* Adds a call site: module and offset. For code that was made at run time, whose address changes
 * from run to run, its function is added. */
static void add_site(struct texts *texts, struct json_object *caller)
{
    const char *module = json_text(caller, "module"), *symbol = json_text(caller, "symbol");
    const bool made = !module && symbol;
    texts_add(texts, made ? symbol : module);
    texts_add(texts, json_text(caller, "buildId"));
    texts_add(texts, json_text(caller, made ? "symbolOffset" : "offset"));
}

/* Adds a call site by its function; by its offset if the function has no name. */
static void add_function(struct texts *texts, struct json_object *caller)
{
    const char *symbol = json_text(caller, "symbol");
    texts_add(texts, base_name(json_text_or(caller, "module")));
    texts_add(texts, symbol ? symbol : json_text(caller, "offset"));
}

/* Adds what does not change from run to run, or from build to build. */
static void add_rule(struct texts *texts, struct json_object *finding, struct json_object *self,
                     struct json_object *earlier)
{
    struct json_object *objects = json_object_object_get(finding, "objects");
    texts_add(texts, json_text(finding, "vuid"));
    texts_add(texts, json_text(finding, "command"));
    add_name(texts, json_text(finding, "location"));
    if (!self) {
        size_t index, count;
        struct json_object *object;
        JSON_EACH_ELEMENT(objects, index, count, object) texts_add_object(texts, object);
        return;
    }
    struct json_object *sides[] = {self, earlier};
    /* (The kind of repair counts: between queues it is a semaphore, on one queue a barrier.) */
    texts_add(texts,
              json_text(json_object_object_get(json_object_object_get(finding, "sync"), "mend"),
                        "kind"));
    for (int i = 0; i < 2; i++) {
        texts_add(texts, json_text(sides[i], "command"));
        texts_add(texts, json_text(sides[i], "usage"));
        texts_add_object(texts, json_object_object_get(sides[i], "resource"));
    }
}

/* Returns the length of a text like "set 0, binding 2" at the beginning of `text`; 0: there is
 * none. */
static size_t binding_length(const char *text)
{
    static const char *const words[] = {"set ", ", binding "};
    const char *at = text;
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(at, words[i], length) != 0 || !strspn(at + length, DIGITS))
            return 0;
        at += length + strspn(at + length, DIGITS);
    }
    return (size_t)(at - text);
}

/* Finds the set and binding in a text, as in "4 bytes at byte 12 of set 0, binding 2"; NULL: there
 * is none. */
static const char *find_binding(const char *text)
{
    for (text = text ? strstr(text, "set ") : NULL; text; text = strstr(text + 1, "set ")) {
        if (binding_length(text))
            return text;
    }
    return NULL;
}

/* Returns the length of the place at the beginning of a row: "line 9", "instruction 57", or the
 * file and line in "a.comp:9 compute invocation (6, 0, 0)". */
static size_t shader_place_length(const char *row)
{
    static const char *const words[] = {"line ", "instruction "};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(words[i]);
        if (!strncmp(row, words[i], length) && strspn(row + length, DIGITS))
            return length + strspn(row + length, DIGITS);
    }
    /* (The file's name may have blanks, and colons, in it.) */
    for (const char *at = row; *at && *at != '\n'; at++) {
        const size_t digits = *at == ':' ? strspn(at + 1, DIGITS) : 0;
        if (digits && (!at[1 + digits] || strchr(" \n", at[1 + digits])))
            return (size_t)(at - row) + 1 + digits;
    }
    return strcspn(row, " \n");
}

void identity_shader_place(struct json_object *finding, char place[SHADER_PLACE_SIZE])
{
    static const char *const accesses[] = {"reads", "writes", "changes", "uses"};
    struct json_object *rows = finding_rows(finding);
    const char *shader = json_text(rows, "shader"), *binding = NULL;
    *place = '\0';
    if (!shader)
        return;
    for (size_t i = 0; !binding && i < sizeof(accesses) / sizeof(*accesses); i++)
        binding = find_binding(json_text(rows, accesses[i]));
    snprintf(place, SHADER_PLACE_SIZE, "%.*s %.*s", binding ? (int)binding_length(binding) : 0,
             binding ? binding : "", (int)shader_place_length(shader), shader);
}

void identity_find(struct identity *identity, struct json_object *finding)
{
    XXH3_state_t state;
    struct texts texts = {.state = &state};
    struct json_object *sync = json_object_object_get(finding, "sync"),
                       *caller = json_object_object_get(finding, "caller");
    struct json_object *self = json_object_object_get(sync, "this"),
                       *earlier = json_object_object_get(sync, "earlier");
    struct json_object *first = self ? json_object_object_get(self, "caller") : caller,
                       *second = json_object_object_get(earlier, "caller");
    add_rule(&texts, finding, self, earlier);
    identity->loose = texts_end(&texts).low64;

    add_rule(&texts, finding, self, earlier);
    add_function(&texts, first);
    add_function(&texts, second);
    identity->site = texts_end(&texts).low64;

    add_rule(&texts, finding, self, earlier);
    if (!self)
        add_message(&texts, json_text(finding, "message"));
    if (finding_rows(finding)) {
        char place[SHADER_PLACE_SIZE];
        identity_shader_place(finding, place);
        texts_add(&texts, place);
        add_message(&texts, json_text(finding_rows(finding), "shader"));
    }
    add_site(&texts, first);
    add_site(&texts, second);
    XXH128_hash_t key = texts_end(&texts);
    identity->key[0] = key.low64;
    identity->key[1] = key.high64;

    add_site(&texts, first);
    identity->place = json_text(first, "offset") ? texts_end(&texts).low64 : 0;
    identity->pair = 0;
    if (!json_object_object_get(sync, "hazard"))
        return;
    texts_add(&texts, json_text(finding, "vuid"));
    add_site(&texts, first);
    add_site(&texts, second);
    texts_add(&texts, json_text(self, "usage"));
    texts_add(&texts, json_text(earlier, "usage"));
    identity->pair = texts_end(&texts).low64;
}

uint64_t identity_of_part(const char *id, const char *part, const char *text)
{
    XXH3_state_t state;
    struct texts texts = {.state = &state};
    texts_add(&texts, id);
    texts_add(&texts, part);
    add_nameless(&texts, text);
    return texts_end(&texts).low64;
}
