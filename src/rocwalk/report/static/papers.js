// Filters: rows of the papers and verdicts whose buttons are pressed; without any, all rows.
"use strict";
(function () {
  const bar = document.querySelector(".filters");
  const find = (selector, host = document) => [...host.querySelectorAll(selector)];
  const role = (name) => document.querySelector(`[data-role="${name}"]`);
  const buttons = find("button[aria-pressed]", bar);
  const rows = find("main li[data-sign]");
  const figures = find("main figure");

  function pressed(kind) {
    const chosen = buttons.filter((button) => button.dataset[kind] && button.getAttribute("aria-pressed") === "true");
    return new Set(chosen.map((button) => button.dataset[kind]));
  }

  function show() {
    const papers = pressed("paper"), signs = pressed("sign");
    for (const section of find("section[data-paper]")) {
      const chosen = !papers.size || papers.has(section.dataset.paper);
      for (const place of find("article", section)) {
        for (const row of find("li[data-sign]", place)) row.hidden = !chosen || (signs.size > 0 && !signs.has(row.dataset.sign));
        place.hidden = !find("li[data-sign]", place).some((row) => !row.hidden);
      }
      section.hidden = !find("article", section).some((place) => !place.hidden);
    }
    const shown = rows.filter((row) => !row.hidden).length;
    const drawn = figures.filter((figure) => !figure.closest("article").hidden).length;
    role("shown").textContent = `${shown} of ${rows.length} rows and ${drawn} of ${figures.length} pictures are shown.`;
    role("all").hidden = !papers.size && !signs.size;
    role("none").hidden = shown > 0;
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      show();
      // when what was read is gone, start again below the filters
      if (role("start").getBoundingClientRect().top < 0) role("start").scrollIntoView();
    });
  }
  function release(kind) {
    for (const button of buttons) if (!kind || button.dataset[kind]) button.setAttribute("aria-pressed", "false");
    show();
  }

  // what a link leads to is shown: the filter by paper is taken back, and if need be that by verdict
  function reveal(id) {
    const target = document.getElementById(id);
    const hidden = () => target !== null && target.closest("[hidden]") !== null;
    if (!hidden()) return;
    release("paper");
    if (hidden()) release();
    target.scrollIntoView();
  }

  role("all").addEventListener("click", () => {
    buttons[0].focus({ preventScroll: true });
    release();
  });
  for (const link of find('main a[href^="#"]')) link.addEventListener("click", () => reveal(link.hash.slice(1)));
  addEventListener("hashchange", () => reveal(location.hash.slice(1)));
  new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
  bar.hidden = false;
  show();
  document.documentElement.dataset.ready = "yes";
})();
