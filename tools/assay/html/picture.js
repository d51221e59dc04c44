/* Pictures of what was not synchronized. Within a command buffer the stages are lanes, barriers are the bridges between them
 * that they are, and the missing one is dashed. Between submissions it is a timeline of queues, with semaphores as arrows.
 *
 * A picture is drawn for the width that it has, so that its letters are as large as those of the page. What does not fit into
 * it stands below, in a list with the same numbers: pictures stay free of labels that lie on each other. */

const STAGE_ORDER = ["HOST", "DRAW_INDIRECT", "INDEX_INPUT", "VERTEX_ATTRIBUTE_INPUT", "VERTEX_SHADER",
  "TESSELLATION_CONTROL_SHADER", "TESSELLATION_EVALUATION_SHADER", "GEOMETRY_SHADER", "TASK_SHADER_EXT", "MESH_SHADER_EXT",
  "FRAGMENT_SHADING_RATE_ATTACHMENT_KHR", "EARLY_FRAGMENT_TESTS", "FRAGMENT_SHADER", "LATE_FRAGMENT_TESTS",
  "COLOR_ATTACHMENT_OUTPUT", "COMPUTE_SHADER", "RAY_TRACING_SHADER_KHR", "ACCELERATION_STRUCTURE_BUILD_KHR",
  "ACCELERATION_STRUCTURE_COPY_KHR", "CLEAR", "COPY", "BLIT", "RESOLVE"];
const PAD = 12, LANES_MOST = 7, LANE = 64, COLUMN = 52, GUTTER = 18, BOX = 40, LINE = 14, GAP = 56, PORT = 20, BOX_LEAST = 170;
const SCALE_LEAST = 0.72; /* a picture that is too wide is made smaller down to this; then it is scrolled */

function shortFlag(name) {
  return name.replace(/^VK_(PIPELINE_STAGE|ACCESS)_(2_)?/, "").replace(/_BIT(?=_|$)/, "");
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
  return element;
}

/* --- text --- */

const FONTS = { mono: ["11.5px", "--mono", ""], soft: ["11px", "--sans", ""], fault: ["11px", "--sans", ""],
  "missing-text": ["12px", "--sans", "600 "], badge: ["11px", "--sans", "600 "] };
const pen = document.createElement("canvas").getContext("2d");

/* The text in the picture, by the fonts that this browser has. */
function measured(string, kind) {
  const [size, family, weight] = FONTS[kind];
  pen.font = `${weight}${size} ${getComputedStyle(document.documentElement).getPropertyValue(family)}`;
  return pen.measureText(string);
}

const widthOf = (string, kind) => measured(string, kind).width;

/* From the base line of one text to that of the text below it: `least`, or more where the fonts of this browser are taller. */
function leadBetween(above, below, least) {
  return Math.max(least, Math.ceil(measured("", above).fontBoundingBoxDescent) + Math.ceil(measured("", below).fontBoundingBoxAscent));
}

/* As much of it as fits. */
function fitting(string, most, kind) {
  if (widthOf(string, kind) <= most) return string;
  let length = Math.max(1, Math.floor((string.length * most) / widthOf(string, kind)));
  while (length > 1 && widthOf(`${string.slice(0, length)}…`, kind) > most) length--;
  return `${string.slice(0, length)}…`;
}

/* Text at a place, cut to `most`; what was cut off is told where one points at it. */
function label(x, y, anchor, kind, string, most) {
  const shown = most === undefined ? string : fitting(string, most, kind);
  return svg("text", { x, y, "text-anchor": anchor, class: kind }, shown === string ? null : svg("title", null, string), shown);
}

function badge(x, y, mark, tone) {
  return svg("g", { class: `badge-mark ${tone || ""}` }, svg("circle", { cx: x, cy: y, r: 9.5 }), label(x, y + 4, "middle", "badge", mark));
}

/* --- what a side is --- */

function stagesOf(side) {
  if (side && side.stages && side.stages.length) return side.stages.map(shortFlag);
  if (side && /TRANSITION/.test(side.usage || "")) return ["layout transition"];
  return [side && /PRESENT/.test(side.usage || "") ? "presentation engine" : "no stage"];
}

const accessesOf = side => ((side && side.accesses) || []).map(shortFlag).join(" | ");
const verbOf = side => (side && side.write ? "write" : "read");
const nameOf = object => (object ? object.name || `${object.type} ${object.handle}` : "");

