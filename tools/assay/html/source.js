/* Lines of source, of the program and of shaders, and the calls that led to a finding. */

/* What colours help to find one's way in C, C++, Rust, GLSL and HLSL. */
const TOKENS = new RegExp([
  String.raw`(\/\*[\s\S]*?\*\/|\/\/.*|^\s*\*.*$)`,
  String.raw`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)')`,
  String.raw`\b(const|static|struct|class|enum|return|if|else|for|while|do|switch|case|break|continue|default|auto|let|fn|mut|pub|unsafe|new|delete|nullptr|NULL|true|false|void|bool|char|int|uint|float|double|half|long|short|signed|unsigned|size_t|u?int(?:8|16|32|64)_t|[bdiu]?vec[234]|mat[234](?:x[234])?|inout|uniform|namespace|template|using)\b`,
  String.raw`(^\s*#\s*\w+|\b(?:VK_[A-Z0-9_]+|0x[0-9a-fA-F]+[uUlL]*|\d[\w.]*)\b)`].join("|"), "gm");

function highlight(text) {
  const parts = [], classes = ["c", "s", "k", "v"];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    parts.push(text.slice(end, match.index), el("span", { class: classes[[1, 2, 3, 4].findIndex(i => match[i] !== undefined)] }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/* The program's places; they are read when somebody looks at the first one. */
async function readSources() {
  const element = $("sources");
  if (!state.sources) state.sources = element ? await unpack(element) : [];
  return state.sources;
}

/* Does anything in the finding have lines? */
const hasSource = value => value !== null && typeof value === "object" && (value.source !== undefined || Object.values(value).some(hasSource));

/* Lines with their numbers, `mark` (a line's number) among them. */
function sourceBlock({ file, what, first, lines, mark, changed, bare }) {
  const indents = lines.filter(line => line.trim()).map(line => line.match(/^[ \t]*/)[0]);
  const common = indents.length ? indents.reduce((a, b) => { let i = 0; while (i < a.length && a[i] === b[i]) i++; return a.slice(0, i); }) : "";
  const digits = String(first + lines.length - 1).length;
  const line = (text, i) => {
    const number = first + i, hit = number === mark;
    return el("span", { class: hit ? "ln hit" : "ln" }, el("span", { class: "no", "data-no": String(number).padStart(digits) }), hit ? el("span", { class: "unseen" }, "This line: ") : null, highlight(text.slice(common.length)), "\n");
  };
  return el("figure", { class: "source" },
    bare ? null : el("figcaption", null, el("span", { class: "mono" }, `${file || "source"}${mark ? `:${mark}` : ""}`), what ? el("span", { class: "soft" }, what) : null),
    changed ? el("p", { class: "complaint" }, "This file was changed after the program was built: lines may have moved.") : null,
    el("pre", { tabindex: 0, role: "group", "aria-label": `Source, ${file || "a shader"}, line ${mark}` }, el("code", null, lines.map(line))));
}

/* The block of a call; null where its lines are not known. `around`: how many lines before and after. */
function sourceOf(frame, around) {
  const place = frame && frame.source !== undefined && state.sources ? state.sources[frame.source] : null;
  if (!place) return null;
  const skipped = Math.max(0, place.line - place.first - around);
  return sourceBlock({ file: place.file, first: place.first + skipped, lines: place.lines.slice(skipped, place.line - place.first + around + 1), mark: place.line, changed: place.changed, bare: true });
}

/* --- callers --- */

const baseName = path => path.slice(path.lastIndexOf("/") + 1);

/* A call: its function and place; its lines of source are shown when it is opened. */
function frameView(frame, open, around = 6) {
  const name = frame.function || frame.symbol, where = frame.file ? `${frame.file}:${frame.line}` : `${frame.module ? `${frame.module}+` : ""}${frame.offset}`;
  const text = [name ? el("b", null, name) : null, name ? " " : null, el("span", { class: name ? "soft" : "" }, where)];
  if (frame.source === undefined || !state.sources) return el("p", { class: "frame mono" }, text);
  const details = el("details", { class: "frame", toggle: () => details.open && details.children.length === 1 && details.append(sourceOf(frame, around)) }, el("summary", { class: "mono" }, text));
  if (open) {
    details.append(sourceOf(frame, around));
    details.open = true;
  }
  return details;
}

const OUTER_SHOWN = 2; /* calls around the program's own that are not folded */

/* The program's own call with its source, and what is around it: the nearest two in view, the others folded. */
function stackView({ stack, caller }, open, around) {
  if (!caller) return [];
  const frames = stack && stack.length ? stack : [caller];
  const own = Math.max(frames.findIndex(frame => frame.module === caller.module && frame.offset === caller.offset), 0);
  const outer = frames.slice(own + 1), folded = outer.slice(OUTER_SHOWN), fold = (list, noun, why) => (list.length ? el("details", { class: "fold" }, el("summary", null, plural(list.length, noun), why), list.map(frame => frameView(frame))) : null);
  return [el("div", { class: "stack" }, fold(frames.slice(0, own), "inner call", frames.slice(0, own).every(frame => /(^|\/)libvulkan\.so/.test(frame.module)) ? ", of the Vulkan loader" : ", which caller_ignore passes over"), frameView(frames[own], open, around),
    outer.slice(0, folded.length > 1 ? OUTER_SHOWN : outer.length).map(frame => frameView(frame)), folded.length > 1 ? fold(folded, "outer call") : null)];
}

/* --- shaders --- */

/* "vertex index 3, instance index 0", "(31, 0, 0)". */
function invocationText(invocation) {
  if (!invocation) return "";
  const names = { vertexIndex: "vertex index", instanceIndex: "instance index", invocationId: "invocation", primitiveId: "primitive" }, { x, y, z, u, v } = invocation;
  const parts = Object.entries(names).filter(([key]) => invocation[key] !== undefined).map(([key, name]) => `${name} ${format(invocation[key])}`);
  if (x !== undefined) parts.push(z === undefined ? `pixel (${x}, ${y})` : `invocation (${x}, ${y}, ${z})`);
  if (u !== undefined) parts.push(`(u, v) = (${u}, ${v})`);
  return parts.join(", ").replace(/^./, first => first.toUpperCase());
}

/* Where in which shader it was: the line with those around it, and what was inlined where. */
function shaderView(shader, rows) {
  if (!shader) return [];
  const module = shader.name ? `"${shader.name}"` : shader.module, facts = [shader.stage ? `${shader.stage.toLowerCase()} shader` : "shader", module].filter(Boolean).join(" ");
  const what = shader.function && `in ${shader.function}`, place = shader.source !== undefined && state.sources ? state.sources[shader.source] : null;
  const lines = shader.lines && shader.lines.length ? { first: shader.firstLine, lines: shader.lines } : shader.text ? { first: shader.line, lines: [shader.text] } : place;
  const calls = (shader.calls || []).map(call => el("p", { class: "frame mono" }, "inlined into ", el("b", null, call.function || "a function"), " ", el("span", { class: "soft" }, `${call.file ? `${call.file}:` : "line "}${call.line}`)));
  const told = shader.line ? `${shader.file ? `${shader.file}:` : "line "}${shader.line}${shader.function ? `, ${shader.function}` : ""}` : shader.instruction !== undefined ? `instruction ${format(shader.instruction)}; the module says no line of it (compile with -g, or -gVS, for one)` : "";
  const run = shader.command === undefined ? "" : `, run by command ${format(shader.command)}${shader.commandBuffer ? ` of ${handleText(shader.commandBuffer)}` : ""}`;
  const again = shader.repeated ? `; ${plural(shader.repeated, "more invocation")} of this command ${shader.repeated === 1 ? "does" : "do"} the same` : "";
  const invocation = invocationText(shader.invocation);
  const access = Object.entries(rows || {}).filter(([key, text]) => typeof text === "string" && key !== "shader" && key !== "command").map(([key, text]) => el("tr", null, el("th", { scope: "row" }, key), el("td", null, text)));
  return [el("h3", null, "Shader"), el("p", null, facts, shader.pipeline ? ` of ${handleText(shader.pipeline)}` : "", run), invocation || again ? el("p", null, invocation || "An invocation", again) : null,
    shader.labels && shader.labels.length ? el("p", null, `under ${shader.labels.join(" › ")}`) : null,
    access.length ? el("table", null, el("tbody", null, access)) : null,
    lines ? sourceBlock({ file: shader.file, what, first: lines.first, lines: lines.lines, mark: shader.line, changed: lines.changed }) : told ? el("p", { class: "mono" }, told) : null, ...calls];
}
