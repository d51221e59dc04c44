/* Pictures of what was not synchronized: within a command buffer the stages as lanes, barriers as the bridges between them that they are, and the missing one dashed; between submissions a timeline of
 * queues, with semaphores as arrows. */

const STAGE_ORDER = ["HOST", "DRAW_INDIRECT", "INDEX_INPUT", "VERTEX_ATTRIBUTE_INPUT", "VERTEX_SHADER", "TESSELLATION_CONTROL_SHADER", "TESSELLATION_EVALUATION_SHADER", "GEOMETRY_SHADER", "TASK_SHADER_EXT", "MESH_SHADER_EXT",
  "FRAGMENT_SHADING_RATE_ATTACHMENT_KHR", "EARLY_FRAGMENT_TESTS", "FRAGMENT_SHADER", "LATE_FRAGMENT_TESTS", "COLOR_ATTACHMENT_OUTPUT", "COMPUTE_SHADER", "RAY_TRACING_SHADER_KHR", "ACCELERATION_STRUCTURE_BUILD_KHR",
  "ACCELERATION_STRUCTURE_COPY_KHR", "CLEAR", "COPY", "BLIT", "RESOLVE"];
const WIDTH = 980, LEFT = 196, RIGHT = 28, LANES_MOST = 7;

function shortFlag(name) {
  return name.replace(/^VK_(PIPELINE_STAGE|ACCESS)_(2_)?/, "").replace(/_BIT(?=_|$)/, "");
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
  return element;
}

const text = (x, y, anchor, className, ...content) => svg("text", { x, y, "text-anchor": anchor, class: className }, ...content);
const shorter = (string, most) => (string.length > most ? `${string.slice(0, most - 1)}…` : string);
const stagesOf = side => ((side && side.stages && side.stages.length ? side.stages : null) || [side && /TRANSITION/.test(side.usage || "") ? "layout transition" : side && /PRESENT/.test(side.usage || "") ? "presentation engine" : "no stage"]).map(shortFlag);
const accessesOf = side => ((side && side.accesses) || []).map(shortFlag).join(" | ");
const verbOf = side => (side && side.write ? "write" : "read");
const nameOf = object => (object ? object.name || `${object.type} ${object.handle}` : "");

function stageRank(stage) {
  const rank = STAGE_ORDER.indexOf(stage);
  return rank < 0 ? STAGE_ORDER.length : rank;
}

/* A box of an access, around (x, y). Gives its half width, too. */
function accessBox(side, x, y, left) {
  const command = shorter((side && side.command) || "not known", 30), access = shorter(accessesOf(side) || (side && side.write ? "write" : "read"), 34);
  const width = Math.max(118, 7.1 * Math.max(command.length, access.length) + 22), half = width / 2;
  const center = left === undefined ? x : left ? x + half : x - half;
  return {
    x: center, half,
    element: svg("g", null, svg("rect", { class: `access ${verbOf(side)}`, x: center - half, y: y - 21, width, height: 42, rx: 8 }),
      text(center, y - 3, "middle", "mono", command), text(center, y + 13, "middle", "soft", access)),
  };
}

/* A dashed deck under everything, from one access up to the other, and what it says. */
function missingBridge(from, to, fromY, toY, deck, says) {
  const middle = (from + to) / 2, width = 8 * says.length + 30, reach = Math.min(46, Math.abs(to - from) / 3);
  return svg("g", null,
    svg("path", { class: "missing", d: `M${from},${fromY} C${from},${deck} ${from + reach / 2},${deck} ${from + reach},${deck} L${to - reach},${deck} C${to - reach / 2},${deck} ${to},${deck} ${to},${toY + 9}` }),
    svg("path", { class: "missing-arrow", d: `M${to - 5.5},${toY + 10} L${to},${toY} L${to + 5.5},${toY + 10} Z` }),
    svg("rect", { class: "plate", x: middle - width / 2, y: deck - 13, width, height: 26, rx: 13 }), text(middle, deck + 4.5, "middle", "missing-text", says));
}

