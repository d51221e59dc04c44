/* What a command was given (gpuDump, of gpu_dump_descriptors): a table for each set, and what looks wrong under what it is about. */

/* A name that may be broken after `_`. */
const breakable = name => name.split(/(?<=_)/).flatMap((part, i) => (i ? [el("wbr"), part] : part));

/* `VkBuffer "values"`, and a search for it where it has a name. */
function dumpedObject(object, paper) {
  const text = object.name || object.handle ? handleText(object) : object.type;
  return object.name && !paper ? el("button", { class: "link", type: "button", title: "Search for it", click: () => searchFor(object.name) }, text) : text;
}

/* "from byte 512, 256 bytes" */
function dumpedRange({ offset, range }) {
  if (offset === undefined) return range === undefined ? "" : `, ${plural(range, "byte")}`;
  return `, from byte ${format(offset)}${range === undefined ? " to its end" : `, ${plural(range, "byte")}`}`;
}

function dumpedMarks(wrong) {
  return (wrong || []).map(text => el("p", { class: "fault" }, el("b", { "aria-hidden": "true" }, "! "), el("span", { class: "unseen" }, "Looks wrong: "), text));
}

function dumpedDescriptor(descriptor, paper) {
  const { object, of, sampler } = descriptor, image = object && object.type === "VkImageView";
  const what = [object ? [dumpedObject(object, paper), object.type === "VkBuffer" ? dumpedRange(descriptor) : "", descriptor.layout ? [" in ", el("code", null, descriptor.layout)] : null] : null,
    of ? [" of ", dumpedObject(of, paper)] : null, sampler ? [object ? (image ? ", with " : ", ") : "", dumpedObject(sampler, paper)] : null];
  return el("tr", { class: descriptor.wrong ? "wrong" : "" }, el("td", { class: "mono" }, `${descriptor.binding}${descriptor.element ? `[${descriptor.element}]` : ""}`),
    el("td", { class: "mono" }, descriptor.name || "—"), el("td", null, el("code", null, breakable((descriptor.descriptorType || "").replace("VK_DESCRIPTOR_TYPE_", "")))),
    el("td", null, object || of || sampler ? el("p", null, what) : descriptor.wrong ? null : el("p", null, /INLINE/.test(descriptor.descriptorType) ? "inline data" : "—"), dumpedMarks(descriptor.wrong)));
}

function dumpedSet(set, paper) {
  const inBuffer = set.buffer === undefined ? null : [`descriptor buffer ${set.buffer}, offset ${format(set.offset)}: address `, el("code", null, set.address), set.object ? [" in ", dumpedObject(set.object, paper)] : null];
  const rows = set.descriptors || [];
  return el("section", { class: `dumped${set.wrong ? " wrong" : ""}` },
    el("h4", null, `Set ${set.set}`, inBuffer ? [": ", inBuffer] : set.object ? [": ", dumpedObject(set.object, paper)] : rows.length ? ", pushed" : null), dumpedMarks(set.wrong),
    rows.length ? table(["binding", "name", "type", "refers to"], rows.map(row => dumpedDescriptor(row, paper))) : null);
}

function dumpView(dump, paper) {
  if (!dump || !Array.isArray(dump.sets)) return [];
  const wrong = dump.sets.flatMap(set => [set, ...(set.descriptors || [])]).reduce((sum, each) => sum + (each.wrong || []).length, 0);
  return [el("h3", null, "What its descriptors refer to"), wrong ? el("p", { class: "fault" }, `${plural(wrong, "thing")} look${wrong === 1 ? "s" : ""} wrong.`) : el("p", { class: "soft" }, "Nothing looks wrong."),
    ...dump.sets.map(set => dumpedSet(set, paper))];
}
