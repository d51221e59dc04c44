/* What a command was given (gpuDump, of the settings gpu_dump_*): a table for each set, for addresses, and for structures in memory, with
 * what looks wrong under what it is about. */

/* Text that may be broken after `_`, and before a word within a name. */
const breakable = name => name.split(/(?<=_)|(?<=[a-z]{2})(?=[A-Z])/).flatMap((part, i) => (i ? [el("wbr"), part] : part));

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

/* "0x7f00 in VkBuffer "values", at byte 16, 48 bytes left" */
function dumpedAddress({ address, object, at, left }, paper) {
  if (address === undefined) return null;
  return [el("code", null, address), object ? [" in ", dumpedObject(object, paper)] : null, at === undefined ? "" : `, at byte ${format(at)}, ${plural(left, "byte")} left`];
}

function dumpedMarks(wrong) {
  return (wrong || []).map(text => el("p", { class: "fault" }, el("b", { "aria-hidden": "true" }, "! "), el("span", { class: "unseen" }, "Looks wrong: "), text));
}

/* ", 2D, R8G8B8A8_UNORM, mip levels 0 to 3" */
function dumpedViewText({ viewType, format: texels, baseMipLevel, levelCount, baseArrayLayer, layerCount }) {
  const upTo = (what, base, count) => count > 1 ? `, ${what} ${base} to ${base + count - 1}` : base ? `, ${what.slice(0, -1)} ${base}` : "";
  const words = [viewType && viewType.replace("VK_IMAGE_VIEW_TYPE_", ""), texels && texels.replace("VK_FORMAT_", "")].filter(Boolean).map(word => `, ${word}`).join("");
  return words + upTo("mip levels", baseMipLevel, levelCount) + upTo("layers", baseArrayLayer, layerCount);
}

function dumpedDescriptor(descriptor, paper) {
  const { object, of, sampler } = descriptor, image = object && object.type === "VkImageView";
  if (descriptor.address !== undefined) return dumpedRow(descriptor, [dumpedAddress(descriptor, paper), descriptor.range === undefined ? "" : `, ${plural(descriptor.range, "byte")} bound`]);
  const what = [object ? [dumpedObject(object, paper), object.type === "VkBuffer" ? dumpedRange(descriptor) : "", descriptor.layout ? [" in ", el("code", null, descriptor.layout)] : null, dumpedViewText(descriptor)] : null,
    of ? [" of ", dumpedObject(of, paper)] : null, sampler ? [object ? (image ? ", with " : ", ") : "", dumpedObject(sampler, paper)] : null];
  return dumpedRow(descriptor, object || of || sampler ? what : null);
}

function dumpedRow(descriptor, what) {
  const lies = descriptor.liesAt === undefined ? null : el("p", { class: "soft" }, "lies at ", el("code", null, descriptor.liesAt));
  return el("tr", { class: descriptor.wrong ? "wrong" : "" }, el("td", { class: "mono" }, `${descriptor.binding}${descriptor.element ? `[${descriptor.element}]` : ""}`),
    el("td", { class: "mono" }, descriptor.name || "—"), el("td", null, el("code", null, breakable((descriptor.descriptorType || "").replace("VK_DESCRIPTOR_TYPE_", "")))),
    el("td", null, what ? el("p", null, what) : descriptor.wrong ? null : el("p", null, /INLINE/.test(descriptor.descriptorType) ? "inline data" : lies ? "not known" : "—"), lies, dumpedMarks(descriptor.wrong)));
}

function dumpedSet(set, paper) {
  const inBuffer = set.buffer === undefined ? null : [`descriptor buffer ${set.buffer}, offset ${format(set.offset)}: address `, dumpedAddress(set, paper)];
  const rows = set.descriptors || [];
  return el("section", { class: `dumped${set.wrong ? " wrong" : ""}` },
    el("h4", null, `Set ${set.set}`, inBuffer ? [": ", inBuffer] : set.object ? [": ", dumpedObject(set.object, paper)] : rows.length ? ", pushed" : null), dumpedMarks(set.wrong),
    rows.length ? table(["binding", "name", "type", "refers to"], rows.map(row => dumpedDescriptor(row, paper))) : null);
}

