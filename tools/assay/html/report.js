/* The page of the HTML report: what there is, filters, and one finding in full. The list is list.js's, pictures are picture.js's,
 * lines of source source.js's, what descriptors refer to dump.js's,
 * what is printed paper.js's. */

const SEVERITIES = ["error", "warning", "performance", "info", "debug"];
const STATUSES = ["", "new", "moved", "known", "gone"];
const RULE = 0, SEVERITY = 1, STATUS = 2, COUNT = 3, MESSAGE = 5, PLACE = 6, COMMAND = 7, OBJECTS = 8, ORIGINS = 9, SHADER = 10;
const PARTS_KEPT = 50;

const $ = id => document.getElementById(id);
const format = n => n.toLocaleString("en-US");
const plural = (n, noun) => `${format(n)} ${noun}${n === 1 ? "" : "s"}`;

/* An element; attributes that are functions are listeners, null children are left out. Text is always text, never HTML. */
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
  return element;
}

/* What stands compressed in a script element. */
async function unpack(element) {
  let bytes;
  if (Uint8Array.fromBase64) {
    bytes = Uint8Array.fromBase64(element.textContent);
  } else {
    const letters = atob(element.textContent);
    bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const state = { data: null, rows: [], hay: [], order: [], items: [], closed: new Set(), at: -1, selected: -1, severities: new Set(), statuses: new Set(), parts: new Map(), loaded: new Map(), sources: null };

/* --- what is shown: filters, order, groups --- */

/* What a word with one of these and a colon in front is looked for in. */
const FIELDS = {
  id: row => state.data.rules[row[RULE]].id, message: row => row[MESSAGE], object: row => row[OBJECTS].join("\n"),
  command: row => row[COMMAND], file: row => `${row[PLACE]}\n${row[SHADER]}`, place: row => `${row[PLACE]}\n${row[SHADER]}`,
};

function haystack(row) {
  return [FIELDS.id(row), row[MESSAGE], row[PLACE], row[SHADER], row[COMMAND], ...row[OBJECTS]].join("\n").toLowerCase();
}

/* Words that all must be there; "quoted ones" as they stand; -those must not; object:those in the names of objects. */
function words() {
  return [...$("search").value.toLowerCase().matchAll(/(-?)(?:(id|message|object|command|file|place):)?(?:"([^"]+)"?|([^\s"]+))/g)].map(m => ({ not: m[1] === "-", field: FIELDS[m[2]], text: m[3] || m[4] })).filter(word => word.text && !/^(id|message|object|command|file|place):$/.test(word.text));
}

function has(word, index) {
  if (!state.hay[index].includes(word.text)) return false;
  return !word.field || word.field(state.rows[index]).toLowerCase().includes(word.text);
}

function matching() {
  if (!state.hay.length && words().length) state.hay = state.rows.map(haystack); /* by the first search: the page is there sooner */
  const wanted = words(), file = $("file").value === "" ? -1 : Number($("file").value);
  const found = [];
  for (let i = 0; i < state.rows.length; i++) {
    const row = state.rows[i];
    if (state.severities.size && !state.severities.has(row[SEVERITY])) continue;
    if (state.statuses.size && !state.statuses.has(row[STATUS])) continue;
    if (file >= 0 && !row[ORIGINS].some((value, at) => at % 2 === 0 && value === file)) continue;
    if (wanted.length && !wanted.every(word => has(word, i) !== word.not)) continue;
    found.push(i);
  }
  const sort = $("sort").value;
  if (sort === "count") found.sort((a, b) => state.rows[b][COUNT] - state.rows[a][COUNT] || a - b);
  if (sort === "message") found.sort((a, b) => (state.rows[a][MESSAGE] < state.rows[b][MESSAGE] ? -1 : state.rows[a][MESSAGE] > state.rows[b][MESSAGE] ? 1 : a - b));
  return found;
}

function objectOf(row) {
  for (let i = row[OBJECTS].length - 2; i >= 0; i -= 2)
    if (row[OBJECTS][i + 1]) return `${row[OBJECTS][i]} "${row[OBJECTS][i + 1]}"`;
  return row[OBJECTS].length ? `${row[OBJECTS][row[OBJECTS].length - 2]}, without a name` : "no object";
}

