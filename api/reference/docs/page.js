// Search, copy buttons, the contents on a phone, and one language for all snippets. The page reads well without.
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

  // The contents, on a narrow screen.
  const menu = make("button", { type: "button", className: "menu", textContent: "Contents" });
  menu.setAttribute("aria-controls", "side");
  const open = (shown) => {
    side.classList.toggle("open", shown);
    menu.setAttribute("aria-expanded", String(shown));
  };
  open(false);
  menu.addEventListener("click", () => open(!side.classList.contains("open")));
  side.addEventListener("click", (event) => event.target.closest("a") && open(false));

  // Search through everything that has an anchor.
  const input = make("input", { type: "search", placeholder: "Search ( / )", autocomplete: "off" });
  input.setAttribute("aria-label", "Search this page");
  const found = make("ul", { className: "found", hidden: true });
  const told = make("span", { className: "skip" });
  told.setAttribute("role", "status");
  top.append(make("div", { className: "find" }, menu, input, found, told));
  let entries;
  const index = () =>
    [...document.querySelectorAll("main article[id], main > section[id], main h2[id], main h3[id], main h1[id]")].map((element) => {
      const heading = /^H\d$/.test(element.tagName) ? element : element.querySelector("h2, h3");
      const title = heading.textContent.replace(/#\s*$/, "").trim();
      let text = element.textContent;
      if (element === heading) {
        for (let next = element.nextElementSibling; next && !/^H[1-3]$/.test(next.tagName); next = next.nextElementSibling) text += " " + next.textContent;
      } else if (element.tagName === "SECTION") {
        text = [...element.children].filter((child) => child.tagName !== "ARTICLE").map((child) => child.textContent).join(" ");
      }
      return { id: element.id, title, name: title.toLowerCase(), text: text.replace(/\s+/g, " ") };
    });
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = words.length === 0;
    if (words.length === 0) {
      told.textContent = "";
      return;
    }
    entries ??= index();
    const hits = entries
      .map((entry) => {
        const text = entry.text.toLowerCase();
        if (!words.every((word) => text.includes(word) || entry.name.includes(word))) return null;
        return { entry, at: text.indexOf(words[0]), rank: words.filter((word) => entry.name.includes(word)).length + (entry.name === words.join(" ") ? 9 : 0) };
      })
      .filter(Boolean)
      .sort((a, b) => b.rank - a.rank);
    for (const { entry, at } of hits.slice(0, 20)) {
      const link = make("a", { href: "#" + entry.id }, entry.title, make("small", { textContent: "…" + entry.text.slice(Math.max(0, at - 30), at + 70) + "…" }));
      link.addEventListener("click", () => {
        found.hidden = true;
      });
      found.append(make("li", {}, link));
    }
    told.textContent = hits.length === 1 ? "1 result" : `${hits.length} results`;
    if (hits.length === 0) found.append(make("li", { textContent: "Nothing found." }));
  };
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

  // Mark in the contents where the reader is.
  const links = new Map([...side.querySelectorAll("a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
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
