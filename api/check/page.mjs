// Check the pages of a running api in Chromium: node page.mjs BASE_URL
// With scripts, at three widths from 360 pixels, in light or dark: axe finds no violation, no content is wider than the screen,
// and the page loads nothing from other hosts and has no errors. Without scripts: all content is visible, no elements overlap,
// and links work. The page of an operation is not checked at every width: see below. It also tests the scripts and the form
// that signs. Environment: API_KEY, SECRET_KEY and AUTH_TOKEN for the form; SHOTS, a directory for screenshots; CHROMIUM, the
// browser.
import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const base = process.argv[2];
const { SHOTS, API_KEY, SECRET_KEY, AUTH_TOKEN } = process.env;
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
assert(executablePath, "no Chromium: install it, or set CHROMIUM");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"], timeout: 0, protocolTimeout: 300_000 });
let failed = 0;
const fail = (words) => {
  failed++;
  console.error(words);
};

async function tab({ width, dark = false, scripts = true }) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: "reduce" }]);
  // A tab that is at the next page may still report of the one before, so this says where the tab is, not who is at fault.
  page.on("pageerror", (error) => fail(`at ${page.url()}: ${error}`));
  page.on("console", (message) => message.type() === "error" && !message.location().url?.endsWith("/favicon.ico") && fail(`at ${page.url()}: ${message.text()}`));
  page.on("request", (request) => request.url().startsWith(base) || request.url().startsWith("data:") || fail(`at ${page.url()}: ${request.url()} is loaded`));
  return page;
}

async function visit(page, path) {
  const answer = await page.goto(base + path);
  assert([200, 304].includes(answer.status()), `${path}: ${answer.status()}`);
}

async function open(path, view) {
  const page = await tab(view);
  await visit(page, path);
  return page;
}

const views = [
  { width: 360, dark: false },
  { width: 360, dark: true },
  { width: 820, dark: true },
  { width: 820, dark: false },
  { width: 1440, dark: false },
  { width: 1440, dark: true },
];
// The navigation leads to every page.
const start = await open("/docs", { width: 1440 });
const paths = await start.$$eval(":is(.side, .side > details) > ul > li > a", (links) => links.map((link) => new URL(link.href).pathname).filter((path) => !/\.(md|json)$/.test(path)));
await start.close();
assert(paths.length > 60 && new Set(paths).size === paths.length, `the navigation has the pages ${paths}`);

// Each page is checked at every width, in light or dark colors in turn, so in both. The pages of operations come from one
// template: each is checked in one view, and all of them together in every view. A tab is used for all pages of a view.
const isOperation = (path) => path.startsWith("/docs/operations/");
const inView = (path, i, n) => (isOperation(path) ? i % views.length === n : i % 2 === n % 2);
const checked = new Map();
const count = (path) => checked.set(path, (checked.get(path) ?? 0) + 1);
for (const [n, { width, dark }] of views.entries()) {
  const page = await tab({ width, dark });
  for (const path of paths.filter((path, i) => inView(path, i, n))) {
    await visit(page, path);
    const name = `${path} at ${width}${dark ? ", dark" : ""}`;
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/page${path.replaceAll("/", "-")}-${width}${dark ? "-dark" : ""}.png` });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) fail(`${name} is ${wide} pixels wider than the screen`);
    await page.evaluate(() => document.querySelectorAll("article:nth-of-type(-n+3) details, main section[id] > details, #BAD_REQUEST details").forEach((details) => (details.open = true)));
    // The policy of the page forbids script elements.
    await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    assert(passes.length > 10, "axe has looked at nothing");
    for (const v of violations) fail(`${name}: ${v.id}: ${v.help}\n  ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join("\n  ")}`);
    count(path);
  }
  await page.close();
}

// A permalink works with and without scripts: its target is on the screen, and no element covers it.
const leads = (page, id) =>
  page.waitForFunction(
    (id) => {
      const { left, top, bottom } = document.getElementById(id).querySelector("h2, h3").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && document.elementFromPoint(left + 2, (top + bottom) / 2)?.closest(`[id="${CSS.escape(id)}"]`);
    },
    { polling: 50 },
    id,
  );
for (const scripts of [true, false]) {
  const page = await open("/docs/errors#WORKFLOW_ENDED", { width: 1440, scripts });
  await leads(page, "WORKFLOW_ENDED");
  const colors = await page.$$eval('#WORKFLOW_ENDED pre span', (tokens) => new Set(tokens.map((token) => getComputedStyle(token).color)).size);
  assert(colors >= 2, `code has ${colors} colors, with${scripts ? "" : "out"} scripts`);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/permalink${scripts ? "" : "-without-scripts"}.png` });
  await page.close();
}