/* "mesh.c" of "mesh.c:120 upload", "cube" of "cube+0x8f3a". */
const fileOf = row => (row[SHADER] || row[PLACE]).replace(/(:\d+|\+0x[0-9a-f]+)( .*)?$/, "");

const GROUPS = {
  rule: row => state.data.rules[row[RULE]].id,
  place: row => row[SHADER] || row[PLACE] || "place not known",
  source: row => fileOf(row) || "place not known",
  object: objectOf,
  command: row => row[COMMAND] || "no command",
};

/* The list: {group} and {row} items. Groups come in the order of their first row. */
function layOut() {
  const key = GROUPS[$("group").value], groups = new Map();
  state.items = [];
  if (!key) {
    for (const row of state.order) state.items.push({ row });
    return;
  }
  for (const index of state.order) {
    const row = state.rows[index], name = key(row);
    let group = groups.get(name);
    if (!group) groups.set(name, (group = { name, rows: [], count: 0, severity: 9 }));
    group.rows.push(index);
    group.count += row[COUNT];
    group.severity = Math.min(group.severity, row[SEVERITY]);
  }
  for (const group of groups.values()) {
    state.items.push({ group });
    if (!state.closed.has(group.name)) for (const row of group.rows) state.items.push({ row, group });
  }
}

function refresh(keep) {
  const began = performance.now(), before = keep ? state.selected : -1;
  state.order = matching();
  layOut();
  measureAll();
  let total = 0;
  for (const index of state.order) total += state.rows[index][COUNT];
  $("shown").textContent = `${plural(state.order.length, "different finding")} of ${format(state.rows.length)}, ${plural(total, "time")}`;
  state.at = before >= 0 ? state.items.findIndex(item => item.row === before) : -1;
  if (state.at < 0) $("list").scrollTop = 0;
  $("list").classList.toggle("nothing", !state.items.length);
  drawRoomily();
  state.filterTime = performance.now() - began;
}

/* --- the list --- */

function toggle(group) {
  if (!state.closed.delete(group.name)) state.closed.add(group.name);
  const at = state.items[state.at];
  layOut();
  measureAll();
  $("list").classList.remove("roomy");
  state.at = state.items.findIndex(item => (at && at.row !== undefined ? item.row === at.row : item.row === undefined && item.group.name === group.name));
  if (state.at < 0) state.at = state.items.findIndex(item => item.row === undefined && item.group.name === group.name);
  draw();
}

/* Goes to an item of the list. */
function go(index) {
  if (!state.items.length) return;
  state.at = Math.max(0, Math.min(state.items.length - 1, index));
  bringIntoView(state.at);
  const item = state.items[state.at];
  if (item.row !== undefined) select(item.row);
}

/* --- one finding --- */

/* The details of findings that stand together. */
async function readPart(number) {
  if (!state.parts.has(number)) {
    const part = document.querySelectorAll("script.part")[number], read = part ? unpack(part) : Promise.resolve([]);
    state.parts.set(number, read);
    if (state.parts.size > PARTS_KEPT) {
      const oldest = state.parts.keys().next().value;
      state.parts.delete(oldest);
      state.loaded.delete(oldest);
    }
    read.then(value => state.parts.get(number) === read && state.loaded.set(number, value));
  }
  return state.parts.get(number);
}

async function detail(index) {
  const finding = (await readPart(Math.floor(index / state.data.partSize)))[index % state.data.partSize];
  if (hasSource(finding)) await readSources();
  return finding;
}

const handleText = object => (object ? `${object.type}${object.name ? ` "${object.name}"` : ` ${object.handle}`}` : "");

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", null, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1200);
}

function codeBlock(text) {
  const button = el("button", { type: "button", class: "copy", click: () => copy(text, button) }, "Copy");
  return el("div", { class: "code" }, el("pre", { tabindex: 0, "aria-label": "Code" }, el("code", null, highlight(text))), button);
}

