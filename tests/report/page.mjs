/* Is the HTML report pleasant to use? Loads it in headless Chromium as a file, works with it by mouse and keyboard, and takes screenshots.
 * usage: node page.mjs --node DIRECTORY --page FILE [--large FILE] [--screenshots DIRECTORY] */
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const options = Object.fromEntries(process.argv.slice(2).map((value, i, all) => (value.startsWith("--") ? [value.slice(2), all[i + 1]] : null)).filter(Boolean));
const { chromium } = createRequire(`${options.node}/`)("playwright-core");
const errors = [];

function expect(condition, what) {
  if (!condition) throw new Error(`not so: ${what}`);
}

async function open(browser, file, settings) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 }, ...settings });
  const page = await context.newPage();
  page.on("console", message => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", error => errors.push(String(error)));
  page.on("request", request => /^(file|data|blob):/.test(request.url()) || errors.push(`asks the network for ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => window.assay && window.assay.ready);
  return page;
}

async function shot(page, name) {
  if (options.screenshots) await page.screenshot({ path: `${options.screenshots}/${name}.png` });
}

const texts = (page, selector) => page.$$eval(selector, elements => elements.map(element => element.textContent));

async function search(page, words) {
  await page.fill("#search", words);
  await page.waitForTimeout(80);
}

/* What there is, and its pictures. */
async function small(browser) {
  const page = await open(browser, options.page, { colorScheme: "light" });
  expect((await page.textContent("#total")).includes("findings"), "the totals are there");
  expect((await texts(page, ".cards .card")).length >= 4 && (await page.$$(".bars .bar")).length > 5, "the overview has numbers and bars");
  await shot(page, "overview");
  /* By keyboard: search, go to it, see its picture. */
  await page.keyboard.press("/");
  await page.keyboard.type("vertices");
  await page.waitForTimeout(80);
  expect((await page.textContent("#shown")).startsWith("1 different finding of "), `one is found: ${await page.textContent("#shown")}`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".picture svg");
  expect((await page.$$(".picture .missing")).length === 1, "the missing barrier is drawn");
  const missing = await page.$eval(".picture .missing", path => getComputedStyle(path).strokeDasharray);
  expect(missing !== "none", "it is dashed");
  expect((await texts(page, ".missing-text"))[0] === "missing: CLEAR / TRANSFER_WRITE → COPY / TRANSFER_READ", await texts(page, ".missing-text"));
  expect((await texts(page, ".picture .mono")).includes("vkCmdFillBuffer"), "the accesses have their commands");
  expect((await page.textContent(".code")).includes("VkBufferMemoryBarrier2"), "the code that mends it is there");
  expect((await page.textContent(".side .mono")).includes("hazards.c:"), "callers have lines");
  await shot(page, "hazard");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelector(".copy").textContent === "Copied");
  expect((await page.evaluate(() => navigator.clipboard.readText())).startsWith("const VkBufferMemoryBarrier2"), "it can be copied");
  /* Barriers that miss are bridges with a cross. */
  await search(page, "indices");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(80);
  await search(page, "indices");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelectorAll(".picture .pillar").length === 2);
  expect((await page.$$(".picture .cross")).length === 2, "both barriers have their fault marked");
  expect((await texts(page, ".picture .fault")).includes("CLEAR is not waited for"), await texts(page, ".picture .fault"));
  await shot(page, "barriers");
  /* Submissions and their semaphore. */
  const file = name => page.selectOption("#file", { label: names.find(text => text.endsWith(name)) }), names = await texts(page, "#file option");
  await search(page, '"draw" staging vkCmdCopyBuffer upload');
  await file("hazards-1.jsonl");
  await page.click(".item:not(.group)");
  await page.waitForSelector(".picture .submission");
  expect((await texts(page, ".picture .mono")).includes("uploaded"), await texts(page, ".picture .mono"));
  await shot(page, "submissions");
  /* Two queues, and the semaphore that is waited for too narrowly. */
  await file("hazards-2.jsonl");
  await page.click(".item:not(.group)");
  await page.waitForFunction(() => document.querySelectorAll(".picture .lane").length === 2);
  expect((await texts(page, ".picture .mono")).includes("transfer"), await texts(page, ".picture .mono"));
  await shot(page, "queues");
  await file("all");
  /* The specification's text, objects that are links to a search, the file it came from. */
  await search(page, "VUID-VkWriteDescriptorSet");
  await page.click(".item:not(.group)");
  await page.waitForSelector(".spec a");
  expect((await page.getAttribute(".spec a", "href")).startsWith("https://docs.vulkan.org/spec/latest/"), "the specification is linked");
  expect(!(await texts(page, "#detail *")).some(text => text.includes("null") || text.includes("undefined") || text.includes("[object")), "no value that is none is shown");
  await shot(page, "finding");
  await page.click("#detail td .link");
  expect((await page.inputValue("#search")).includes("view of last frame"), "an object's name is searched for");
  /* Filters, groups, keys. */
  await page.keyboard.press("Escape");
  await search(page, "");
  const all = await page.evaluate(() => window.assay.order.length);
  await page.click("#statuses .chip:first-child");
  expect((await page.evaluate(() => window.assay.order.length)) < all, "a filter filters");
  await page.click("#statuses .chip:first-child");
  for (const by of ["place", "object", "command", "none", "rule"]) await page.selectOption("#group", by);
  await page.focus("#list");
  await page.keyboard.press("Home");
  expect((await page.getAttribute(".item.current", "aria-expanded")) === "true", "the first is a group");
  const before = await page.evaluate(() => window.assay.items.length);
  await page.keyboard.press("ArrowLeft");
  expect((await page.evaluate(() => window.assay.items.length)) < before, "a group closes");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("End");
  expect(await page.$(".item.current"), "the last one is in view");
  await page.keyboard.press("?");
  expect(await page.isVisible("#help"), "the keys are told");
  await page.keyboard.press("Escape");
  /* What a finding says is never taken for HTML. */
  await search(page, "script");
  await page.click(".item:not(.group)");
  expect(await page.evaluate(() => !window.broken), "text is text");
  await accessible(page);
  await page.context().close();
}

/* Names for what can be pressed, contrast, one way through by keyboard. */
async function accessible(page) {
  const nameless = await page.$$eval("button, input, select, a", elements => elements.filter(e => e.offsetParent && !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).map(e => e.outerHTML));
  expect(!nameless.length, `everything that can be pressed has a name: ${nameless}`);
  for (const theme of ["light", "dark"]) {
    const low = await page.evaluate(dark => {
      document.documentElement.classList.toggle("dark", dark);
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const rgb = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
      const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 200) return c; } return [255, 255, 255]; };
      const out = [];
      for (const e of document.querySelectorAll("body *")) {
        if (!e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest("svg")) continue;
        const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) out.push(`${e.className || e.tagName}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
      }
      return [...new Set(out)];
    }, theme === "dark");
    expect(!low.length, `contrast in ${theme}: ${low}`);
  }
}