// Without scripts all content can be read: it is visible, no element covers it, and the table of contents links to it. Each page
// is checked at every width, but that of an operation only at the narrowest, where there is least room, and at one other.
for (const [n, width] of [360, 820, 1440].entries()) {
  const page = await tab({ width, scripts: false });
  for (const path of paths.filter((path, i) => !isOperation(path) || n === 0 || i % 2 === n % 2)) {
    await visit(page, path);
    const name = `${path} at ${width} without scripts`;
    const found = await page.evaluate(() => {
      const problems = [];
      const told = (element) => `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 60)}`;
      if (document.documentElement.classList.contains("scripted")) problems.push("scripts run");
      if (document.documentElement.scrollWidth > document.documentElement.clientWidth) problems.push("it is wider than the screen");
      // Closed details show their summary, and open without scripts. Open all to check their content.
      for (const details of document.querySelectorAll("details")) {
        if (!details.open && details.querySelector("summary").checkVisibility() === false) problems.push(`cannot be opened: ${told(details)}`);
        details.open = true;
      }
      // Not th: on a phone the cells are below each other, and column headings are only for screen readers.
      const texts = [...document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, pre, td, dt, dd, summary), .side a, .top a")];
      for (const element of texts) {
        if (element.textContent.trim() === "") continue;
        const { width, height, right } = element.getBoundingClientRect();
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || width < 4 || height < 8) problems.push(`not shown: ${told(element)}`);
        if (right < 0) problems.push(`off the screen: ${told(element)}`);
      }
      // The name of an operation or a field must not wrap.
      for (const code of document.querySelectorAll("main :is(td, h3) code, .side code")) {
        for (const part of code.childNodes) {
          const range = document.createRange();
          range.selectNodeContents(part);
          if (part.nodeType === Node.TEXT_NODE && /^[\w.[\]]+$/.test(part.textContent) && new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) problems.push(`broken: ${part.textContent}`);
        }
      }
      // On a phone, what belongs to a field stands below its name, and nothing is cut off.
      for (const table of document.querySelectorAll("main .table")) {
        if (innerWidth < 640 && table.scrollWidth > table.clientWidth) problems.push(`wider than the screen: ${table.getAttribute("aria-label")}`);
      }
      // The vertical order of elements, in the page and in each part of it.
      const apart = (parts) => {
        for (const [i, a] of parts.entries()) {
          for (const b of parts.slice(i + 1)) {
            const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
            if (p.width && q.width && p.bottom - q.top > 1 && q.bottom - p.top > 1 && p.right - q.left > 1 && q.right - p.left > 1) problems.push(`${told(a)} lies over ${told(b)}`);
          }
        }
      };
      scrollTo(0, 0);
      apart([document.querySelector(".top"), document.querySelector(".side"), document.querySelector("main")].filter(Boolean));
      for (const parent of document.querySelectorAll("main, main section, main article, main details, .side")) {
        const parts = [...parent.children];
        for (const i of parts.keys()) apart(parts.slice(i, i + 2));
      }
      return { problems, texts: texts.length, letters: document.querySelector("main").innerText.length };
    });
    for (const problem of found.problems.slice(0, 10)) fail(`${name}: ${problem}`);
    assert(found.texts > 20 && found.letters > 400, `${name}: there is little to read: ${JSON.stringify(found)}`);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/without-scripts${path.replaceAll("/", "-")}-${width}.png` });
    count(path);
  }
  await page.close();
}
for (const path of paths) assert.equal(checked.get(path), isOperation(path) ? 1 + 2 : 3 + 3, `${path}: views in which it was checked, with and without scripts`);

// Follow the links, as a reader without scripts does: from the start to a part, an operation and a refusal.
for (const width of [360, 820, 1440]) {
  const reader = await open("/docs", { width, scripts: false });
  const follow = async (link, id) => {
    await Promise.all([reader.waitForNavigation(), reader.click(link)]);
    if (id) await leads(reader, id);
  };
  await follow('.side a[href="/docs/onboarding"]');
  await follow('main a[href="/docs/operations/workflow.get"]');
  await follow('.side a[href="#request"]', "request");
  await reader.click('#request details[data-language="Python"] summary');
  assert(await reader.$eval('#request details[data-language="Python"] pre', (pre) => pre.checkVisibility() && pre.innerText.includes("client.workflow_get(")), `a snippet cannot be opened at ${width}`);
  await follow('#refusals a[href="/docs/errors#ENTITY_NOT_FOUND"]', "ENTITY_NOT_FOUND");
  await reader.click(".side summary");
  await follow('.side a[href="/docs/operations/business.get"]', "request");
  await reader.close();
}

// Everything can be reached with the keyboard, and what has the focus shows it and is on the screen.
const page = await open("/docs", { width: 360 });
await page.keyboard.press("Tab");
assert.equal(await page.evaluate(() => document.activeElement.className), "skip", "the skip link is the first stop");
await page.keyboard.press("Enter");
await page.waitForFunction(() => document.activeElement.id === "main");
await page.reload();
const stops = [];
for (let i = 0; i < 40; i++) {
  await page.keyboard.press("Tab");
  const stop = await page.evaluate(() => {
    const at = document.activeElement;
    const { left, right, top, bottom } = at.getBoundingClientRect();
    return { tag: at.tagName, name: (at.getAttribute("aria-label") ?? at.textContent).trim().slice(0, 40), outline: getComputedStyle(at).outlineStyle, shown: left >= 0 && right <= innerWidth + 1 && bottom > 0 && top < innerHeight };
  });
  stops.push(stop);
  if (!stop.shown || stop.outline === "none") fail(`the stop ${i + 1} of the Tab key does not show the focus: ${JSON.stringify(stop)}`);
}
for (const [tag, name] of [["BUTTON", "Pages"], ["INPUT", "Search all pages"], ["BUTTON", "Switch to dark colors"], ["SUMMARY", "TypeScript"], ["SUMMARY", "Shell"], ["BUTTON", "Copy this block"]]) {
  assert(stops.some((stop) => stop.tag === tag && stop.name === name), `the Tab key does not reach ${name}: ${JSON.stringify(stops)}`);
}
await page.focus(".menu");
await page.keyboard.press("Enter");
await page.focus('.side a[href="/docs/webhooks"]');
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
assert.equal(await page.$eval("h1", (title) => title.textContent), "Webhooks when something is wrong");

// The switch of light and dark wins over the system, on every page.
const lightness = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0));
const before = await lightness();
await page.focus(".theme");
await page.keyboard.press("Enter");
const after = await lightness();
assert(before > 600 && after < 200, `the switch changes the background from ${before} to ${after}`);
await page.goto(base + "/docs");
assert.equal(await lightness(), after, "the choice holds on other pages");
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await page.click(".theme");
assert.equal(await lightness(), before, "light, where the system asks for dark");

// The search leads from any page to an operation, a field, a refusal, an event and a section, with the keyboard alone. A caller's
// word finds what it means among the first three.
await page.setViewport({ width: 1440, height: 900 });
for (const [words, target, among = 1] of [
  ["key deleted", "/docs/errors#KEY_DELETED"],
  ["workflow.decision.get", "/docs/operations/workflow.decision.get"],
  ["previous_digest", "/docs/operations/workflow.decision.get#data.previous_digest"],
  ["lists and pages", "/docs/conventions#lists"],
  ["webhook test", "/docs/events#event-WEBHOOK_TEST"],
  ["drop repeats", "/docs/calling#drop-repeats"],
  ["pagination", "/docs/conventions#lists"],
  ["timeout", "/docs/conventions#timeouts"],
  ["rotate key", "/docs/calling#change-a-key"],
  ["jwe", "/docs/calling#why-jwe-and-not-standard-webhooks"],
  ["replay", "/docs/operations/webhook.event.replay"],
  ["retry", "/docs/operations/webhook.delivery.retry"],
  ["approve document", "/docs/operations/workflow.requiredDocument.update"],
  ["approve doc", "/docs/operations/workflow.requiredDocument.update"],
  ["Install", "/docs#step-1"],
  ["npm", "/docs#step-1", 3],
  ["async", "/docs/conventions#timeouts"],
  ["dedupe", "/docs/calling#drop-repeats"],
  ["versioning", "/docs/conventions#versions"],
  ["beneficial owner", "/docs/rules#persons"],
  ["sandbox clock", "/docs/sandbox-days"],
  ["rate limit", "/docs/conventions#limits"],
  ["authentication", "/docs/signing"],
  ["resend", "/docs/webhooks#send-again"],
  ["waive document", "/docs/operations/workflow.requiredDocument.waive"],
  ["audit trail", "/docs/operations/workflow.decision.get"],
  ["idempotency", "/docs/conventions#repeating", 3],
]) {
  await page.goto(base + "/docs");
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.waitForSelector(".found a");
  const found = await page.$$eval(".found a", (links) => links.map((link) => decodeURIComponent(link.pathname + link.hash)));
  const at = found.indexOf(target);
  if (at < 0 || at >= among) {
    fail(`the search for "${words}" leads to ${found.slice(0, 3).join(", ")}, and not among the first ${among} to ${target}`);
    continue;
  }
  for (let i = 0; i <= at; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction((target) => {
    if (decodeURIComponent(location.pathname + location.hash) !== target) return false;
    const shown = document.getElementById(decodeURIComponent(location.hash.slice(1))) ?? document.querySelector("h1");
    const { top, bottom, height } = shown?.getBoundingClientRect() ?? {};
    return height > 0 && bottom > 0 && top < innerHeight;
  }, { polling: 50 }, target);
}
await page.goto(base + "/docs");
await page.keyboard.press("/");
await page.keyboard.type("zzzz");
await page.waitForFunction(() => document.querySelector(".found").textContent === "Nothing found.");

// A link to a field opens what hides it.
await page.goto(base + "/docs/events#event-WORKFLOW_COMPLETED:state");
await page.waitForFunction(() => document.getElementById("event-WORKFLOW_COMPLETED:state").checkVisibility());

await page.goto(base + "/docs/signing");
await browser.defaultBrowserContext().overridePermissions(base, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
await page.$eval("#vector-text", (block) => block.parentElement.querySelector(".copy").click());
await page.waitForFunction(() => document.querySelector("#vector-text").parentElement.querySelector(".copy").textContent === "Copied");
assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.$eval("#vector-text code", (code) => code.textContent));

// A link to a field that is not of the main use opens what hides it.
await page.goto(base + "/docs/operations/workflow.get#data.findings[].since");
await page.waitForFunction(() => document.getElementById("data.findings[].since").checkVisibility());
await page.$eval('#request details[data-language="Python"] summary', (summary) => summary.click());
await page.goto(base + "/docs");
assert(await page.$eval('#step-2 details[data-language="Python"]', (details) => details.open), "the language is remembered on other pages");
assert(await page.$$eval(".snippets details", (all) => all.every((details) => details.open === (details.dataset.language === "Python"))), "one language for all snippets");

if (API_KEY) {
  const form = async (operation) => {
    await page.goto(base + "/docs/operations/" + operation);
    await Promise.all([page.waitForNavigation(), page.click('main a[href^="/docs/try?"]')]);
    assert.equal(await page.$eval("#try-it select", (choice) => choice.value), operation);
  };
  const fill = (index, value) => page.$$eval("#try-it input", (inputs, index, value) => {
    inputs[index].value = value;
    inputs[index].dispatchEvent(new Event("change"));
  }, index, value);
  const body = () => page.$eval("#try-it textarea", (text) => JSON.parse(text.value));
  const choose = (operation) => page.select("#try-it select", operation);
  const answer = async () => {
    await page.click("#try-it > button");
    await page.waitForFunction(() => /^(HTTP|Enter|Not)/.test(document.querySelector("#try-it pre").textContent));
    return page.$eval("#try-it pre", (pre) => pre.textContent);
  };
  await form("workflow.create");
  const example = await body();
  await fill(0, API_KEY.replace("sb_", "lv_"));
  assert.match(await answer(), /credential of the sandbox/, "no live credential is taken");
  await fill(0, API_KEY);
  await fill(1, SECRET_KEY);
  await fill(2, AUTH_TOKEN);
  await page.waitForFunction((id) => JSON.parse(document.querySelector("#try-it textarea").value).account_id !== id, {}, example.account_id);
  assert.equal((await body()).account_id, "sb_own", "the account is the reader's own");
  await fill(3, "try 1");
  assert.match(await answer(), /^HTTP 200\n[^]*"verified": "try 1"/);
  await choose("workflow.get");
  assert.equal((await body()).workflow_id, "w_own", "the ids of an answer are in the next bodies");
  assert.match(await answer(), /^HTTP 200/);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/try.png` });
  assert.deepEqual(await page.evaluate(() => [Object.keys(localStorage).sort(), Object.keys(sessionStorage), document.cookie]), [["language", "theme"], [], ""], "nothing of a credential is stored");
}
await browser.close();
process.exit(failed ? 1 : 0);