/* What mends it: a sentence in the first line, then code. */
function mend(text, title) {
  const line = text.indexOf("\n"), says = line < 0 ? text : text.slice(0, line), code = line < 0 ? "" : text.slice(line + 1);
  const sentence = says.charAt(0).toUpperCase() + says.slice(1);
  return [el("h3", null, title || "What mends it"), el("p", { class: "what" }, sentence), code ? codeBlock(code) : null];
}

function rangeText(range) {
  if (!range) return "";
  if (range.size !== undefined) return `bytes ${format(range.offset)} to ${format(range.offset + range.size - 1)}`;
  const some = (first, count, noun) => (count === 1 ? `${noun} ${first}` : `${noun}s ${first} to ${first + count - 1}`);
  const aspects = (range.aspects || []).map(a => a.replace("VK_IMAGE_ASPECT_", "").replace("_BIT", "").toLowerCase()).join(", ");
  return [aspects, some(range.baseMipLevel, range.levelCount, "mip level"), some(range.baseArrayLayer, range.layerCount, "layer"), range.rowCount ? some(range.firstRow, range.rowCount, "row") : "", range.columnCount ? some(range.firstColumn, range.columnCount, "column") : ""].filter(Boolean).join(", ");
}

function searchFor(text, field) {
  $("search").value = `${field || ""}"${text}"`;
  refresh(true);
  document.body.classList.remove("detailed");
}

function sideCard(title, side) {
  if (!side) return null;
  const verb = side.write ? "write" : "read", flags = list => (list || []).map(shortFlag).join(" | ");
  return el("section", { class: `side ${verb}` },
    el("h4", null, title, " ", el("b", null, side.command || "an access that is not known"), side.index !== undefined && side.commandBuffer ? `, command ${side.index}` : null),
    el("p", null, el("span", { class: `verb ${verb}` }, `${verb}s `), side.resource ? el("button", { class: "link", type: "button", click: () => searchFor(side.resource.name || side.resource.handle) }, handleText(side.resource)) : "the resource", rangeText(side.range) ? `, ${rangeText(side.range)}` : ""),
    el("p", null, "in ", el("code", null, flags(side.stages) || "no stage"), side.accesses && side.accesses.length ? [" with ", el("code", null, flags(side.accesses))] : null),
    side.role ? el("p", null, `as ${side.role}`) : null,
    side.commandBuffer ? el("p", null, `in ${handleText(side.commandBuffer)}`, side.primary ? `, executed by ${handleText(side.primary)}` : "") : null,
    side.queue ? el("p", null, `on ${handleText(side.queue)}`, side.submission ? `, submission ${format(side.submission)}` : "") : null,
    side.labels && side.labels.length ? el("p", null, "under ", side.labels.join(" › ")) : null,
    stackView(side, true, 3));
}

function table(head, rows, kind) {
  return el("table", { class: kind }, el("thead", null, el("tr", null, head.map(text => el("th", { scope: "col", class: text === "times" ? "n" : null }, text)))), el("tbody", null, rows));
}

/* Members that have a place of their own in the page; others are shown as they stand, under their names. */
const PLACED = new Set(["number", "severity", "message", "command", "location", "objects", "queueLabels", "commandBufferLabels", "labels", "caller", "stack", "sync", "race", "wanted", "statement", "practice", "shader", "gpuDump", "fix",
  "thread", "threadName", "application", "process", "time", "parameters", "lastOf", "repeats", "details"]);

/* "bufferLabels" is "Buffer labels". */
const titleOf = key => key.charAt(0).toUpperCase() + key.slice(1).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

function otherSections(finding) {
  const out = [];
  for (const [key, value] of [...Object.entries((finding.shader ? null : finding.details) || {}), ...Object.entries(finding)]) {
    if (PLACED.has(key) || value === null || value === "" || (Array.isArray(value) && !value.length)) continue;
    const text = typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
    out.push(el("h3", null, titleOf(key)), /\n/.test(text) ? el("div", { class: "code" }, el("pre", { tabindex: 0 }, text)) : el("p", null, text));
  }
  return out;
}

