// The reader's choice of light or dark, before the page is drawn. Without one, that of the system applies.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {}
