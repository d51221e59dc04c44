/* What is printed: the finding that is looked at, or from the overview all that filters leave, the first ones in full. */

const PAPER_FULL = 100, PAPER_LINES = 1000, PAPER_WIDTH = 700;

function paperFiles(data) {
  const names = data.files.filter(file => !file.old).map(file => shortPath(file.path, data.files)), shown = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${shown} and ${plural(names.length - 4, "more file")}` : shown;
}

function paperHead(what) {
  const data = state.data;
  return el("header", { class: "paper-head" }, el("h1", null, "Assay"), el("p", null, `${what}. ${plural(data.findings, "finding")}, ${format(data.different)} different, ${paperFiles(data)}; made by ${data.tool} on ${data.made}`));
}

/* The details, where they have been read already. */
function loadedDetail(index) {
  const part = state.loaded.get(Math.floor(index / state.data.partSize));
  return part && part[index % state.data.partSize];
}

function paperFinding(index) {
  return el("article", { class: "paper-finding" }, ...findingView(index, loadedDetail(index), true));
}

function paperLine(index) {
  const row = state.rows[index];
  return el("tr", null, el("td", null, SEVERITIES[row[SEVERITY]]), el("td", null, breakable(state.data.rules[row[RULE]].id)), el("td", null, breakable(brief(row[MESSAGE]))), el("td", { class: "mono" }, breakable(row[SHADER] || row[PLACE])), el("td", { class: "n" }, format(row[COUNT])));
}

/* Builds what goes to paper, from what is in memory: browsers do not wait for more. */
function layPaper() {
  const paper = $("paper");
  let full = [], lines = [];
  if (state.selected >= 0) {
    full = [state.selected];
  } else {
    full = state.order.slice(0, PAPER_FULL).filter(loadedDetail);
    const inFull = new Set(full);
    lines = state.order.filter(index => !inFull.has(index)).slice(0, PAPER_LINES);
  }
  const left = state.selected >= 0 ? 0 : state.order.length - full.length - lines.length;
  paper.replaceChildren(paperHead(state.selected >= 0 ? "One finding" : state.order.length < state.rows.length ? "What the filters leave" : "All findings"),
    ...(state.selected >= 0 ? [] : overviewView(true)), ...full.map(paperFinding),
    ...(lines.length ? [el("h2", null, full.length ? "Further findings" : "Findings"), table(["", "id", "message", "place", "times"], lines.map(paperLine), "lines")] : []),
    ...(left > 0 ? [el("p", null, `and ${plural(left, "more finding")}, for which this is too short: narrow the filters, or use the database (assay report --sqlite).`)] : []));
  drawPictures(paper, PAPER_WIDTH);
}

/* Reads what is needed first. */
async function printFindings() {
  if (state.selected < 0) {
    const parts = new Set(state.order.slice(0, PAPER_FULL).map(index => Math.floor(index / state.data.partSize)));
    for (const part of [...parts].slice(0, 40)) await readPart(part);
    await readSources();
  }
  window.print();
}

function listenForPaper() {
  addEventListener("beforeprint", layPaper);
  addEventListener("afterprint", () => $("paper").replaceChildren());
}