function labelSections(finding) {
  const out = [];
  for (const [key, title] of [["queueLabels", "Queue labels"], ["commandBufferLabels", "Command buffer labels"], ["labels", "Labels"]]) {
    const value = finding[key], text = Array.isArray(value) ? value.join(" › ") : value;
    if (text) out.push(el("h3", null, title), el("p", null, text));
  }
  return out;
}

/* The command that wants an image in another layout than it is in. */
function wantedView(wanted) {
  if (!wanted) return [];
  const at = wanted.index ?? wanted.executedBy, buffer = wanted.commandBuffer || wanted.primary;
  return [el("h3", null, "What wants the layout"), el("p", null, el("code", null, wanted.command), wanted.primary ? " in a secondary command buffer, executed by vkCmdExecuteCommands" : "", at === undefined ? "" : `, command ${format(at)}`, buffer ? ` of ${handleText(buffer)}` : ""), ...stackView(wanted, true)];
}

/* `rule`: of what the statement is; a finding may quote that of a command. */
function specSection(rule) {
  if (!rule.spec) return [];
  const long = rule.spec.length > 700;
  return [el("h3", null, rule.url ? "The specification" : "What it means"), el("div", { class: "spec" }, el("p", null, long ? `${rule.spec.slice(0, 700)} …` : rule.spec), rule.url ? el("p", null, el("a", { href: rule.url, rel: "noreferrer" }, rule.id)) : null)];
}

function originSection(row) {
  const rows = [];
  for (let i = 0; i < row[ORIGINS].length && i < 100; i += 2) rows.push(el("tr", null, el("td", null, state.data.files[row[ORIGINS][i]].path), el("td", { class: "n" }, format(row[ORIGINS][i + 1]))));
  return rows.length ? [el("h3", null, "Found in"), table(["file", "times"], rows), row[ORIGINS].length > 100 ? el("p", null, `and ${plural(row[ORIGINS].length / 2 - 50, "more file")}`) : null] : [];
}

/* Who made an object, and who destroyed it, where that was recorded (record_stacks). */
function objectCalls(object) {
  return [["created", "was created by"], ["destroyed", "was destroyed by"]].filter(([key]) => object[key] && object[key].caller).map(([key, says]) => {
    const { caller } = object[key], name = caller.function || caller.symbol, where = caller.file ? `${baseName(caller.file)}:${caller.line}` : `${caller.module ? `${baseName(caller.module)}+` : ""}${caller.offset}`;
    return el("details", { class: "fold" }, el("summary", null, `${handleText(object)} ${says} ${name ? `${name}, ${where}` : where}`), stackView(object[key], true, 3));
  });
}

function objectSection(objects) {
  if (!objects || !objects.length) return [];
  return [el("h3", null, "Objects"), table(["type", "name", "handle"], objects.map(object => el("tr", null, el("td", { class: "word" }, breakable(object.type)),
    el("td", null, object.name ? el("button", { class: "link", type: "button", title: "Search for it", click: () => searchFor(object.name, "object:") }, object.name) : "—"), el("td", { class: "mono" }, object.handle)))), ...objects.flatMap(objectCalls)];
}

const threadText = ({ thread, threadName }) => `${thread ?? "not known"}${threadName ? ` "${threadName}"` : ""}`;

/* Which process and thread said it, and when. */
function lastSection(rule, finding, paper) {
  const facts = [finding.application && `application ${finding.application}`, finding.process !== undefined && `process ${finding.process}`,
    `thread ${threadText(finding)}`, finding.time !== undefined && `at ${finding.time}`].filter(Boolean).join(", ");
  const limit = finding.lastOf ? el("p", null, `It was told ${plural(finding.lastOf, "time")} from this place, which is the setting duplicate_message_limit, and then no more.`) : null;
  const again = finding.repeats ? el("p", null, `It came ${plural(finding.repeats, "time")} more after that.`) : null;
  return [el("h3", null, "More"), limit, again, el("p", null, facts), paper ? null : el("details", null, el("summary", null, "JSON"), el("pre", { class: "mono" }, JSON.stringify({ vuid: rule.id, ...finding }, null, 2)))];
}

