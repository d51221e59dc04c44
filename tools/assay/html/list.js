/* The list: only the rows in view are made. Rows are as high as their text asks for, which is known when a row has been made; until
 * then its height is an estimate. A tree of sums (Fenwick's) finds places and rows in a few steps, however many rows there are. */

const MARGIN = 300; /* pixels of rows that are made beyond those in view */

const heights = { count: 0, sizes: new Float64Array(0), sums: new Float64Array(1) };

function heightsReset(estimates) {
  const count = estimates.length, sums = new Float64Array(count + 1);
  for (let i = 1; i <= count; i++) {
    sums[i] += estimates[i - 1];
    const next = i + (i & -i);
    if (next <= count) sums[next] += sums[i];
  }
  Object.assign(heights, { count, sizes: estimates, sums });
}

function heightsSet(index, size) {
  const change = size - heights.sizes[index];
  if (!change) return;
  heights.sizes[index] = size;
  for (let i = index + 1; i <= heights.count; i += i & -i) heights.sums[i] += change;
}

/* Where a row begins; of the one after the last: how high all are. */
function offsetOf(index) {
  let sum = 0;
  for (let i = Math.min(index, heights.count); i > 0; i -= i & -i) sum += heights.sums[i];
  return sum;
}

/* The row at a place. */
function rowAt(place) {
  let index = 0, rest = place;
  for (let step = 1 << Math.floor(Math.log2(Math.max(1, heights.count))); step; step >>= 1)
    if (index + step <= heights.count && heights.sums[index + step] <= rest) rest -= heights.sums[(index += step)];
  return Math.max(0, Math.min(index, heights.count - 1));
}

/* What a row will need, by how many letters it has. */
function estimate(item, letters) {
  if (item.row === undefined) return 21 + 19 * Math.ceil(item.group.name.length / letters);
  const row = state.rows[item.row];
  return 33 + 20 * Math.min(6, Math.max(1, Math.ceil((row[MESSAGE].length + 8) / letters)));
}

function measureAll() {
  const letters = Math.max(20, ($("list").clientWidth - 96) / 6.9), estimates = new Float64Array(state.items.length);
  for (let i = 0; i < estimates.length; i++) estimates[i] = estimate(state.items[i], letters);
  heightsReset(estimates);
}

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

/* As a list shows it: names without their handles, flags without what all of them have; of what a shader found, the sentence
 * without the place, which the row has below. */
function brief(message) {
  const place = message.search(/ Command buffer \((?=[^]* Shader Instruction Index = )/);
  return (place > 0 ? message.slice(0, place) : message).replace(/(Vk\w+) 0x[0-9a-f]+ (?=")/g, "$1 ").replace(/VK_(?:PIPELINE_STAGE|ACCESS)_(?:2_)?(\w+?)_BIT\b/g, "$1").replace(/\s+/g, " ");
}

function groupItem(item, index, wanted) {
  const open = !state.closed.has(item.group.name), severity = SEVERITIES[item.group.severity];
  return el("div", { class: `item group ${open ? "open" : ""}`, role: "treeitem", id: `item-${index}`, "aria-level": 1, "aria-expanded": String(open), "data-index": index },
    el("span", { class: "twist", "aria-hidden": "true" }, "▸"), el("span", { class: `dot ${severity}`, role: "img", "aria-label": severity }),
    el("span", { class: "name" }, marked(item.group.name, wanted)),
    el("span", { class: "count", title: `${plural(item.group.rows.length, "different finding")}, ${plural(item.group.count, "time")}` }, `${format(item.group.rows.length)} · ${format(item.group.count)}×`));
}

function rowItem(item, index, wanted) {
  const row = state.rows[item.row], names = new Set(), severity = SEVERITIES[row[SEVERITY]];
  for (let i = 0; i < row[OBJECTS].length; i += 2) if (row[OBJECTS][i + 1]) names.add(row[OBJECTS][i + 1]);
  return el("div", { class: "item", role: "treeitem", id: `item-${index}`, "aria-level": item.group ? 2 : 1, "aria-setsize": item.group ? item.group.rows.length : state.items.length, "data-index": index },
    el("div", { class: "line" }, item.group && $("group").value === "rule" ? null : el("span", { class: `dot ${severity}`, role: "img", "aria-label": severity }),
      el("span", { class: "message" }, row[STATUS] ? [el("span", { class: `badge ${STATUSES[row[STATUS]]}` }, STATUSES[row[STATUS]]), " "] : null, marked(brief(row[MESSAGE]), wanted)),
      el("span", { class: "count" }, `${format(row[COUNT])}×`)),
    el("div", { class: "under" }, [row[SHADER], row[PLACE]].filter(Boolean).map(place => el("span", { class: "mono" }, marked(place, wanted))), el("span", null, marked([...names].join(", "), wanted))));
}

/* Makes the rows in view, and learns how high they are. */
function draw() {
  const list = $("list"), rows = $("rows"), shown = $("shown-rows"), wanted = words();
  for (let pass = 0; pass < 4; pass++) {
    const top = Math.max(0, Math.min(list.scrollTop, offsetOf(heights.count) - list.clientHeight)), anchor = rowAt(top), within = top - offsetOf(anchor);
    const first = rowAt(Math.max(0, top - MARGIN)), made = [];
    for (let i = first, y = offsetOf(first); i < heights.count && y < top + list.clientHeight + MARGIN; y += heights.sizes[i++]) {
      const item = state.items[i], element = item.row === undefined ? groupItem(item, i, wanted) : rowItem(item, i, wanted);
      if (i === state.at) {
        element.classList.add("current");
        element.setAttribute("aria-selected", "true");
      }
      made.push(element);
    }
    shown.replaceChildren(...made);
    let learnt = false;
    made.map(element => element.getBoundingClientRect().height).forEach((height, i) => {
      learnt = learnt || Math.abs(height - heights.sizes[first + i]) > 0.5;
      heightsSet(first + i, height);
    });
    rows.style.height = `${offsetOf(heights.count)}px`;
    shown.style.transform = `translateY(${offsetOf(first)}px)`;
    if (!learnt) break;
    if (Math.abs(list.scrollTop - (offsetOf(anchor) + within)) > 0.5) list.scrollTop = offsetOf(anchor) + within;
  }
  if (document.getElementById(`item-${state.at}`)) list.setAttribute("aria-activedescendant", `item-${state.at}`);
  else list.removeAttribute("aria-activedescendant");
}

const ROOMY_MOST = 60; /* more rows than this never fit */

/* Where all rows fit into the list with all of their text, nothing is cut. */
function drawRoomily() {
  const list = $("list");
  list.classList.toggle("roomy", state.items.length <= ROOMY_MOST);
  draw();
  if (!list.classList.contains("roomy") || offsetOf(heights.count) <= list.clientHeight) return;
  list.classList.remove("roomy");
  draw();
}

/* Scrolls so that the row is in view; twice, as its height may not be known at first. */
function bringIntoView(index) {
  const list = $("list");
  for (let pass = 0; pass < 2; pass++) {
    const top = offsetOf(index), bottom = top + heights.sizes[index];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    draw();
  }
}