async function dark(browser) {
  const page = await open(browser, options.page, { colorScheme: "dark" });
  expect(await page.evaluate(() => document.documentElement.classList.contains("dark")), "it is dark where the system is");
  await search(page, "indices");
  await page.click(".item:not(.group)");
  await page.waitForSelector(".picture svg");
  await shot(page, "dark");
  await page.click("#theme");
  await page.click("#theme");
  expect(await page.evaluate(() => !document.documentElement.classList.contains("dark")), "the button makes it light");
  await page.context().close();
  const narrow = await open(browser, options.page, { viewport: { width: 420, height: 800 } });
  await search(narrow, "vertices");
  await narrow.click(".item:not(.group)");
  await narrow.waitForSelector(".picture svg");
  expect(await narrow.isVisible(".back") && !(await narrow.isVisible("#list")), "on a narrow screen a finding has it to itself");
  await shot(narrow, "narrow");
  await narrow.context().close();
}

/* 100,000 findings: how long until they can be read, how long until a search is answered. */
async function large(browser) {
  const began = Date.now(), page = await open(browser, options.large, {}), load = Date.now() - began;
  expect((await page.evaluate(() => window.assay.rows.length)) === 100000, "all are there");
  const times = [];
  for (const words of ["vertices", "buffer 4", "-upload shadow", "nothing has this", ""]) {
    await search(page, words);
    times.push(await page.evaluate(() => window.assay.filterTime));
  }
  const rows = await page.$$eval(".item", items => items.length);
  expect(rows < 60, `only what is in view is made: ${rows}`);
  await page.evaluate(() => (document.querySelector("#list").scrollTop = 2000000));
  await page.waitForTimeout(100);
  expect(await page.$(".item"), "it scrolls");
  await page.focus("#list");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#detail h2 .count"));
  const timing = await page.evaluate(() => Math.round(window.assay.ready));
  console.log(`in the page: ready ${timing} ms after it began to load`);
  console.log(`100,000 findings: ready ${load} ms after the start of loading; searches take ${times.map(t => t.toFixed(0)).join(", ")} ms`);
  expect(load < 20000 && Math.max(...times) < 2000, "that is quick");
  await shot(page, "large");
  await page.context().close();
}

if (options.screenshots) mkdirSync(options.screenshots, { recursive: true });
const browser = await chromium.launch({ executablePath: options.chromium || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] });
try {
  await small(browser);
  await dark(browser);
  if (options.large) await large(browser);
  expect(!errors.length, `no error: ${errors.join("\n")}`);
} finally {
  await browser.close();
}
console.log("the page works");
