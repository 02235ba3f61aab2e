// Search, light and dark, copy buttons, the contents on a phone, and one language for all snippets. The pages read well without.
"use strict";
(() => {
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  document.documentElement.classList.add("scripted");
  const top = document.querySelector(".top");
  const side = document.getElementById("side");

  // The navigation, on a narrow screen.
  const menu = make("button", { type: "button", className: "menu", textContent: "Pages" });
  menu.setAttribute("aria-controls", "side");
  const open = (shown) => {
    side.classList.toggle("open", shown);
    menu.setAttribute("aria-expanded", String(shown));
  };
  open(false);
  menu.addEventListener("click", () => open(!side.classList.contains("open")));
  side.addEventListener("click", (event) => event.target.closest("a") && open(false));

  // Light or dark. theme.js applies the choice before the page is drawn.
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const theme = make("button", { type: "button", className: "theme" });
  const name = () => {
    theme.textContent = dark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} colors`);
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    name();
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {}
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();

  // Search through all pages: their sections, operations, fields, events and refusals. search.js is loaded when it is needed.
  const input = make("input", { type: "search", placeholder: "Search ( / )", autocomplete: "off" });
  input.setAttribute("aria-label", "Search all pages");
  const found = make("ul", { className: "found", hidden: true });
  const told = make("span", { className: "skip" });
  told.setAttribute("role", "status");
  top.append(make("div", { className: "find" }, menu, input, found, told), theme);
  let entries;
  const load = () => {
    if (entries) return;
    entries = [];
    const script = make("script", { src: "/docs/search.js" });
    script.addEventListener("load", () => {
      for (const { path, title: page, operation, sections } of globalThis.searchIndex) {
        for (const [id, title, text, fields, words] of sections) {
          entries.push({ href: id ? `${path}#${id}` : path, title, page: id ? page : "", text, operation, words });
          for (const field of fields.split(" ").filter(Boolean)) {
            const name = field.slice(field.indexOf(":") + 1);
            entries.push({ href: `${path}#${field}`, title: name, page: title, text: "", last: name.replaceAll("[]", "").split(".").at(-1) });
          }
        }
      }
      search();
    });
    document.head.append(script);
  };
  // A whole name is worth most, then words that callers have for it, the last word of an operation, a name with all words, a field
  // of the name, and a text with the words. Of fields, those at the top come first.
  const rank = ({ title, page, text, last, operation, words: called = [] }, words, whole) => {
    const name = title.toLowerCase();
    if (!last && (name === whole || name.replaceAll("_", " ") === whole)) return 100;
    if (called.includes(whole)) return 95;
    if (whole.length > 3 && called.some((name) => name.startsWith(whole))) return 85;
    if (operation && name.endsWith(`.${whole}`)) return 90;
    if (!last && words.every((word) => name.includes(word))) return 70 + (operation || name.startsWith(words[0]) ? 5 : 0) - name.length / 100;
    if (called.some((name) => words.every((word) => name.includes(word)))) return 65;
    if (last === whole || last?.replaceAll("_", " ") === whole) return 60 - title.split(".").length;
    if (last && words.every((word) => name.includes(word))) return 50 - name.length / 100;
    const all = `${name} ${page} ${text}`.toLowerCase();
    const hits = words.filter((word) => name.includes(word)).length;
    return words.every((word) => all.includes(word)) && (!last || hits > 0) ? 20 + hits : 0;
  };
  const search = () => {
    const whole = input.value.trim().toLowerCase();
    const words = whole.split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = words.length === 0;
    told.textContent = "";
    if (words.length === 0 || !entries?.length) return;
    const hits = entries
      .map((entry) => ({ entry, rank: rank(entry, words, whole) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank);
    for (const { entry } of hits.slice(0, 20)) {
      const where = [entry.page, entry.text.length > 90 ? entry.text.slice(0, 90) + "…" : entry.text].filter(Boolean).join(": ");
      const link = make("a", { href: entry.href }, entry.title, make("small", { textContent: where }));
      link.addEventListener("click", () => {
        found.hidden = true;
      });
      found.append(make("li", {}, link));
    }
    told.textContent = hits.length === 1 ? "1 result" : `${hits.length} results`;
    if (hits.length === 0) found.append(make("li", { textContent: "Nothing found." }));
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", search);
  const leave = () => {
    input.value = "";
    search();
  };
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && !found.hidden) {
      leave();
      input.focus();
    } else if (event.key === "Enter" && document.activeElement === input) {
      found.querySelector("a")?.click();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && (document.activeElement === input || found.contains(document.activeElement)) && !found.hidden) {
      event.preventDefault();
      const stops = [input, ...found.querySelectorAll("a")];
      stops[stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".find")) found.hidden = true;
  });

  // A button on each block of code that copies it.
  const copyable = (block) => {
    const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
    button.setAttribute("aria-label", "Copy this block");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? block.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block);
        button.textContent = "Selected";
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    block.tabIndex = 0;
    const box = make("div", { className: "box" });
    block.replaceWith(box);
    box.append(block, button);
  };
  document.querySelectorAll("main pre").forEach(copyable);

  // Headings of a guide get the links that the reference has.
  for (const heading of document.querySelectorAll(".guide h2[id], .guide h3[id]")) {
    const link = make("a", { className: "anchor", href: "#" + heading.id, textContent: "#" });
    link.setAttribute("aria-label", "Link to " + heading.textContent);
    heading.append(" ", link);
  }
  for (const table of document.querySelectorAll(".guide table")) table.tabIndex = 0;

  // The language that was opened last is open everywhere.
  const snippets = [...document.querySelectorAll(".snippets details")];
  const show = (language) => {
    for (const details of snippets) details.open = details.dataset.language === language;
  };
  for (const details of snippets) {
    details.querySelector("summary").addEventListener("click", (event) => {
      if (details.open) return;
      event.preventDefault();
      const before = details.getBoundingClientRect().top;
      show(details.dataset.language);
      scrollBy({ top: details.getBoundingClientRect().top - before, behavior: "instant" });
      try {
        localStorage.setItem("language", details.dataset.language);
      } catch {}
    });
  }
  try {
    const known = localStorage.getItem("language");
    if (known && snippets.some((details) => details.dataset.language === known)) show(known);
  } catch {}

  // A field has a link to itself. It is no stop of the Tab key: there are hundreds, and the search leads to each.
  for (const row of document.querySelectorAll("main tr[id]")) {
    const code = row.querySelector("td code");
    const link = make("a", { className: "field", href: "#" + row.id, tabIndex: -1 });
    code.replaceWith(link);
    link.append(code);
  }

  // A link to something inside closed details opens them.
  const reveal = () => {
    const details = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details");
    if (!details || details.open) return;
    details.open = true;
    document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Mark in the navigation where the reader is.
  const links = new Map([...side.querySelectorAll('a[href^="#"]')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  let current;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !links.has(target.id)) continue;
        current?.removeAttribute("aria-current");
        current = links.get(target.id);
        current.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const id of links.keys()) {
    const target = document.getElementById(id);
    if (target) seen.observe(target);
  }
})();