/* Rows of addresses: "byte 8", the member, what has it. */
function dumpedAddresses(addresses, paper, first) {
  return table([first, "name", "refers to"], addresses.map((each, i) => el("tr", { class: each.wrong ? "wrong" : "" },
    el("td", { class: "mono" }, each.offset === undefined ? String(i) : format(each.offset)), el("td", { class: "mono" }, each.name || "—"), el("td", null, el("p", null, dumpedAddress(each, paper)), dumpedMarks(each.wrong)))));
}

function dumpedInHeap(each, paper) {
  if (each.address !== undefined) return [dumpedAddress(each, paper), each.range === undefined ? "" : `, ${plural(each.range, "byte")} bound`];
  return each.object ? [dumpedObject(each.object, paper), each.layout ? [" in ", el("code", null, each.layout)] : null] : "—";
}

function dumpedHeap(heap, paper) {
  return el("section", { class: `dumped${heap.wrong ? " wrong" : ""}` }, el("h4", null, heap.kind === "sampler" ? "Sampler heap: " : "Resource heap: ", dumpedAddress(heap, paper)),
    el("p", { class: "soft" }, `${plural(heap.size, "byte")}, of which ${plural(heap.reservedSize, "byte")} from byte ${format(heap.reservedOffset)} on are reserved`), dumpedMarks(heap.wrong),
    heap.descriptors && heap.descriptors.length ? table(["byte", "type", "refers to"], heap.descriptors.map(each => el("tr", { class: each.wrong ? "wrong" : "" }, el("td", { class: "mono" }, format(each.heapOffset)),
      el("td", null, el("code", null, breakable(each.descriptorType.replace("VK_DESCRIPTOR_TYPE_", "")))), el("td", null, el("p", null, dumpedInHeap(each, paper)), dumpedMarks(each.wrong))))) : null);
}

function dumpedStructure(one, paper) {
  const type = one.structure || (one.token || "").replace("VK_INDIRECT_COMMANDS_TOKEN_TYPE_", ""), values = (one.values || []).map(({ name, value }) => `${name} = ${value}`).join(", ");
  const addresses = (one.addresses || []).map(each => [el("p", null, `${each.name}: `, dumpedAddress(each, paper)), dumpedMarks(each.wrong)]);
  const wrong = one.wrong || (one.addresses || []).some(each => each.wrong);
  return el("tr", { class: wrong ? "wrong" : "" }, el("td", { class: "mono" }, String(one.index)), el("td", null, el("code", null, breakable(type))), el("td", null, values ? el("p", null, values) : null, addresses, dumpedMarks(one.wrong)));
}

function dumpedIndirect(indirect, paper) {
  const structures = indirect.structures || [];
  return el("section", { class: `dumped${indirect.wrong ? " wrong" : ""}` }, el("h4", null, `${plural(indirect.count, "structure")}, one each ${plural(indirect.stride, "byte")}`), dumpedMarks(indirect.wrong),
    dumpedAddresses(indirect.parameters, paper, "no."), indirect.unread ? el("p", { class: "soft" }, indirect.unread) : null,
    structures.length ? table(["no.", "type", "has"], structures.map(one => dumpedStructure(one, paper))) : null);
}

/* All parts that can have marks. */
function dumpedParts({ sets = [], heaps = [], addresses = [], indirect }) {
  const structures = indirect ? indirect.structures || [] : [];
  return [...sets, ...sets.flatMap(set => set.descriptors || []), ...heaps, ...heaps.flatMap(heap => heap.descriptors || []), ...addresses, ...structures, ...structures.flatMap(one => one.addresses || []), ...(indirect ? [indirect, ...indirect.parameters] : [])];
}

function dumpView(dump, paper) {
  if (!dump || !(Array.isArray(dump.sets) || dump.indirect)) return [];
  const wrong = dumpedParts(dump).reduce((sum, each) => sum + (each.wrong || []).length, 0);
  return [el("h3", null, dump.indirect ? "What it reads from memory" : "What its shaders are given"), wrong ? el("p", { class: "fault" }, `${plural(wrong, "thing")} look${wrong === 1 ? "s" : ""} wrong.`) : el("p", { class: "soft" }, "Nothing looks wrong."),
    ...(dump.sets || []).map(set => dumpedSet(set, paper)), ...(dump.heaps || []).map(heap => dumpedHeap(heap, paper)),
    dump.addresses ? el("section", { class: "dumped" }, el("h4", null, "Addresses among push constants"), dumpedAddresses(dump.addresses, paper, "byte")) : null,
    dump.indirect ? dumpedIndirect(dump.indirect, paper) : null].filter(Boolean);
}