/* What is missing, in few words. */
function missingText(sync) {
  const kind = (sync.mend && sync.mend.kind) || "barrier", earlier = sync.earlier || {}, self = sync.this || {};
  const half = side => [stagesOf(side).join(" | "), side.write || !earlier.write ? "" : "", accessesOf(side)].filter(Boolean).join(" / ");
  const scopes = earlier.write ? `${half(earlier)} → ${half(self)}` : `${stagesOf(earlier).join(" | ")} → ${stagesOf(self).join(" | ")}`;
  const what = { barrier: "missing", "subpass dependency": "missing subpass dependency", semaphore: "missing semaphore", "host wait": "missing wait of the host", "wider first scope": "missing in the first scope", "wider second scope": "missing in the second scope" };
  return `${what[kind] || "missing"}: ${scopes}`;
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
    case "elsewhere": return { side: 0, text: "for other memory" };
    default: return null;
  }
}

/* Lanes: the stages of both accesses, and those of barriers as far as there is room. */
function lanesOf(sync, barriers) {
  const lanes = new Set([...stagesOf(sync.earlier), ...stagesOf(sync.this)]);
  for (const barrier of barriers)
    for (const stage of [...(barrier.srcStages || []), ...(barrier.dstStages || [])].map(shortFlag)) if (lanes.size < LANES_MOST) lanes.add(stage);
  return [...lanes].sort((a, b) => stageRank(a) - stageRank(b));
}

function drawBarrier(barrier, sync, x, lanes, y, top, bottom) {
  const middle = (top + bottom) / 2, fault = faultOf(barrier, sync), group = svg("g", { opacity: barrier.fault === "elsewhere" ? 0.55 : null });
  const ends = (stages, direction) => {
    const shown = stages.map(shortFlag).filter(stage => lanes.includes(stage));
    for (const stage of shown) {
      const end = x + direction * 58;
      group.append(svg("path", { class: "bridge", d: `M${end},${y(stage)} C${x + direction * 26},${y(stage)} ${x + direction * 30},${middle} ${x + direction * 8},${middle}` }), svg("circle", { class: "port", cx: end, cy: y(stage), r: 4 }));
    }
    const more = (direction < 0 ? barrier.srcStageCount : barrier.dstStageCount) || stages.length;
    if (more > shown.length && more) group.append(text(x + direction * 14, bottom + 12, direction < 0 ? "end" : "start", "soft", `${shown.length ? "+" : ""}${more - shown.length} stage${more - shown.length === 1 ? "" : "s"}`));
    if (!more) group.append(text(x + direction * 14, bottom + 12, direction < 0 ? "end" : "start", "soft", "no stage"));
  };
  ends(barrier.srcStages || [], -1);
  ends(barrier.dstStages || [], 1);
  group.append(svg("rect", { class: "pillar", x: x - 8, y: top, width: 16, height: bottom - top, rx: 6 }), text(x, top - 20, "middle", "mono", shorter(barrier.command || "barrier", 26)),
    text(x, top - 7, "middle", "soft", barrier.index === undefined ? "" : `command ${barrier.index}`));
  if (fault && fault.side) {
    const stage = stagesOf(fault.side < 0 ? sync.earlier : sync.this)[0], at = x + fault.side * 58, height = y(stage);
    group.append(svg("path", { class: "cross", d: `M${at - 6},${height - 6} L${at + 6},${height + 6} M${at + 6},${height - 6} L${at - 6},${height + 6}` }));
  }
  if (fault) group.append(text(x, bottom + 28, "middle", "fault", fault.text));
  return group;
}