function sections(row, finding, paper) {
  const rule = state.data.rules[row[RULE]], out = [], sync = finding.sync;
  if (sync && sync.hazard) {
    out.push(...pictures(finding, caller => frameView(caller)));
    if (sync.between && sync.between.text) out.push(el("h3", null, "What stands between"), el("p", { class: "what" }, sync.between.text));
    if (sync.mend && sync.mend.text) out.push(...mend(sync.mend.text));
    out.push(el("h3", null, "The two accesses"), el("div", { class: "sides" }, sideCard("this", sync.this), sideCard("earlier", sync.earlier)));
  } else if (sync && sync.text) {
    out.push(el("h3", null, "Advice"), codeBlock(sync.text));
  }
  out.push(...shaderView(finding.shader, finding.details), ...wantedView(finding.wanted), ...dumpView(finding.gpuDump, paper));
  if (finding.practice && finding.practice.cost) out.push(el("h3", null, "What it costs"), el("p", { class: "what" }, finding.practice.cost));
  if (typeof finding.fix === "string" && finding.fix) out.push(...mend(finding.fix, finding.practice ? "What to do instead" : null));
  if (finding.caller && !(sync && sync.this)) out.push(el("h3", finding.race ? { class: "as-is" } : null, finding.race ? `This call, by thread ${threadText(finding)}` : finding.shader && (finding.command || "").startsWith("vkCmd") ? "Recorded by" : "Called by"), ...stackView(finding, true));
  if (finding.race && finding.race.caller) out.push(el("h3", { class: "as-is" }, `The other call${finding.race.command ? `, ${finding.race.command}` : ""}, by thread ${threadText(finding.race)}`), ...stackView(finding.race, true));
  out.push(...objectSection(finding.objects), ...labelSections(finding), ...specSection(finding.statement ? { ...finding.statement, id: finding.statement.vuid } : rule), ...originSection(row));
  if (finding.parameters) out.push(el("h3", null, "Parameters"), el("div", { class: "code" }, el("pre", { tabindex: 0 }, finding.parameters)));
  out.push(...otherSections(finding), ...lastSection(rule, finding, paper));
  return out.filter(Boolean);
}

/* The line of source that follows a shader's finding is shown with those around it. */
function sentence(row, finding) {
  const shader = finding && finding.shader, line = shader && shader.text ? row[MESSAGE].lastIndexOf(`\n${shader.line}: `) : -1;
  return line > 0 ? row[MESSAGE].slice(0, line) : row[MESSAGE];
}

function findingView(index, finding, paper) {
  const row = state.rows[index], rule = state.data.rules[row[RULE]], severity = SEVERITIES[row[SEVERITY]];
  return [el("h2", null, el("span", { class: `badge severity ${severity}` }, severity), row[STATUS] ? el("span", { class: `badge ${STATUSES[row[STATUS]]}` }, STATUSES[row[STATUS]]) : null, el("span", null, rule.id), el("span", { class: "count" }, plural(row[COUNT], "time"))),
    el("p", { class: "what" }, sentence(row, finding)), ...(finding ? sections(row, finding, paper) : [el("p", null, "Its details are not in this page.")])];
}

async function select(index) {
  state.selected = index;
  const finding = await detail(index);
  if (state.selected !== index) return;
  const article = $("detail");
  article.replaceChildren(el("button", { class: "back", type: "button", click: back }, "← Findings"), ...findingView(index, finding, false));
  drawPictures(article);
  article.scrollTop = 0;
  state.drawn = index;
  history.replaceState(null, "", `#${index}`);
}

function back() {
  document.body.classList.remove("detailed");
  draw();
  $("list").focus();
}

/* --- the overview --- */

/* The first ones with bars; that there are more is told. */
function bars(title, all, shown, noun, pick) {
  const entries = all.slice(0, shown), most = Math.max(...entries.map(entry => entry.count), 1);
  if (!entries.length) return [];
  return [el("h3", null, title), el("div", { class: "bars" }, entries.map(entry => [
    el("button", { class: "link", type: "button", title: entry.name, click: () => pick(entry) }, entry.name),
    el("div", { class: `bar ${entry.tone || ""}`, style: `width:${Math.max(0.4, (100 * entry.count) / most)}%` }), el("span", { class: "count" }, format(entry.count))])),
    all.length > shown ? el("p", { class: "soft more" }, `and ${plural(all.length - shown, `more ${noun}`)}`) : null];
}

