/* Demangles the names of functions, and shortens them. */
#include "assay/symbols/names.h"

#include <ctype.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of libsupc++. Unlike __cxa_demangle() it passes its result to `take` in pieces, since
 * a name of 200 bytes can stand for gigabytes. It allocates nothing, so that `take` may leave it by
 * a jump. Returns 0 if the name is valid. */
extern int __gcclibcxx_demangle_callback(const char *mangled,
                                         void (*take)(const char *text, size_t length, void *user),
                                         void *user);

struct text {
    char *bytes; /* NAME_SIZE of them */
    size_t length;
    jmp_buf full;
};

static void names_take_bytes(const char *bytes, size_t length, void *user)
{
    struct text *text = user;
    if (length >= NAME_SIZE - text->length)
        longjmp(text->full, 1);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

/* Demangles a name. Returns false if it is not a mangled name, or the result does not fit. */
static bool names_demangle(const char *symbol, struct text *text)
{
    return !setjmp(text->full) &&
           __gcclibcxx_demangle_callback(symbol, names_take_bytes, text) == 0 && text->length;
}

const char *name_shown(const char *symbol, char room[NAME_SIZE])
{
    struct text text = {.bytes = room};
    bool mangled = symbol && !strncmp(symbol, "_Z", 2) && strlen(symbol) < NAME_SIZE &&
                   names_demangle(symbol, &text);
    return mangled ? room : symbol;
}

/* --- forms --- */

struct form {
    const char *at; /* the rest of the name */
    char *out;      /* NAME_SIZE bytes, which the name does not exceed */
    size_t length;
    enum name_form form;
    bool keeps_blanks; /* the current word is a name with blanks: "operator unsigned long" */
};

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '$';
}

/* Returns the length of the brackets at the beginning of `text`, with their content; 0: they are
 * not closed. (Comparisons in template arguments are in parentheses.) */