function lanesPicture(sync) {
  const between = sync.between || {}, barriers = between.barriers || [], lanes = lanesOf(sync, barriers), earlier = sync.earlier || {}, self = sync.this || {};
  const laneHeight = 60, top = 54, height = lanes.length * laneHeight, bottom = top + height, faults = barriers.length ? 34 : 0, deck = bottom + faults + 26, total = deck + 26;
  const y = stage => top + laneHeight * (Math.max(0, lanes.indexOf(stage)) + 0.5);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${total}`, role: "img", "aria-label": `${earlier.command || "An access"}, ${barriers.length} barriers between, ${self.command || "an access"}. ${between.text || ""}. ${missingText(sync)}` });
  lanes.forEach((stage, i) => picture.append(i % 2 ? null || svg("g") : svg("rect", { class: "band", x: 0, y: top + i * laneHeight, width: WIDTH, height: laneHeight }),
    svg("line", { class: "lane", x1: LEFT - 10, x2: WIDTH - 8, y1: y(stage), y2: y(stage) }), text(LEFT - 18, y(stage) + 4, "end", "mono", shorter(stage, 26))));
  const from = accessBox(earlier, LEFT, y(stagesOf(earlier)[0]), true), to = accessBox(self, WIDTH - RIGHT, y(stagesOf(self)[0]), false);
  const free = to.x - to.half - (from.x + from.half), step = free / (barriers.length + 1);
  picture.append(missingBridge(from.x, to.x, y(stagesOf(earlier)[0]) + 21, y(stagesOf(self)[0]) + 21, deck, missingText(sync)));
  barriers.forEach((barrier, i) => picture.append(drawBarrier(barrier, sync, from.x + from.half + step * (i + 1), lanes, y, top, bottom)));
  for (const [side, box] of [[earlier, from], [self, to]])
    picture.append(box.element, text(box.x, top - 20, "middle", "mono", side === earlier ? "earlier" : "this"), text(box.x, top - 7, "middle", "soft", side.index === undefined ? "" : `command ${side.index}`));
  return picture;
}

/* --- between submissions --- */

const queueKey = queue => (queue ? queue.handle : "?");

/* The queues, and on each its submissions; the earlier access's comes first, this one's last. */
function timelineOf(sync) {
  const queues = new Map(), submissions = new Map();
  const add = (queue, number) => {
    if (!queues.has(queueKey(queue))) queues.set(queueKey(queue), queue ? nameOf(queue) : "presentation engine, or not known");
    const key = `${queueKey(queue)} ${number}`;
    if (!submissions.has(key)) submissions.set(key, { queue: queueKey(queue), number, signals: [], waits: [] });
    return submissions.get(key);
  };
  const earlier = sync.earlier || {}, self = sync.this || {}, first = add(earlier.queue, earlier.submission || 0);
  for (const event of sync.semaphores || []) add(event.queue, event.submission)[event.wait ? "waits" : "signals"].push(event);
  const last = add(self.queue, self.submission || 0);
  first.access = earlier;
  const same = first === last;
  const rank = submission => (submission === last && !same ? 2 : submission === first ? 0 : 1);
  const ordered = [...submissions.values()].sort((a, b) => rank(a) - rank(b) || (a.queue === first.queue ? 0 : 1) - (b.queue === first.queue ? 0 : 1) || a.number - b.number);
  return { queues, ordered, first, last, same };
}

function semaphoreArrow(signal, wait, from, to, at) {
  const name = shorter(nameOf(signal.semaphore) + (signal.value ? ` = ${signal.value}` : ""), 24), stages = (wait.stages || []).map(shortFlag).join(" | ");
  const x1 = from.right, y1 = from.y + 10 + at * 6, x2 = to.left - 8, y2 = to.y + 10 + at * 6, bend = Math.max(30, (x2 - x1) / 2);
  return svg("g", null, svg("path", { class: "signal", d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}` }), svg("path", { class: "arrow", d: `M${x2 - 2},${y2 - 5} L${x2 + 8},${y2} L${x2 - 2},${y2 + 5} Z` }),
    text((x1 + x2) / 2, (y1 + y2) / 2 - 8, "middle", "mono halo", name), stages ? text((x1 + x2) / 2, (y1 + y2) / 2 + 16, "middle", "soft halo", shorter(`waited for by ${stages}`, 44)) : null);
}

function submissionBox(submission, box) {
  const side = submission.access, group = svg("g", null, svg("rect", { class: "submission", x: box.left, y: box.y - 40, width: box.right - box.left, height: 80, rx: 9 }));
  group.append(text((box.left + box.right) / 2, box.y - 24, "middle", "soft", submission.number ? `submission ${submission.number}` : "no submission"));
  if (side) {
    group.append(accessBox(side, (box.left + box.right) / 2, box.y + 2).element);
    if (side.commandBuffer) group.append(text((box.left + box.right) / 2, box.y + 35, "middle", "soft", shorter(`${nameOf(side.commandBuffer)}${side.index === undefined ? "" : `, command ${side.index}`}`, 36)));
  }
  return group;
}