function counted(key, rows) {
  const counts = new Map();
  for (const row of rows) {
    const name = key(row);
    if (name) counts.set(name, (counts.get(name) || 0) + row[COUNT]);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

/* What there is, in numbers. On paper nothing can be pressed, and findings follow. */
function overviewView(paper) {
  const data = state.data, cards = [[data.findings, "finding", "s"], [data.different, "different"], [data.rules.filter(rule => rule.count).length, "id", "s"], [data.files.filter(file => !file.old).length, "file", "s"]];
  const present = state.rows.filter(row => STATUSES[row[STATUS]] !== "gone");
  if (data.since) for (const status of [1, 2, 4]) cards.push([state.rows.filter(row => row[STATUS] === status).length, `${STATUSES[status]} since the older run`]);
  if (data.damaged) cards.push([data.damaged, data.damaged === 1 ? "damaged line left out" : "damaged lines left out"]);
  const rules = data.rules.filter(rule => rule.count).map(rule => ({ name: rule.id, count: rule.count, tone: rule.severity }));
  return [el("h2", null, "Overview"), paper ? null : el("p", { class: "soft" }, `made by ${data.tool} on ${data.made}`),
    data.findings ? null : el("p", { class: "what" }, "Nothing was found."),
    el("div", { class: "cards" }, cards.map(([n, text, many]) => el("div", { class: "card" }, el("b", null, format(n)), el("span", null, n === 1 ? text : text + (many || ""))))),
    ...bars("By id", rules, 12, "id", entry => searchFor(entry.name, "id:")),
    ...bars("By place", counted(row => row[SHADER] || row[PLACE], present), 10, "place", entry => searchFor(entry.name, "place:")),
    ...bars("By object", counted(row => (objectOf(row).includes('"') ? objectOf(row) : ""), present), 10, "object", entry => searchFor(entry.name.replace(/^.*?"|"$/g, ""), "object:")),
    ...bars("By file of findings", data.files.filter(file => !file.old).map(file => ({ name: file.path, count: file.findings })).sort((a, b) => b.count - a.count), 10, "file", entry => {
      $("file").value = String(data.files.findIndex(file => file.path === entry.name));
      refresh();
    }),
    ...(data.complaints.length ? [el("h3", null, "What could not be read"), ...data.complaints.map(text => el("p", { class: "complaint" }, text))] : []),
    ...(state.rows.length < data.different ? [el("p", { class: "complaint" }, `This page has the ${format(state.rows.length)} most frequent of ${format(data.different)} different findings; assay report --sqlite has them all.`)] : [])].filter(Boolean);
}

function overview() {
  state.selected = -1;
  $("detail").replaceChildren(el("button", { class: "back", type: "button", click: back }, "← Findings"), ...overviewView(false));
  history.replaceState(null, "", location.pathname + location.search);
}

/* --- advice: what would make the program cost less, by what it saves --- */

const SAVES = { memory: "memory", bandwidth: "bandwidth", gpu: "time of the GPU", cpu: "time of the CPU", portability: "trouble on other devices" };
const ADVICE_PLACES = 5;

/* The places of an id, the most frequent first. */
function advicePlaces(index) {
  const rows = [...state.rows.keys()].filter(i => state.rows[i][RULE] === index && STATUSES[state.rows[i][STATUS]] !== "gone").sort((a, b) => state.rows[b][COUNT] - state.rows[a][COUNT] || a - b);
  return el("ul", { class: "places" }, rows.slice(0, ADVICE_PLACES).map(i => el("li", null,
    el("button", { class: "link", type: "button", click: () => select(i) }, brief(state.rows[i][MESSAGE])), " ", el("span", { class: "mono" }, state.rows[i][SHADER] || state.rows[i][PLACE]), " ", el("span", { class: "soft" }, `${format(state.rows[i][COUNT])}×`))),
  rows.length > ADVICE_PLACES ? el("li", null, el("button", { class: "link", type: "button", click: () => searchFor(state.data.rules[index].id, "id:") }, `and ${plural(rows.length - ADVICE_PLACES, "more place")}`)) : null);
}

/* Errors come first: advice on a program that has some says so. */
function adviceIntro() {
  const errors = state.data.rules.filter(rule => rule.severity === "error" && !rule.saves).reduce((sum, rule) => sum + rule.count, 0);
  return el("p", { class: "soft" }, errors ? `${plural(errors, "error")} ${errors === 1 ? "was" : "were"} found as well: mend ${errors === 1 ? "it" : "those"} first.` : "No error was found.", " This is where the program costs more than it needs to.");
}

function adviceView() {
  const rules = state.data.rules.map((rule, index) => ({ rule, index })).filter(({ rule }) => rule.saves && rule.count);
  return [el("h2", null, "Advice"), adviceIntro(),
    ...Object.entries(SAVES).map(([saves, title]) => [title, rules.filter(({ rule }) => rule.saves === saves)]).filter(([, some]) => some.length).flatMap(([title, some]) => [
      el("h3", { class: "as-is" }, `What saves ${title}`),
      ...some.map(({ rule, index }) => el("section", { class: "advice" }, el("h4", null, rule.id, " ", el("span", { class: "soft" }, plural(rule.count, "time"))),
        rule.cost ? el("p", null, rule.cost) : null, rule.instead ? el("p", null, el("b", null, "Instead: "), rule.instead.split("\n")[0]) : null, advicePlaces(index)))])];
}

function advice() {
  state.selected = -1;
  $("detail").replaceChildren(el("button", { class: "back", type: "button", click: back }, "← Findings"), ...adviceView());
  $("detail").scrollTop = 0;
  history.replaceState(null, "", "#advice");
}

/* --- controls --- */

/* The file's name, where no other one has the same. */
function shortPath(path, files) {
  return files.filter(file => baseName(file.path) === baseName(path)).length > 1 ? path : baseName(path);
}

function chips(box, names, key, set) {
  const counts = new Map();
  for (const row of state.rows) counts.set(row[key], (counts.get(row[key]) || 0) + 1);
  const values = [...counts.keys()].sort((a, b) => a - b);
  if (key === STATUS ? !state.data.since : values.length < 2) return;
  for (const value of values) {
    const chip = el("button", { type: "button", class: "chip", "aria-pressed": "false", click: () => {
      if (!set.delete(value)) set.add(value);
      chip.setAttribute("aria-pressed", String(set.has(value)));
      refresh(true);
    } }, key === SEVERITY ? el("span", { class: `dot ${names[value]}` }) : null, names[value], el("span", { class: "n" }, format(counts.get(value))));
    box.append(chip);
  }
}

function remember(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch { /* a page of a file may have no storage */ }
  return null;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
function theme(next) {
  const names = ["system", "dark", "light"];
  state.theme = next ? names[(names.indexOf(state.theme) + 1) % 3] : remember("assay-theme") || "system";
  if (next) remember("assay-theme", state.theme);
  document.documentElement.classList.toggle("dark", state.theme === "dark" || (state.theme === "system" && dark.matches));
  $("theme").textContent = { system: "Theme: system", dark: "Theme: dark", light: "Theme: light" }[state.theme];
}

function enter() {
  const item = state.items[state.at];
  if (item && item.row === undefined) return toggle(item.group);
  document.body.classList.add("detailed");
  $("detail").focus();
}

/* To the group's head, or closes it; or opens it. */
function sideways(open) {
  const item = state.items[state.at];
  if (!item || !item.group) return;
  if (item.row !== undefined) {
    if (!open) go(state.items.findIndex(other => other.row === undefined && other.group === item.group));
  } else if (state.closed.has(item.group.name) === open) toggle(item.group);
}

const KEYS = {
  ArrowDown: () => go(state.at + 1), j: () => go(state.at + 1), ArrowUp: () => go(state.at - 1), k: () => go(state.at - 1),
  PageDown: () => go(state.at + 10), PageUp: () => go(state.at - 10), Home: () => go(0), End: () => go(state.items.length - 1),
  ArrowRight: () => sideways(true), ArrowLeft: () => sideways(false), Enter: enter,
  "/": () => $("search").focus(), o: overview, a: () => $("advice").hidden || advice(), t: () => theme(true), "?": () => $("help").showModal(), c: () => document.querySelector("#detail .copy")?.click(),
  p: () => printFindings(), Escape: back,
};
const EVERYWHERE = ["j", "k", "/", "o", "a", "t", "?", "c", "p", "Escape"];

function keyboard(event) {
  const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName), inList = $("list").contains(event.target) || event.target === document.body;
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || !KEYS[event.key]) return;
  if (inField) {
    if (event.target.id !== "search" || !["Escape", "ArrowDown", "Enter"].includes(event.key)) return;
    if (event.key === "Escape" && $("search").value) {
      $("search").value = "";
      refresh(true);
    } else {
      $("list").focus();
      if (event.key !== "Escape") go(state.items[0] && state.items[0].row === undefined ? 1 : 0);
    }
    event.preventDefault();
    return;
  }
  if (!inList && !EVERYWHERE.includes(event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  let frame = 0;
  const soon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => refresh(true));
  };
  $("filters").addEventListener("submit", event => event.preventDefault());
  $("search").addEventListener("input", soon);
  for (const id of ["group", "sort", "file"]) $(id).addEventListener("change", () => refresh(true));
  let scrolled = 0;
  $("list").addEventListener("scroll", () => {
    cancelAnimationFrame(scrolled);
    scrolled = requestAnimationFrame(draw);
  });
  $("list").addEventListener("click", event => {
    const element = event.target.closest(".item");
    if (!element) return;
    const index = Number(element.dataset.index), item = state.items[index];
    if (item.row === undefined) {
      state.at = index;
      toggle(item.group);
    } else {
      go(index);
      document.body.classList.add("detailed");
    }
  });
  $("overview").addEventListener("click", () => {
    overview();
    document.body.classList.add("detailed");
  });
  $("advice").addEventListener("click", () => {
    advice();
    document.body.classList.add("detailed");
  });
  $("theme").addEventListener("click", () => theme(true));
  $("keys").addEventListener("click", () => $("help").showModal());
  dark.addEventListener("change", () => theme(false));
  $("print").addEventListener("click", () => printFindings());
  let resized = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(resized);
    resized = requestAnimationFrame(() => {
      measureAll();
      drawRoomily();
      drawPictures($("detail"));
    });
  });
  listenForPaper();
  document.addEventListener("keydown", keyboard);
}

