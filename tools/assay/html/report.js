/* The page of the HTML report: what there is, a list of it that only makes the rows in view, and one finding in full. The pictures are picture.js's. */

const SEVERITIES = ["error", "warning", "performance", "info", "debug"];
const STATUSES = ["", "new", "moved", "known", "gone"];
const ROW = 52, MARGIN = 8; /* a row's height; rows made beyond those in view */
const RULE = 0, SEVERITY = 1, STATUS = 2, COUNT = 3, KIND = 4, MESSAGE = 5, PLACE = 6, COMMAND = 7, OBJECTS = 8, ORIGINS = 9;

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

const state = { data: null, rows: [], hay: [], order: [], items: [], closed: new Set(), at: -1, selected: -1, severities: new Set(), statuses: new Set(), parts: new Map() };

/* --- what is shown: filters, order, groups --- */

function haystack(row) {
  const rule = state.data.rules[row[RULE]];
  return [rule.id, row[MESSAGE], row[PLACE], row[COMMAND], ...row[OBJECTS]].join("\n").toLowerCase();
}

/* Words that all must be there; "quoted ones" as they stand; -those must not. */
function words() {
  return [...$("search").value.toLowerCase().matchAll(/(-?)(?:"([^"]+)"|(\S+))/g)].map(m => ({ not: m[1] === "-", text: m[2] || m[3] })).filter(w => w.text);
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
    if (wanted.length && !wanted.every(word => state.hay[i].includes(word.text) !== word.not)) continue;
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

const GROUPS = {
  rule: row => state.data.rules[row[RULE]].id,
  place: row => row[PLACE] || "place not known",
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
  let total = 0;
  for (const index of state.order) total += state.rows[index][COUNT];
  $("shown").textContent = `${plural(state.order.length, "different finding")} of ${format(state.rows.length)}, ${plural(total, "time")}`;
  state.at = before >= 0 ? state.items.findIndex(item => item.row === before) : -1;
  if (state.at < 0) $("list").scrollTop = 0;
  draw();
  state.filterTime = performance.now() - began;
}

/* --- the list --- */

/* Text with the words that were searched for marked. */
function marked(text, wanted) {
  const lower = text.toLowerCase(), spans = [];
  for (const word of wanted) {
    if (word.not) continue;
    for (let at = lower.indexOf(word.text); at >= 0; at = lower.indexOf(word.text, at + word.text.length)) spans.push([at, at + word.text.length]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  const parts = [];
  let end = 0;
  for (const [from, to] of spans) {
    if (from < end) continue;
    parts.push(text.slice(end, from), el("mark", null, text.slice(from, to)));
    end = to;
  }
  parts.push(text.slice(end));
  return parts;
}

function groupItem(item, index, wanted) {
  const open = !state.closed.has(item.group.name);
  return el("div", { class: `item group ${open ? "open" : ""}`, role: "treeitem", id: `item-${index}`, "aria-level": 1, "aria-expanded": String(open), "data-index": index },
    el("span", { class: "twist", "aria-hidden": "true" }, "▸"), el("span", { class: `dot ${SEVERITIES[item.group.severity]}`, title: SEVERITIES[item.group.severity] }),
    el("span", { class: "name", title: item.group.name }, marked(item.group.name, wanted)), el("span", { class: "count" }, `${format(item.group.rows.length)} · ${format(item.group.count)}×`));
}

function rowItem(item, index, wanted) {
  const row = state.rows[item.row], names = [];
  for (let i = 0; i < row[OBJECTS].length; i += 2) if (row[OBJECTS][i + 1]) names.push(row[OBJECTS][i + 1]);
  return el("div", { class: "item", role: "treeitem", id: `item-${index}`, "aria-level": item.group ? 2 : 1, "aria-setsize": item.group ? item.group.rows.length : state.items.length, "data-index": index },
    el("div", { class: "line" }, item.group && $("group").value === "rule" ? null : el("span", { class: `dot ${SEVERITIES[row[SEVERITY]]}` }),
      row[STATUS] ? el("span", { class: `badge ${STATUSES[row[STATUS]]}` }, STATUSES[row[STATUS]]) : null,
      el("span", { class: "message" }, marked(row[MESSAGE], wanted)), el("span", { class: "count" }, `${format(row[COUNT])}×`)),
    el("div", { class: "under" }, el("span", { class: "mono" }, marked(row[PLACE], wanted)), el("span", null, marked(names.join(", "), wanted))));
}

function draw() {
  const list = $("list"), first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN);
  const end = Math.min(state.items.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN), wanted = words();
  const rows = $("rows"), made = [];
  rows.style.height = `${state.items.length * ROW}px`;
  for (let i = first; i < end; i++) {
    const element = state.items[i].row === undefined ? groupItem(state.items[i], i, wanted) : rowItem(state.items[i], i, wanted);
    element.style.top = `${i * ROW}px`;
    if (i === state.at) {
      element.classList.add("current");
      element.setAttribute("aria-selected", "true");
    }
    made.push(element);
  }
  rows.replaceChildren(...made);
  if (state.at >= first && state.at < end) list.setAttribute("aria-activedescendant", `item-${state.at}`);
  else list.removeAttribute("aria-activedescendant");
}

function toggle(group) {
  if (!state.closed.delete(group.name)) state.closed.add(group.name);
  const at = state.items[state.at];
  layOut();
  state.at = state.items.findIndex(item => (at && at.row !== undefined ? item.row === at.row : item.row === undefined && item.group.name === group.name));
  if (state.at < 0) state.at = state.items.findIndex(item => item.row === undefined && item.group.name === group.name);
  draw();
}

/* Goes to an item of the list. */
function go(index) {
  const list = $("list");
  if (!state.items.length) return;
  state.at = Math.max(0, Math.min(state.items.length - 1, index));
  const top = state.at * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  draw();
  const item = state.items[state.at];
  if (item.row !== undefined) select(item.row);
}

/* --- one finding --- */

async function detail(index) {
  const number = Math.floor(index / state.data.partSize);
  if (!state.parts.has(number)) {
    const part = document.querySelectorAll("script.part")[number];
    state.parts.set(number, part ? unpack(part) : Promise.resolve([]));
    if (state.parts.size > 50) state.parts.delete(state.parts.keys().next().value);
  }
  return (await state.parts.get(number))[index % state.data.partSize];
}

const handleText = object => (object ? `${object.type}${object.name ? ` "${object.name}"` : ` ${object.handle}`}` : "");

/* The caller, and what called it, a line each. Findings of older layers have no stack. */
function stackOf(finding) {
  const stack = finding.stack || [finding.caller];
  const same = frame => frame.module === finding.caller.module && frame.offset === finding.caller.offset;
  const first = Math.max(stack.findIndex(same), 0);
  return stack.slice(first).map(frame => el("p", { class: "mono" }, callerText(frame)));
}

function callerText(caller) {
  if (!caller) return "";
  if (caller.file) return `${caller.file}:${caller.line}${caller.function ? `, ${caller.function}` : ""}`;
  const symbol = caller.symbol ? ` (${caller.symbol}+${caller.symbolOffset})` : "";
  return `${caller.module ? `${caller.module}+` : ""}${caller.offset}${symbol}`;
}

/* C, with just enough colour to find one's way. */
function highlight(text) {
  const parts = [], pattern = /(\/\*[\s\S]*?\*\/|\/\/.*)|("(?:[^"\\]|\\.)*")|\b(const|struct|return|if|for|while|uint32_t|void)\b|\b(VK_[A-Z0-9_]+|\d[\w.]*)\b/g;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), el("span", { class: match[1] ? "c" : match[2] ? "s" : match[3] ? "k" : "v" }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

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
function mend(text) {
  const line = text.indexOf("\n"), says = line < 0 ? text : text.slice(0, line), code = line < 0 ? "" : text.slice(line + 1);
  const sentence = says.charAt(0).toUpperCase() + says.slice(1);
  return [el("h3", null, "What mends it"), el("p", { class: "what" }, sentence), code ? codeBlock(code) : null];
}

function rangeText(range) {
  if (!range) return "";
  if (range.size !== undefined) return `bytes ${format(range.offset)} to ${format(range.offset + range.size - 1)}`;
  const some = (first, count, noun) => (count === 1 ? `${noun} ${first}` : `${noun}s ${first} to ${first + count - 1}`);
  const aspects = (range.aspects || []).map(a => a.replace("VK_IMAGE_ASPECT_", "").replace("_BIT", "").toLowerCase()).join(", ");
  return [aspects, some(range.baseMipLevel, range.levelCount, "mip level"), some(range.baseArrayLayer, range.layerCount, "layer"), range.rowCount ? some(range.firstRow, range.rowCount, "row") : ""].filter(Boolean).join(", ");
}

function searchFor(text) {
  $("search").value = `"${text}"`;
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
    side.caller ? el("p", { class: "mono" }, callerText(side.caller)) : null);
}

function table(head, rows) {
  return el("table", null, el("thead", null, el("tr", null, head.map(text => el("th", { scope: "col" }, text)))), el("tbody", null, rows));
}

function sections(row, finding) {
  const rule = state.data.rules[row[RULE]], out = [], sync = finding.sync;
  if (sync && sync.hazard) {
    out.push(...pictures(finding));
    if (sync.between && sync.between.text) out.push(el("h3", null, "What stands between"), el("p", { class: "what" }, sync.between.text));
    if (sync.mend && sync.mend.text) out.push(...mend(sync.mend.text));
    out.push(el("h3", null, "The two accesses"), el("div", { class: "sides" }, sideCard("this", sync.this), sideCard("earlier", sync.earlier)));
  } else if (sync && sync.text) {
    out.push(el("h3", null, "Advice"), codeBlock(sync.text));
  }
  if (finding.caller && !(sync && sync.this)) out.push(el("h3", null, "Called by"), ...stackOf(finding));
  if (finding.objects && finding.objects.length)
    out.push(el("h3", null, "Objects"), table(["type", "name", "handle"], finding.objects.map(object => el("tr", null, el("td", null, object.type),
      el("td", null, object.name ? el("button", { class: "link", type: "button", title: "Search for it", click: () => searchFor(object.name) }, object.name) : "—"), el("td", { class: "mono" }, object.handle)))));
  for (const [key, title] of [["queueLabels", "Queue labels"], ["commandBufferLabels", "Command buffer labels"]])
    if (finding[key] && finding[key].length) out.push(el("h3", null, title), el("p", null, finding[key].join(" › ")));
  if (rule.spec) {
    const long = rule.spec.length > 700;
    out.push(el("h3", null, rule.url ? "The specification" : "What it means"), el("div", { class: "spec" }, el("p", null, long ? `${rule.spec.slice(0, 700)} …` : rule.spec), rule.url ? el("p", null, el("a", { href: rule.url, rel: "noreferrer" }, rule.id)) : null));
  }
  if (row[ORIGINS].length) {
    const rows = [];
    for (let i = 0; i < row[ORIGINS].length && i < 100; i += 2) rows.push(el("tr", null, el("td", null, state.data.files[row[ORIGINS][i]].path), el("td", { class: "n" }, format(row[ORIGINS][i + 1]))));
    out.push(el("h3", null, "Found in"), table(["file", "times"], rows), row[ORIGINS].length > 100 ? el("p", null, `and ${plural(row[ORIGINS].length / 2 - 50, "more file")}`) : null);
  }
  if (finding.parameters) out.push(el("h3", null, "Parameters"), el("div", { class: "code" }, el("pre", { tabindex: 0 }, finding.parameters)));
  out.push(el("h3", null, "More"), el("p", null, finding.application ? `application ${finding.application}, ` : "", `thread ${finding.thread ?? "not known"}`),
    el("details", null, el("summary", null, "JSON"), el("pre", { class: "mono" }, JSON.stringify({ vuid: rule.id, ...finding }, null, 2))));
  return out.filter(Boolean);
}

async function select(index) {
  state.selected = index;
  const row = state.rows[index], rule = state.data.rules[row[RULE]], severity = SEVERITIES[row[SEVERITY]];
  const finding = await detail(index);
  if (state.selected !== index) return;
  const article = $("detail");
  article.replaceChildren(...[
    el("button", { class: "back", type: "button", click: () => document.body.classList.remove("detailed") }, "← Findings"),
    el("h2", null, el("span", { class: `badge severity ${severity}` }, severity), row[STATUS] ? el("span", { class: `badge ${STATUSES[row[STATUS]]}` }, STATUSES[row[STATUS]]) : null, el("span", null, rule.id), el("span", { class: "count" }, plural(row[COUNT], "time"))),
    el("p", { class: "what" }, row[MESSAGE]), ...(finding ? sections(row, finding) : [el("p", null, "Its details are not in this page.")])].filter(Boolean));
  article.scrollTop = 0;
  history.replaceState(null, "", `#${index}`);
}

/* --- the overview --- */

function bars(title, entries, pick) {
  const most = Math.max(...entries.map(entry => entry.count), 1);
  if (!entries.length) return [];
  return [el("h3", null, title), el("div", { class: "bars" }, entries.map(entry => [
    el("button", { class: "link", type: "button", title: entry.name, click: () => pick(entry) }, entry.name),
    el("div", { class: `bar ${entry.tone || ""}`, style: `width:${Math.max(0.4, (100 * entry.count) / most)}%` }), el("span", { class: "count" }, format(entry.count))]))];
}

function counted(key, rows) {
  const counts = new Map();
  for (const row of rows) {
    const name = key(row);
    if (name) counts.set(name, (counts.get(name) || 0) + row[COUNT]);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

function overview() {
  const data = state.data, cards = [[data.findings, "findings"], [data.different, "different ones"], [data.rules.filter(rule => rule.count).length, "ids"], [data.files.filter(file => !file.old).length, "files"]];
  const present = state.rows.filter(row => STATUSES[row[STATUS]] !== "gone");
  if (data.since) for (const status of [1, 2, 4]) cards.push([state.rows.filter(row => row[STATUS] === status).length, `${STATUSES[status]} since the older run`]);
  if (data.damaged) cards.push([data.damaged, "damaged lines left out"]);
  state.selected = -1;
  const rules = data.rules.filter(rule => rule.count).slice(0, 12).map(rule => ({ name: rule.id, count: rule.count, tone: rule.severity }));
  $("detail").replaceChildren(
    el("h2", null, "Overview"), el("p", { class: "total" }, `made by ${data.tool} on ${data.made}`),
    el("div", { class: "cards" }, cards.map(([n, text]) => el("div", { class: "card" }, el("b", null, format(n)), el("span", null, text)))),
    ...bars("By id", rules, entry => searchFor(entry.name)),
    ...bars("By place", counted(row => row[PLACE], present).slice(0, 10), entry => searchFor(entry.name)),
    ...bars("By object", counted(row => (objectOf(row).includes('"') ? objectOf(row) : ""), present).slice(0, 10), entry => searchFor(entry.name.replace(/^.*?"|"$/g, ""))),
    ...bars("By file", data.files.filter(file => !file.old).map((file, i) => ({ name: file.path, count: file.findings, i })).sort((a, b) => b.count - a.count).slice(0, 10), entry => {
      $("file").value = String(data.files.findIndex(file => file.path === entry.name));
      refresh();
    }),
    ...(data.complaints.length ? [el("h3", null, "What could not be read"), ...data.complaints.map(text => el("p", { class: "complaint" }, text))] : []),
    ...(state.rows.length < data.different ? [el("p", { class: "complaint" }, `This page has the ${format(state.rows.length)} most frequent of ${format(data.different)} different findings; assay report --sqlite has them all.`)] : []));
  history.replaceState(null, "", location.pathname + location.search);
}

/* --- controls --- */

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
  "/": () => $("search").focus(), o: overview, t: () => theme(true), "?": () => $("help").showModal(), c: () => document.querySelector("#detail .copy")?.click(),
  Escape: () => {
    document.body.classList.remove("detailed");
    $("list").focus();
  },
};
const EVERYWHERE = ["j", "k", "/", "o", "t", "?", "c", "Escape"];

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
  $("list").addEventListener("scroll", () => requestAnimationFrame(draw));
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
  $("theme").addEventListener("click", () => theme(true));
  $("keys").addEventListener("click", () => $("help").showModal());
  dark.addEventListener("change", () => theme(false));
  addEventListener("resize", draw);
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
  $("file").append(el("option", { value: "" }, "all"), ...data.files.map((file, i) => (file.old ? null : el("option", { value: i }, file.path))).filter(Boolean));
  chips($("severities"), SEVERITIES, SEVERITY, state.severities);
  chips($("statuses"), STATUSES, STATUS, state.statuses);
  listen();
  refresh();
  overview();
  state.ready = performance.now();
}

/* For tests, and for whoever looks into the page by hand. */
window.assay = state;
const asked = location.hash.slice(1);
start().then(() => {
  const index = Number(asked);
  if (asked === "" || !state.rows[index]) return;
  go(state.items.findIndex(item => item.row === index));
});