static size_t brackets_length(const char *text)
{
    const char open = *text, close = open == '('   ? ')'
                                     : open == '<' ? '>'
                                     : open == '{' ? '}'
                                                   : ']';
    size_t depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (open == '<' && text[i] == '(') {
            size_t inner = brackets_length(text + i);
            if (!inner)
                return 0;
            i += inner - 1;
        } else if (text[i] == open) {
            depth++;
        } else if (text[i] == close && !(open == '<' && text[i - 1] == '-') && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* Returns the length of an operator's name at `at`, "operator+="; for "operator int" that of the
 * first word; 0: there is no operator. */
static size_t operator_length(const char *name, const char *at)
{
    static const char *const operators[] = {
        "<=>", "->*", "<<=", ">>=", "()", "[]", "<<", ">>", "<=", ">=", "==", "!=",  "&&", "||",
        "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "->", "+",   "-",  "*",
        "/",   "%",   "&",   "|",   "^",  "~",  "!",  "=",  "<",  ">",  ",",  "\"\""};
    const size_t word = strlen("operator");
    if (strncmp(at, "operator", word) != 0 || is_word(at[word]) || (at > name && is_word(at[-1])))
        return 0;
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        if (!strncmp(at + word, operators[i], strlen(operators[i])))
            return word + strlen(operators[i]);
    }
    return word;
}

/* Returns the length of the qualifiers after parameters: " const", " &&". */
static size_t qualifiers_length(const char *text)
{
    static const char *const qualifiers[] = {" const", " volatile", " &&", " &", " noexcept"};
    size_t length = 0;
    for (size_t i = 0; i < sizeof(qualifiers) / sizeof(*qualifiers); i++) {
        if (!strncmp(text + length, qualifiers[i], strlen(qualifiers[i])))
            length += strlen(qualifiers[i]);
    }
    return length;
}

static void names_put(struct form *form, size_t length)
{
    memcpy(form->out + form->length, form->at, length);
    form->length += length;
    form->at += length;
}

/* Skips parameters. Returns false if the form of the name is not known. */
static bool take_parameters(struct form *form)
{
    static const char nobody[] = "(anonymous namespace)";
    if (!strncmp(form->at, nobody, sizeof(nobody) - 1)) {
        names_put(form, sizeof(nobody) - 1);
        return true;
    }
    size_t length = brackets_length(form->at);
    if (!length)
        return false;
    form->at += length + qualifiers_length(form->at + length);
    form->keeps_blanks = false;
    if (!strncmp(form->at, " requires", 9))
        form->at += strlen(form->at);
    /* After the parameters comes a scope, the end of the name, or a blank after a return type in
     * brackets: "decltype (x) f<int>(int)". */
    return !*form->at || *form->at == ' ' || !strncmp(form->at, "::", 2);
}

/* Shortens "{lambda(int)#2}" to "{lambda}", as the number may change with the next build. */
static bool take_braces(struct form *form)
{
    size_t length = brackets_length(form->at), shown = strcspn(form->at, "(#}");
    if (!length)
        return false;
    if (form->form == NAME_INSTANCE) {
        names_put(form, length);
        return true;
    }
    names_put(form, shown);
    form->at += length - shown;
    form->out[form->length++] = '}';
    return true;
}

static bool take_arguments(struct form *form)
{
    size_t length = brackets_length(form->at);
    if (length && form->form == NAME_INSTANCE)
        names_put(form, length);
    else
        form->at += length;
    return length != 0;
}

/* Handles a blank outside of brackets. What precedes the last one is the return type, and is
 * dropped. */
static void take_blank(struct form *form)
{
    if (form->keeps_blanks) {
        names_put(form, 1);
        return;
    }
    form->at++;
    form->length = 0;
}

/* Handles one piece of a name, and copies it if the form keeps it. Returns false if it is not
 * understood. */
static bool take_one(struct form *form, const char *name)
{
    size_t length = operator_length(name, form->at);
    if (length) {
        names_put(form, length);
        form->keeps_blanks = form->at[-1] == 'r' || form->at[-1] == '"';
        /* "operator< <int>" */
        if (!strncmp(form->at, " <", 2) && form->form == NAME_INSTANCE)
            names_put(form, 1);
        else if (!strncmp(form->at, " <", 2))
            form->at++;
        return true;
    }
    switch (*form->at) {
    case '(':
        return take_parameters(form);
    case '{':
        return take_braces(form);
    case '<':
        return take_arguments(form);
    case '[':
        length = brackets_length(form->at);
        names_put(form, length);
        return length != 0;
    case ' ':
        take_blank(form);
        return true;
    default:
        names_put(form, 1);
        return true;
    }
}

/* Removes the end of a Rust name, "::h" and 16 digits, which changes with the next build. */
static void cut_hash(struct form *form)
{
    const size_t length = 19;
    const char *hash = form->out + form->length - length;
    if (form->length > length && !strncmp(hash, "::h", 3) &&
        strspn(hash + 3, "0123456789abcdef") == length - 3)
        form->out[form->length -= length] = 0;
}

const char *name_of_form(const char *shown, enum name_form wanted, char room[NAME_SIZE])
{
    struct form form = {.at = shown, .out = room, .form = wanted};
    if (wanted == NAME_WHOLE || strlen(shown) >= NAME_SIZE)
        return shown;
    while (*form.at) {
        if (!take_one(&form, shown))
            return shown;
    }
    room[form.length] = 0;
    cut_hash(&form);
    return form.length ? room : shown;
}

bool name_matches(const char *pattern, const char *symbol)
{
    char shown_room[NAME_SIZE], form_room[NAME_SIZE];
    if (fnmatch(pattern, symbol, 0) == 0)
        return true;
    const char *shown = name_shown(symbol, shown_room);
    for (int form = 0; form < NAME_FORMS; form++) {
        if (fnmatch(pattern, name_of_form(shown, (enum name_form)form, form_room), 0) == 0)
            return true;
    }
    return false;
}

/* --- findings --- */

/* Returns the text with all mangled names in it demangled, which the caller frees; NULL: it has
 * none, or memory is out. */
static char *shown_text(const char *text)
{
    char symbol[NAME_SIZE], room[NAME_SIZE], *result = NULL;
    size_t length;
    FILE *memory = strstr(text, "_Z") ? open_memstream(&result, &length) : NULL;
    if (!memory)
        return NULL;
    while (*text) {
        size_t word = 0;
        while (is_word(text[word]))
            word++;
        if (!strncmp(text, "_Z", 2) && word < NAME_SIZE) {
            memcpy(symbol, text, word);
            symbol[word] = 0;
            fputs(name_shown(symbol, room), memory);
        } else {
            word += !word;
            fwrite(text, 1, word, memory);
        }
        text += word;
    }
    fclose(memory);
    return result;
}

static void show_member(struct json_object *value, const char *name, struct json_object *member)
{
    char *text = shown_text(json_object_get_string(member));
    if (text)
        json_object_object_add(value, name, json_object_new_string(text));
    free(text);
}

void names_show(struct json_object *finding)
{
    static const char *const texts[] = {"symbol",     "message", "text",
                                        "descriptor", "address", "memory"};
    struct json_object_iterator at = json_members(finding);
    struct json_object *member;
    const char *name;
    for (size_t i = 0; i < json_length(finding); i++)
        names_show(json_object_array_get_idx(finding, i));
    while (json_next_member(&at, &name, &member))
        names_show(member);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        if (json_object_is_type(finding, json_type_object) &&
            json_object_object_get_ex(finding, texts[i], &member) &&
            json_object_is_type(member, json_type_string))
            show_member(finding, texts[i], member);
    }
}
