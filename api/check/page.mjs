// Check the pages of a running api in Chromium: node page.mjs BASE_URL
// With scripts, at three widths, in light and dark: axe finds no violation, no content is wider than the screen, and the page
// loads nothing from other hosts and has no errors. Without scripts: all content is visible, no elements overlap, and links
// work. It also tests the scripts and the form that signs. Environment: API_KEY, SECRET_KEY and AUTH_TOKEN for the form; VIEWS,
// the number of the six views with scripts to check, all by default; SHOTS, a directory for screenshots; CHROMIUM, the browser.
import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const base = process.argv[2];
const { SHOTS, API_KEY, SECRET_KEY, AUTH_TOKEN, VIEWS = 6 } = process.env;
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
assert(executablePath, "no Chromium: install it, or set CHROMIUM");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"], protocolTimeout: 300_000 });
let failed = 0;
const fail = (words) => {
  failed++;
  console.error(words);
};

async function open(path, { width, dark = false, scripts = true }) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: "reduce" }]);
  page.on("pageerror", (error) => fail(`${path}: ${error}`));
  page.on("console", (message) => message.type() === "error" && !message.location().url?.endsWith("/favicon.ico") && fail(`${path}: ${message.text()}`));
  page.on("request", (request) => request.url().startsWith(base) || request.url().startsWith("data:") || fail(`${path} loads ${request.url()}`));
  const answer = await page.goto(base + path);
  assert.equal(answer.status(), 200, path);
  return page;
}

const views = [
  { width: 390, dark: false },
  { width: 1440, dark: true },
  { width: 820, dark: false },
  { width: 390, dark: true },
  { width: 820, dark: true },
  { width: 1440, dark: false },
].slice(0, VIEWS);
assert(views.length === Number(VIEWS) && views.length > 0, `VIEWS is ${VIEWS}: it must be between 1 and 6`);
for (const path of ["/docs", "/docs/rules", "/docs/calling"]) {
  for (const { width, dark } of views) {
    const page = await open(path, { width, dark });
    const name = `${path} at ${width}${dark ? ", dark" : ""}`;
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/page${path.replaceAll("/", "-")}-${width}${dark ? "-dark" : ""}.png` });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) fail(`${name} is ${wide} pixels wider than the screen`);
    await page.evaluate(() => document.querySelectorAll("article.operation:nth-of-type(-n+3) details, #BAD_REQUEST details").forEach((details) => (details.open = true)));
    // The policy of the page forbids script elements.
    await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    assert(passes.length > 10, "axe has looked at nothing");
    for (const v of violations) fail(`${name}: ${v.id}: ${v.help}\n  ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join("\n  ")}`);
    await page.close();
  }
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
  const page = await open("/docs#WORKFLOW_ENDED", { width: 1440, scripts });
  await leads(page, "WORKFLOW_ENDED");
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/permalink${scripts ? "" : "-without-scripts"}.png` });
  await page.close();
}

// Without scripts all content can be read: it is visible, no element covers it, and the table of contents links to it.
for (const path of ["/docs", "/docs/rules", "/docs/calling"]) {
  for (const width of [390, 820, 1440]) {
    const page = await open(path, { width, scripts: false });
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
    assert(found.texts > 50 && found.letters > 5000, `${name}: there is little to read: ${JSON.stringify(found)}`);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/without-scripts${path.replaceAll("/", "-")}-${width}.png` });
    await page.close();
    if (path !== "/docs") continue;
    // Follow the links, as a reader does.
    const reader = await open(path, { width, scripts: false });
    for (const id of ["precedence", "workflow.get", "sub-codes"]) {
      const link = await reader.$(`.side a[href="#${id}"]`);
      assert(link, `${name}: the contents lack ${id}`);
      await link.click();
      await leads(reader, id);
    }
    await reader.click('[id="workflow.get"] details[data-language="Python"] summary');
    assert(await reader.$eval('[id="workflow.get"] details[data-language="Python"] pre', (pre) => pre.checkVisibility() && pre.innerText.includes("call(")), `${name}: a snippet cannot be opened`);
    await reader.close();
  }
}

const page = await open("/docs", { width: 1440 });
await page.keyboard.press("Tab");
assert.equal(await page.evaluate(() => document.activeElement.className), "skip", "the skip link is the first stop");
await page.keyboard.press("Enter");
await page.waitForFunction(() => document.activeElement.id === "main");

await page.keyboard.press("/");
await page.keyboard.type("key deleted");
await page.waitForSelector(".found a");
const first = await page.$eval(".found a", (link) => link.hash);
assert.equal(first, "#KEY_DELETED", "search finds the sub-code first when its name is typed");
await page.keyboard.press("Enter");
await page.waitForFunction(() => location.hash === "#KEY_DELETED");

await browser.defaultBrowserContext().overridePermissions(base, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
await page.$eval("#vector-text", (block) => block.parentElement.querySelector(".copy").click());
await page.waitForFunction(() => document.querySelector("#vector-text").parentElement.querySelector(".copy").textContent === "Copied");
assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.$eval("#vector-text code", (code) => code.textContent));

await page.$eval('[id="workflow.get"] details[data-language="Python"] summary', (summary) => summary.click());
assert(await page.$$eval("#signing details", (all) => all.every((details) => details.open === (details.dataset.language === "Python"))), "one language for all snippets");
await page.reload();
assert(await page.$eval('#signing details[data-language="Python"]', (details) => details.open), "the language is remembered");

if (API_KEY) {
  const fill = (index, value) => page.$$eval("#try-it input", (inputs, index, value) => (inputs[index].value = value), index, value);
  const answer = async (operation, form) => {
    await page.$eval(`.try[data-operation="${operation}"]`, (container, key) => {
      container.querySelector("details").open = true;
      if (key) container.querySelector("input").value = key;
      container.querySelector("button").click();
    }, form);
    await page.waitForFunction((operation) => /^(HTTP|Enter|Not)/.test(document.querySelector(`.try[data-operation="${operation}"] pre`).textContent), {}, operation);
    return page.$eval(`.try[data-operation="${operation}"] pre`, (pre) => pre.textContent);
  };
  await fill(0, API_KEY.replace("sb_", "lv_"));
  assert.match(await answer("workflow.get"), /credential of the sandbox/, "no live credential is taken");
  await fill(0, API_KEY);
  await fill(1, SECRET_KEY);
  await fill(2, AUTH_TOKEN);
  assert.match(await answer("workflow.create", "try 1"), /^HTTP 200\n[^]*"verified": "try 1"/);
  await page.$eval('.try[data-operation="workflow.get"] pre', (pre) => (pre.textContent = ""));
  assert.match(await answer("workflow.get"), /^HTTP 200/);
  if (SHOTS) {
    await page.$eval('.try[data-operation="workflow.create"]', (container) => container.scrollIntoView());
    await page.screenshot({ path: `${SHOTS}/try.png` });
  }
  assert.deepEqual(await page.evaluate(() => [Object.keys(localStorage), document.cookie]), [["language"], ""], "nothing of a credential is stored");
}
await browser.close();
process.exit(failed ? 1 : 0);