async function start() {
  theme(false);
  if (!("DecompressionStream" in window)) {
    $("detail").replaceChildren(el("p", null, "This page needs a browser of 2023 or later (DecompressionStream)."));
    return;
  }
  const data = (state.data = await unpack($("index")));
  state.rows = data.rows;
  $("total").replaceChildren(el("b", null, format(data.findings)), data.findings === 1 ? " finding, " : " findings, ", el("b", null, format(data.different)), " different, of ", el("b", null, plural(data.rules.filter(rule => rule.count).length, "id")), ` in ${plural(data.files.filter(file => !file.old).length, "file")}`);
  $("file").append(el("option", { value: "" }, "all"), ...data.files.map((file, i) => (file.old ? null : el("option", { value: i, title: file.path }, shortPath(file.path, data.files)))).filter(Boolean));
  $("advice").hidden = !data.rules.some(rule => rule.saves && rule.count);
  $("found-in").hidden = data.files.filter(file => !file.old).length < 2;
  chips($("severities"), SEVERITIES, SEVERITY, state.severities);
  chips($("statuses"), STATUSES, STATUS, state.statuses);
  listen();
  refresh();
  overview();
  state.ready = performance.now();
  readPart(0); /* so that it can be printed without waiting */
}

/* For tests, and for whoever looks into the page by hand. */
window.assay = state;
const asked = location.hash.slice(1);
start().then(() => {
  const index = Number(asked);
  if (asked === "advice" && !$("advice").hidden) advice();
  if (asked === "" || !state.rows[index]) return;
  go(state.items.findIndex(item => item.row === index));
});