function stageRank(stage) {
  const rank = STAGE_ORDER.indexOf(stage);
  return rank < 0 ? STAGE_ORDER.length : rank;
}

function boxTexts(side) {
  return [(side && side.command) || "not known", accessesOf(side) || verbOf(side)];
}

/* The text in lines that are not wider than `most`, broken at blanks, and where a word is wider, at places that `at` finds. */
function linesOf(string, at, most, kind) {
  const lines = [""], pieces = string.split(/(?<= )/).flatMap(word => (widthOf(word.trimEnd(), kind) <= most ? word : word.split(at)));
  for (const piece of pieces) {
    const longer = lines[lines.length - 1] + piece;
    if (!lines[lines.length - 1] || widthOf(longer.trimEnd(), kind) <= most) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines.map(line => line.trim());
}

/* How large the box of an access is, and its lines, each with its kind and its base line below the top: commands break before a
 * capital letter, flags after `_`. */
function boxOf(side, most) {
  const [command, access] = boxTexts(side), commands = linesOf(command, /(?<=[a-z0-9])(?=[A-Z])/, most - 20, "mono"), accesses = linesOf(access, /(?<=_)/, most - 20, "soft");
  const wide = Math.max(...commands.map(line => widthOf(line, "mono")), ...accesses.map(line => widthOf(line, "soft")));
  const lines = [...commands.map(line => ({ line, kind: "mono" })), ...accesses.map(line => ({ line, kind: "soft" }))];
  lines.forEach((one, i) => {
    const above = i ? lines[i - 1] : null;
    one.y = above ? above.y + leadBetween(above.kind, one.kind, above.kind === one.kind ? LINE : LINE + 2) : 17;
  });
  return { side, command, lines, width: Math.min(most, Math.max(100, Math.ceil(wide) + 20)), height: lines[lines.length - 1].y + 7 };
}

/* The box, its middle at (x, y). */
function accessBox({ side, command, lines, width, height }, x, y) {
  const top = y - height / 2;
  return svg("g", { class: "box", "data-command": command },
    svg("rect", { class: `access ${verbOf(side)}`, x: x - width / 2, y: top, width, height, rx: 7 }),
    lines.map(one => label(x, top + one.y, "middle", one.kind, one.line, width - 12)));
}

/* --- what is missing --- */

const MISSING = { "subpass dependency": "missing subpass dependency", semaphore: "missing semaphore",
  "host wait": "missing wait of the host", "wider first scope": "missing in the first scope",
  "wider second scope": "missing in the second scope" };

/* What is missing, in few words: [what, from, to]. */
function missingParts(sync) {
  const earlier = sync.earlier || {}, self = sync.this || {};
  const half = side => [stagesOf(side).join(" | "), earlier.write ? accessesOf(side) : ""].filter(Boolean).join(" / ");
  return [MISSING[sync.mend && sync.mend.kind] || "missing", half(earlier), half(self)];
}

function missingText(sync) {
  const [what, from, to] = missingParts(sync);
  return `${what}: ${from} → ${to}`;
}

/* The text in lines that are not wider than `most`, broken at blanks. */
function wrapped(string, most, kind) {
  const lines = [""];
  for (const word of string.split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (widthOf(longer, kind) <= most || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/* What the plate of the missing one says, and how large it is. */
function missingPlate(sync, width) {
  const most = Math.min(760, width - 2 * PAD - 24), lines = wrapped(missingText(sync), most, "missing-text");
  const lead = leadBetween("missing-text", "missing-text", 17), wide = Math.ceil(Math.max(...lines.map(line => widthOf(line, "missing-text"))));
  return { lines, lead, most, width: Math.min(most, wide) + 24, height: 10 + lead * lines.length };
}

/* A dashed deck under everything, from one access up to the other, with a plate on it. The way down is `down`: a path's beginning
 * and where it goes on. */
function missingBridge(down, to, toY, deck, plate, width) {
  const { path, x: from } = down, y = deck + plate.height / 2, middle = Math.max(PAD + plate.width / 2, Math.min(width - PAD - plate.width / 2, (from + to) / 2));
  const reach = Math.min(40, Math.abs(to - from) / 3);
  return svg("g", null,
    svg("path", { class: "missing", d: `${path} L${from},${deck - 10} C${from},${y} ${from},${y} ${from + reach},${y} L${to - reach},${y} C${to},${y} ${to},${y} ${to},${deck - 10} L${to},${toY + 9}` }),
    svg("path", { class: "missing-arrow", d: `M${to - 5.5},${toY + 10} L${to},${toY} L${to + 5.5},${toY + 10} Z` }),
    svg("rect", { class: "plate", x: middle - plate.width / 2, y: deck, width: plate.width, height: plate.height, rx: 13 }),
    plate.lines.map((line, i) => label(middle, deck + plate.lead * (i + 1), "middle", "missing-text", line, plate.most)));
}

/* Is it the resource that the two access? */
function isOfHazard(resource, sync) {
  return resource !== undefined && [sync.this, sync.earlier].some(side => side && side.resource && side.resource.type === resource.type && side.resource.handle === resource.handle);
}

/* What is wrong with a barrier, in few words, and on which of its sides. */
function faultOf(barrier, sync) {
  const earlier = sync.earlier || {}, self = sync.this || {};
  switch (barrier.fault) {
    case "not in first scope": return { side: -1, text: `${stagesOf(earlier)[0]} is not waited for` };
    case "not made available": return { side: -1, text: `${accessesOf(earlier)} is not made available` };
    case "not in second scope": return { side: 1, text: `${stagesOf(self)[0]} does not wait` };
    case "not made visible": return { side: 1, text: `not visible to ${accessesOf(self)}` };
    case "event set before": return { side: -1, text: "its event was set before" };
    case "elsewhere": return { side: 0, text: isOfHazard(barrier.resource, sync) ? "for another part of it" : "for other memory" };
    default: return null;
  }
}

/* --- within a command buffer --- */

/* Lanes: the stages of both accesses, and those of barriers as far as there is room. */
function lanesOf(sync, barriers) {
  const lanes = new Set([...stagesOf(sync.earlier), ...stagesOf(sync.this)]);
  for (const barrier of barriers)
    for (const stage of [...(barrier.srcStages || []), ...(barrier.dstStages || [])].map(shortFlag)) if (lanes.size < LANES_MOST) lanes.add(stage);
  return [...lanes].sort((a, b) => stageRank(a) - stageRank(b));
}

function drawBarrier(barrier, sync, number, at) {
  const { x, lanes, laneY, top, bottom, step } = at, middle = (top + bottom) / 2, fault = faultOf(barrier, sync);
  const reach = Math.min(46, step / 2 - 8), group = svg("g", { class: `barrier ${barrier.fault === "elsewhere" ? "elsewhere" : ""}` });
  for (const [stages, direction] of [[barrier.srcStages || [], -1], [barrier.dstStages || [], 1]])
    for (const stage of stages.map(shortFlag).filter(stage => lanes.includes(stage))) {
      const end = x + direction * reach, y = laneY(stage), near = x + direction * 6;
      group.append(svg("path", { class: "bridge", d: `M${end},${y} C${x + direction * reach * 0.45},${y} ${x + direction * reach * 0.55},${middle} ${near},${middle}` }),
        svg("circle", { class: "port", cx: end, cy: y, r: 3.6 }));
    }
  group.append(svg("rect", { class: "pillar", x: x - 6, y: top, width: 12, height: bottom - top, rx: 5 }));
  if (fault && fault.side) {
    const stage = stagesOf(fault.side < 0 ? sync.earlier : sync.this)[0], cx = x + fault.side * reach, cy = laneY(stage);
    group.append(svg("path", { class: "cross", d: `M${cx - 5.5},${cy - 5.5} L${cx + 5.5},${cy + 5.5} M${cx + 5.5},${cy - 5.5} L${cx - 5.5},${cy + 5.5}` }));
  }
  group.append(badge(x, top - 14, String(number), fault && fault.side ? "bad" : ""));
  return group;
}

/* For people who do not see the picture. */
function lanesInWords(sync, barriers) {
  const side = of => `${(of && of.command) || "an access that is not known"} ${verbOf(of)}s in ${stagesOf(of).join(" and ")}${accessesOf(of) ? ` with ${accessesOf(of)}` : ""}`;
  const one = (barrier, i) => {
    const fault = faultOf(barrier, sync);
    return `Barrier ${i + 1}, ${barrier.command || "a barrier"}, from ${scopeText(barrier, "src")} to ${scopeText(barrier, "dst")}${fault ? `: ${fault.text}` : ""}.`;
  };
  return [`Earlier, ${side(sync.earlier)}.`, ...barriers.map(one), `Then ${side(sync.this)}.`, `${missingText(sync)}.`].join(" ");
}

function lanesPicture(sync, room) {
  const barriers = (sync.between || {}).barriers || [], lanes = lanesOf(sync, barriers), earlier = sync.earlier || {}, self = sync.this || {};
  const names = Math.ceil(Math.max(...lanes.map(lane => widthOf(lane, "mono")))) + 14;
  const most = Math.max(BOX_LEAST, Math.min(260, (room - barriers.length * COLUMN) / 2 - PAD - GUTTER)), accesses = [boxOf(earlier, most), boxOf(self, most)], widths = accesses.map(box => box.width);
  const left = PAD + Math.max(widths[0], names) + GUTTER, width = Math.max(room, left + widths[1] + PAD + Math.max(40, barriers.length * COLUMN)), plate = missingPlate(sync, width);
  const step = (width - PAD - widths[1] - left) / Math.max(1, barriers.length), faults = barriers.map(barrier => faultOf(barrier, sync));
  const commands = barriers.length > 0 && barriers.every(barrier => widthOf(barrier.command || "", "mono") < step - 10);
  const told = barriers.length > 0 && faults.every(fault => !fault || widthOf(fault.text, "fault") < step - 10);
  const targets = barriers.map(barrier => (barrier.resource ? nameOf(barrier.resource) : barrier.allMemory ? "all memory" : ""));
  const targeted = targets.some(Boolean) && targets.every(target => widthOf(target, "soft") < step - 10);
  /* Above the badges stands what a barrier is for, and above that its command. */
  const lead = targeted && commands ? leadBetween("mono", "soft", 17) : 17, top = 40 + (targeted ? 17 : 0) + (commands ? lead : 0);
  /* Lanes with a box of several lines are as much higher. */
  const taller = lanes.map(lane => Math.max(0, ...accesses.filter(box => stagesOf(box.side)[0] === lane).map(box => box.height - BOX)));
  const tops = lanes.map((lane, i) => top + i * LANE + taller.slice(0, i).reduce((sum, each) => sum + each, 0)), bottom = tops[lanes.length - 1] + LANE + taller[lanes.length - 1];
  const deck = bottom + (told ? 30 : 14), height = deck + plate.height + 10, laneAt = stage => Math.max(0, lanes.indexOf(stage)), laneY = stage => tops[laneAt(stage)] + 41 + taller[laneAt(stage)] / 2;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": lanesInWords(sync, barriers) });
  lanes.forEach((stage, i) => picture.append(svg("rect", { class: i % 2 ? "band odd" : "band", x: 0, y: tops[i], width, height: LANE + taller[i] }),
    svg("line", { class: "lane", x1: 0, x2: width, y1: laneY(stage), y2: laneY(stage) }), label(8, tops[i] + 15, "start", "mono", stage)));
  const sides = [[accesses[0], PAD + widths[0] / 2, "earlier"], [accesses[1], width - PAD - widths[1] / 2, "this"]];
  /* Down beside the names of the lanes, in front of the first barrier. */
  const y = laneY(stagesOf(earlier)[0]), edge = PAD + widths[0], x = left - GUTTER / 2;
  picture.append(missingBridge({ path: `M${edge},${y} C${x},${y} ${x},${y} ${x},${y + 16}`, x }, sides[1][1], laneY(stagesOf(self)[0]) + accesses[1].height / 2, deck, plate, width));
  barriers.forEach((barrier, i) => {
    const x = left + step * (i + 0.5);
    picture.append(drawBarrier(barrier, sync, i + 1, { x, lanes, laneY, top, bottom, step }));
    if (commands) picture.append(label(x, targeted ? top - 32 - lead : top - 32, "middle", "mono", barrier.command || ""));
    if (targeted) picture.append(label(x, top - 32, "middle", "soft", targets[i]));
    if (told && faults[i]) picture.append(label(x, bottom + 18, "middle", faults[i].side ? "fault" : "soft", faults[i].text));
  });
  for (const [box, x, what] of sides)
    picture.append(accessBox(box, x, laneY(stagesOf(box.side)[0])),
      label(x, top - 10, "middle", "soft", box.side.index === undefined ? what : `${what}, command ${box.side.index}`, box.width + 8));
  return picture;
}

/* --- between submissions --- */

const HOST = { handle: "host", name: "host" }; /* as if it were a queue; each of its signals is a submission of its own */
const queueKey = queue => (queue ? queue.handle : "?");

/* The queues, and on each its submissions, by when they come at the earliest: behind those before them on their queue, and behind
 * those whose signals they wait for. */
function timelineOf(sync, room) {
  const queues = new Map(), submissions = new Map();
  const add = (queue, number, host) => {
    if (!queues.has(queueKey(queue))) queues.set(queueKey(queue), queue ? nameOf(queue) : "presentation engine, or not known");
    const key = `${queueKey(queue)} ${number}`;
    if (!submissions.has(key)) submissions.set(key, { queue: queueKey(queue), number, level: 0, host });
    return submissions.get(key);
  };
  if ((sync.semaphores || []).some(event => event.host)) queues.set(HOST.handle, HOST.name); /* its lane is the first one */
  const earlier = sync.earlier || {}, self = sync.this || {}, first = add(earlier.queue, earlier.submission || 0);
  const events = (sync.semaphores || []).map((event, i) => ({ ...event, of: event.host ? add(HOST, i, true) : add(event.queue, event.submission) }));
  const last = add(self.queue, self.submission || 0), all = [...submissions.values()], joins = joinsOf(events);
  const most = Math.max(BOX_LEAST, Math.min(240, (room || 0) / 2 - 60));
  first.access = boxOf(earlier, most);
  if (!last.access) last.access = boxOf(self, most);
  const before = joins.filter(join => join.wait && join.signal).map(join => [join.signal.of, join.wait.of]);
  for (const a of all) for (const b of all) if (a.queue === b.queue && a.number < b.number) before.push([a, b]);
  if (first !== last) before.push([first, last]);
  for (let pass = 0; pass < all.length; pass++) for (const [a, b] of before) b.level = Math.min(all.length, Math.max(b.level, a.level + 1));
  const levels = [...new Set(all.map(one => one.level))].sort((a, b) => a - b);
  for (const one of all) one.level = levels.indexOf(one.level);
  return { queues, all, first, last, joins, levels: levels.length };
}

/* Each wait with *its* signal: of a binary semaphore the last one before it, of a timeline the one of just its value, or of the
 * greater one that is known to have ended the wait (`signaledValue`). The others stand alone. */
function joinsOf(events) {
  const joins = [], used = new Set();
  const same = (a, b) => a.semaphore && b.semaphore && a.semaphore.handle === b.semaphore.handle;
  events.forEach((wait, at) => {
    if (!wait.wait) return;
    const signals = events.filter((event, i) => !event.wait && same(event, wait) && event.of !== wait.of && (wait.value || i < at));
    const signal = wait.value ? signals.find(one => one.value === (wait.signaledValue || wait.value)) : signals.filter(one => !one.value && !used.has(one)).pop();
    if (signal) used.add(signal);
    joins.push({ wait, signal });
  });
  for (const signal of events) if (!signal.wait && !used.has(signal)) joins.push({ signal });
  joins.forEach((join, i) => (join.mark = String.fromCharCode(65 + (i % 26))));
  return joins;
}

const valueText = (semaphore, value) => `${nameOf(semaphore)}${value ? ` = ${format(value)}` : ""}`;
const submissionText = event => (event.host ? "the host (vkSignalSemaphore)" : `${nameOf(event.queue) || "queue"}, submission ${event.submission}`);

/* What is to be said of an arrow. */
function joinText({ wait, signal }) {
  const stages = wait && wait.stages && wait.stages.length ? `, before ${wait.stages.map(shortFlag).join(" | ")}` : "";
  if (!wait) return `signaled by ${submissionText(signal)}; none of these submissions waits for it`;
  if (!signal) return `waited for by ${submissionText(wait)}${stages}; its signal is not ${wait.signaledValue ? `shown: it is the one of ${format(wait.signaledValue)}` : "among these submissions"}`;
  if (signal.value !== wait.value) return `signaled by ${submissionText(signal)}; this ends the wait for ${format(wait.value)} of ${submissionText(wait)}${stages}`;
  return `signaled by ${submissionText(signal)}, waited for by ${submissionText(wait)}${stages}`;
}

const submissionTitle = submission => (submission.host ? "vkSignalSemaphore" : submission.number ? `submission ${submission.number}` : "no submission");

function submissionBox(submission, box) {
  const { access } = submission, side = access && access.side, middle = (box.left + box.right) / 2, width = box.right - box.left;
  const group = svg("g", null, svg("rect", { class: "submission", x: box.left, y: box.top, width, height: box.bottom - box.top, rx: 8 }),
    label(middle, box.top + 16, "middle", "soft", submissionTitle(submission), width - 8));
  if (!access) return group;
  group.append(accessBox(access, middle, box.top + 24 + access.height / 2));
  if (side.commandBuffer) group.append(label(middle, box.top + 40 + access.height, "middle", "soft", `${nameOf(side.commandBuffer)}${side.index === undefined ? "" : `, command ${side.index}`}`, width - 10));
  return group;
}

/* The place on an arrow where its letter lies on nothing else. */
function freePlace(at, taken) {
  const clear = ([x, y]) => taken.every(box => x + 12 < box.left || x - 12 > box.right || y + 12 < box.top || y - 12 > box.bottom);
  const places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.12, 0.88].map(at), [x, y] = places.find(clear) || places[0];
  taken.push({ left: x - 10, right: x + 10, top: y - 10, bottom: y + 10 });
  return [x, y];
}

/* Where a line goes straight down from the box, behind no other one if it can. */
function wayDown(from, boxes) {
  const middle = (from.left + from.right) / 2, others = [...boxes.values()].filter(box => box.top > from.top);
  return [middle, from.right - 12, from.left + 12].find(x => others.every(box => x < box.left - 4 || x > box.right + 4)) || middle;
}

/* A curve; `at` gives its points, from 0 to 1. */
function curved(a, b, c, d) {
  return { d: `M${a} C${b} ${c} ${d}`, at: t => [0, 1].map(i => (1 - t) ** 3 * a[i] + 3 * (1 - t) ** 2 * t * b[i] + 3 * (1 - t) * t * t * c[i] + t ** 3 * d[i]) };
}

/* Straight from point to point, with round corners. */
function straight(points) {
  const lengths = points.slice(1).map((b, i) => Math.hypot(b[0] - points[i][0], b[1] - points[i][1])), whole = lengths.reduce((a, b) => a + b, 0);
  const along = (a, b, way) => { const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1; return [0, 1].map(i => a[i] + ((b[i] - a[i]) * way) / length); };
  const at = t => {
    let way = t * whole, i = 0;
    while (i < lengths.length - 1 && way > lengths[i]) way -= lengths[i++];
    return along(points[i], points[i + 1], way);
  };
  const corner = i => { const round = Math.min(8, lengths[i - 1] / 2, lengths[i] / 2); return `L${along(points[i], points[i - 1], round)} Q${points[i]} ${along(points[i], points[i + 1], round)}`; };
  return { d: `M${points[0]} ${points.slice(1, -1).map((point, i) => corner(i + 1)).join(" ")} L${points[points.length - 1]}`, at };
}

/* An arrow's way from box to box. Where boxes stand between them it goes up and down in the gaps between columns, and along the row of
 * the two that is free there; where none is, above the boxes of the target. */
function wayOf(from, to, source, target, boxes, number) {
  const inRow = row => [...boxes.values()].some(box => box.top === row.top && box.left > from[0] && box.right < to[0]), end = [to[0] - 8, to[1]];
  const first = source.end + 14 + (number % 4) * 6, last = target.begin - 20 - (number % 4) * 6, above = target.top - 5 - (number % 3) * 3;
  if (inRow(source) && (inRow(target) || source.top === target.top)) return straight([from, [first, from[1]], [first, above], [last, above], [last, to[1]], end]);
  if (inRow(source)) return straight([from, [first, from[1]], [first, to[1]], end]);
  if (inRow(target)) return straight([from, [last, from[1]], [last, to[1]], end]);
  const bend = Math.max(26, Math.abs(to[0] - from[0]) / 2);
  return curved(from, [from[0] + bend, from[1]], [to[0] - bend, to[1]], end);
}

function joinArrow(join, number, boxes, ports, taken) {
  const port = (event, side) => {
    const box = boxes.get(event.of), key = `${side} ${event.of.queue} ${event.of.number}`, index = ports.get(key) || 0;
    ports.set(key, index + 1);
    return [side === "signal" ? box.right : box.left, box.top + 24 + index * PORT];
  };
  const from = join.signal && port(join.signal, "signal"), to = join.wait && port(join.wait, "wait");
  const head = ([x, y]) => svg("path", { class: "arrow", d: `M${x - 9},${y - 5} L${x},${y} L${x - 9},${y + 5} Z` });
  if (!from || !to) {
    const [x, y] = from || to, end = from ? x + 22 : x - 22;
    return svg("g", { class: "join alone" }, svg("path", { class: "signal", d: `M${x},${y} L${end},${y}` }), to ? head(to) : null, badge(from ? x + 24 : x - 26, y, join.mark));
  }
  const way = wayOf(from, to, boxes.get(join.signal.of), boxes.get(join.wait.of), boxes, number), [x, y] = freePlace(way.at, taken);
  return svg("g", { class: "join", "data-signal": join.signal.value || "", "data-wait": join.wait.value || "" },
    svg("path", { class: "signal", d: way.d }), head(to), badge(x, y, join.mark));
}

function timelineInWords(sync, line) {
  const side = of => `${(of && of.command) || "an access that is not known"} ${verbOf(of)}s on ${nameOf(of && of.queue) || "a queue that is not known"}`;
  return [`Earlier, ${side(sync.earlier)}.`, ...line.joins.map(join => `${valueText((join.wait || join.signal).semaphore, (join.signal || join.wait).value)}: ${joinText(join)}.`),
    `Then ${side(sync.this)}.`, `${missingText(sync)}.`].join(" ");
}

/* The row of each queue, and the boxes in it, which are as high as the highest one: of an access, or of arrows that begin or end
 * there. */
function rowsOf(line, queues) {
  const rows = [];
  let top = 6;
  for (const queue of queues) {
    const boxes = line.all.filter(one => one.queue === queue), arrows = (one, side) => line.joins.filter(join => join[side] && join[side].of === one).length;
    const height = Math.max(...boxes.map(one => Math.max(one.access ? 48 + one.access.height : 0, 26 + PORT * Math.max(1, arrows(one, "wait"), arrows(one, "signal")))));
    rows.push({ top, box: { top: top + 28, bottom: top + 28 + height }, bottom: top + 36 + height });
    top += 36 + height;
  }
  return rows;
}

function timelinePicture(sync, room) {
  const line = timelineOf(sync, room), queues = [...line.queues.keys()], rows = rowsOf(line, queues), deck = rows[rows.length - 1].bottom + 16;
  const wide = submission => (submission.access ? submission.access.width + 22 : Math.max(96, Math.ceil(widthOf(submissionTitle(submission), "soft")) + 20)), columns = new Array(line.levels).fill(0);
  for (const submission of line.all) columns[submission.level] = Math.max(columns[submission.level], wide(submission));
  const used = columns.reduce((a, b) => a + b, 0), gaps = columns.length - 1, alone = line.joins.some(join => !join.wait || !join.signal) ? 34 : 0, edge = PAD + alone;
  const gap = gaps ? Math.max(GAP + (alone ? 10 : 0), (room - 2 * edge - used) / gaps) : 0, width = Math.max(room, 2 * edge + used + gap * gaps), plate = missingPlate(sync, width);
  const height = deck + plate.height + 10, boxes = new Map(), ports = new Map();
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": timelineInWords(sync, line) });
  queues.forEach((queue, i) => {
    const { top, box, bottom } = rows[i], y = (box.top + box.bottom) / 2;
    picture.append(svg("rect", { class: i % 2 ? "band odd" : "band", x: 0, y: top, width, height: bottom - top }), svg("line", { class: "lane", x1: 0, x2: width, y1: y, y2: y }),
      label(8, top + 15, "start", "mono", line.queues.get(queue), width / 2));
  });
  for (const submission of line.all) {
    const row = rows[queues.indexOf(submission.queue)].box, begin = edge + columns.slice(0, submission.level).reduce((sum, column) => sum + column + gap, 0);
    const left = begin + (columns[submission.level] - wide(submission)) / 2;
    boxes.set(submission, { left, right: left + wide(submission), begin, end: begin + columns[submission.level], ...row });
  }
  const from = boxes.get(line.first), to = boxes.get(line.last), x = wayDown(from, boxes);
  const taken = [...boxes.values()], arrows = line.joins.map((join, i) => joinArrow(join, i, boxes, ports, taken));
  picture.append(...arrows, missingBridge({ path: `M${x},${from.bottom}`, x }, wayDown(to, boxes), to.bottom, deck, plate, width));
  for (const submission of line.all) picture.append(submissionBox(submission, boxes.get(submission)));
  for (const arrow of arrows) picture.append(...arrow.querySelectorAll(".badge-mark"));
  return picture;
}

/* --- the picture with what is told of it --- */

/* "COPY | CLEAR / TRANSFER_WRITE", "no stage", "16 stages". */
function scopeText(barrier, side) {
  const stages = (barrier[`${side}Stages`] || []).map(shortFlag), count = barrier[`${side}StageCount`] || stages.length;
  const accesses = (barrier[`${side}Accesses`] || []).map(shortFlag), more = count - stages.length;
  const named = stages.length ? `${stages.join(" | ")}${more > 0 ? ` and ${plural(more, "other stage")}` : ""}` : count ? plural(count, "stage") : "no stage";
  const shown = accesses.length > 4 ? `${accesses.slice(0, 4).join(" | ")} and ${accesses.length - 4} more` : accesses.join(" | ");
  return `${named}${shown ? ` / ${shown}` : ""}`;
}

function barrierItem(barrier, sync, number, frame) {
  const fault = faultOf(barrier, sync);
  const target = barrier.resource ? `for ${handleText(barrier.resource)}` : barrier.allMemory ? "for all memory" : "";
  const nearest = barrier.barrierCount ? `, the nearest of its ${format(barrier.barrierCount)} barriers` : "";
  return el("li", null, el("span", { class: `mark-number ${fault && fault.side ? "bad" : ""}` }, String(number)), el("div", null,
    el("p", null, el("b", { class: "mono" }, barrier.command || "a barrier"), barrier.index === undefined ? "" : `, command ${barrier.index}`, target ? `, ${target}` : "", nearest,
      fault ? [": ", el("span", { class: fault.side ? "fault" : "soft" }, fault.text)] : ""),
    el("p", { class: "mono soft" }, `${scopeText(barrier, "src")} → ${scopeText(barrier, "dst")}`),
    barrier.stack ? stackView(barrier) : barrier.caller ? frame(barrier.caller) : null));
}

function joinItem(join) {
  const event = join.signal || join.wait;
  return el("li", null, el("span", { class: "mark-number" }, join.mark), el("div", null, el("p", null, el("b", { class: "mono" }, valueText(event.semaphore, event.value)), ": ", joinText(join))));
}

function legend(entries) {
  return el("p", { class: "legend", "aria-hidden": "true" }, entries.filter(Boolean).map(([color, dash, says]) => el("span", null, el("i", { class: dash ? "dash" : "", style: `border-color:var(--${color})` }), says)));
}

/* The picture's frame draws itself for the room that it has: drawPicture(). */
function pictureFrame(make) {
  const frame = el("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "Picture" });
  frame.draw = room => {
    const least = Math.max(280, Math.min(1240, Math.floor(room))), picture = make(least), [width, height] = ["width", "height"].map(of => Number(picture.getAttribute(of)));
    const scale = Math.max(SCALE_LEAST, Math.min(1, least / width));
    picture.setAttribute("width", Math.round(width * scale));
    picture.setAttribute("height", Math.round(height * scale));
    frame.replaceChildren(picture);
  };
  return frame;
}

function drawPictures(within, room) {
  for (const frame of within.querySelectorAll(".picture")) frame.draw(room || frame.clientWidth - 14);
}

/* `frame` makes an element of a caller. */
function pictures(finding, frame) {
  const sync = finding.sync, earlier = sync.earlier || {}, self = sync.this || {};
  const apart = (earlier.queue || self.queue) && (earlier.submission !== self.submission || queueKey(earlier.queue) !== queueKey(self.queue));
  const where = apart ? "Between submissions" : self.commandBuffer ? `In ${handleText(self.commandBuffer)}` : "The two accesses";
  const resource = self.resource || earlier.resource, barriers = (!apart && (sync.between || {}).barriers) || [], joins = apart ? timelineOf(sync).joins : [];
  const items = [...barriers.map((barrier, i) => barrierItem(barrier, sync, i + 1, frame)), ...joins.map(joinItem)];
  const all = (sync.between || {}).barrierCommands || 0;
  return [el("h3", { class: "as-is" }, where, resource ? el("span", null, ` — accesses to ${handleText(resource)}${rangeText(self.range) ? `, ${rangeText(self.range)}` : ""}`) : null),
    el("figure", null, pictureFrame(room => (apart ? timelinePicture(sync, room) : lanesPicture(sync, room))),
      el("figcaption", null, legend([["write", false, "write"], ["read", false, "read"], items.length ? ["bridge", false, apart ? "semaphore, from its signal to its wait" : "what a barrier orders"] : null, ["missing", true, "what is missing"]]))),
    items.length ? el("ol", { class: "marks", "aria-label": apart ? "Semaphores" : "Barriers between the two" }, items) : null,
    barriers.length && all > barriers.length ? el("p", { class: "soft" }, `These are the last ${barriers.length} of ${all} commands with barriers between the two.`) : null];
}