function timelinePicture(sync) {
  const line = timelineOf(sync), queues = [...line.queues.keys()], rowHeight = 112, top = 22, deck = top + queues.length * rowHeight + 18, total = deck + 26;
  line.last.access = line.last.access || sync.this;
  const widths = line.ordered.map(s => (s.access ? Math.max(150, 7.1 * Math.max((s.access.command || "").length, accessesOf(s.access).length) + 46) : 104));
  const used = widths.reduce((a, b) => a + b, 0), gap = line.ordered.length > 1 ? Math.max(24, (WIDTH - LEFT - RIGHT - used) / (line.ordered.length - 1)) : 0;
  const width = Math.max(WIDTH, LEFT + RIGHT + used + gap * (line.ordered.length - 1)), boxes = new Map();
  const picture = svg("svg", { viewBox: `0 0 ${width} ${total}`, role: "img", "aria-label": `Queues and submissions: ${(sync.between || {}).text || ""}. ${missingText(sync)}` });
  queues.forEach((queue, i) => {
    const y = top + rowHeight * (i + 0.5);
    picture.append(i % 2 ? svg("g") : svg("rect", { class: "band", x: 0, y: top + i * rowHeight, width, height: rowHeight }), svg("line", { class: "lane", x1: LEFT - 10, x2: width - 8, y1: y, y2: y }),
      text(LEFT - 18, y - 2, "end", "mono", shorter(line.queues.get(queue), 24)), text(LEFT - 18, y + 14, "end", "soft", "queue"));
  });
  let x = LEFT;
  line.ordered.forEach((submission, i) => {
    boxes.set(submission, { left: x, right: x + widths[i], y: top + rowHeight * (queues.indexOf(submission.queue) + 0.5) });
    x += widths[i] + gap;
  });
  const from = boxes.get(line.first), to = boxes.get(line.last);
  picture.append(missingBridge((from.left + from.right) / 2, (to.left + to.right) / 2, from.y + 40, to.y + 40, deck, missingText(sync)));
  for (const submission of line.ordered) picture.append(submissionBox(submission, boxes.get(submission)));
  let drawn = 0;
  for (const waiter of line.ordered)
    for (const wait of waiter.waits) {
      const signaler = line.ordered.find(s => s !== waiter && s.signals.some(signal => signal.semaphore && wait.semaphore && signal.semaphore.handle === wait.semaphore.handle));
      if (signaler) picture.append(semaphoreArrow(signaler.signals.find(signal => signal.semaphore.handle === wait.semaphore.handle), wait, boxes.get(signaler), boxes.get(waiter), drawn++ % 3));
    }
  return picture;
}

/* --- which of them --- */

function legend(entries) {
  return el("p", { class: "legend" }, entries.filter(Boolean).map(([color, dash, says]) => el("span", null, el("i", { class: dash ? "dash" : "", style: `border-color:var(--${color})` }), says)));
}

function pictures(finding) {
  const sync = finding.sync, earlier = sync.earlier || {}, self = sync.this || {};
  const apart = (earlier.queue || self.queue) && (earlier.submission !== self.submission || queueKey(earlier.queue) !== queueKey(self.queue));
  const where = apart ? "Between submissions" : self.commandBuffer ? `In ${self.commandBuffer.type} ${self.commandBuffer.name ? `"${self.commandBuffer.name}"` : self.commandBuffer.handle}` : "The two accesses";
  const resource = self.resource || earlier.resource;
  return [el("h3", { class: "as-is" }, where), el("p", { class: "legend" }, resource ? `accesses to ${resource.type} ${resource.name ? `"${resource.name}"` : resource.handle}${rangeText(self.range) ? `, ${rangeText(self.range)}` : ""}` : ""),
    el("figure", { class: "picture", style: "margin:0" }, apart ? timelinePicture(sync) : lanesPicture(sync)),
    legend([["write", false, "write"], ["read", false, "read"], (apart ? sync.semaphores : (sync.between || {}).barriers) ? ["bridge", false, apart ? "semaphore, from its signal to its wait" : "what a barrier orders"] : null, ["missing", true, "what is missing"]])];
}

