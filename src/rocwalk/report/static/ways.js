// Ways around the page: the list of sections, sections that are folded, and their addresses.
"use strict";
rocwalk.ways = {
  // The list of sections, a drawer where there is little room; the section that is read is marked.
  begin() {
    addEventListener("beforeprint", () => this.paper());
    addEventListener("afterprint", () => this.screen());
    matchMedia("print").addEventListener("change", (print) => { if (print.matches) this.paper(); else this.screen(); });
    const nav = document.getElementById("ways");
    if (!nav) return;
    const button = nav.querySelector(".drawer-button"), drawer = nav.querySelector(".drawer"), here = nav.querySelector(".here");
    const links = [...nav.querySelectorAll("ol a")], sections = links.map((link) => document.getElementById(link.hash.slice(1)));
    const open = (is) => { drawer.classList.toggle("open", is); button.setAttribute("aria-expanded", String(is)); };
    button.addEventListener("click", () => open(!drawer.classList.contains("open")));
    nav.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && drawer.classList.contains("open")) { open(false); button.focus(); }
    });
    document.addEventListener("pointerdown", (event) => { if (!nav.contains(event.target)) open(false); });
    drawer.addEventListener("click", (event) => { if (event.target.closest("a")) open(false); });
    const mark = () => {
      const edge = 0.3 * innerHeight, atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      let i = sections.findLastIndex((one) => one.getBoundingClientRect().top <= edge);
      if (atEnd && scrollY > 0) i = sections.length - 1;
      i = Math.max(i, 0);
      links.forEach((link, k) => { if (k === i) link.setAttribute("aria-current", "location"); else link.removeAttribute("aria-current"); });
      here.textContent = links[i].textContent;
      const box = drawer.getBoundingClientRect(), at = links[i].getBoundingClientRect();
      if (box.height && (at.top < box.top || at.bottom > box.bottom)) drawer.scrollTop += at.top - box.top - box.height / 2;
    };
    let waiting = false;
    addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(() => { waiting = false; mark(); });
      waiting = true;
    }, { passive: true });
    addEventListener("resize", mark);
    mark();
  },

  // Open the fold around an element, and draw what is in it; its charts need their width.
  unfold(node) {
    const fold = node.querySelector(":scope > .fold") ?? node.closest(".fold");
    if (!fold) return;
    fold.open = true;
    rocwalk.draw(fold.closest("section").id);
  },

  unfoldAll() {
    document.querySelectorAll(".fold").forEach((fold) => rocwalk.ways.unfold(fold));
  },

  // For print every fold is open and every model is shown, one after the other.
  paper() {
    if (this.folded) return;
    this.folded = [...document.querySelectorAll(".fold:not([open])")];
    this.unfoldAll();
    for (const select of document.querySelectorAll("main select[data-role=model], main select[data-role=pair]")) {
      const host = select.closest("[data-print], .card"), own = select.value, copies = [];
      if (select.options.length < 2) continue;
      const choose = (value) => { select.value = value; select.dispatchEvent(new Event("change")); };
      for (const option of select.options) {
        if (option.value === own) continue;
        choose(option.value);
        const copy = host.cloneNode(true);
        copy.querySelectorAll("[id]").forEach((node) => node.removeAttribute("id"));
        copy.removeAttribute("id");
        copy.classList.add("printed");
        copy.setAttribute("aria-hidden", "true");
        copy.prepend(rocwalk.node("h3", option.textContent, { class: "printed-name" }));
        copies.push(copy);
      }
      choose(own);
      host.prepend(rocwalk.node("h3", select.options[select.selectedIndex].textContent, { class: "printed-name" }));
      host.after(...copies);
    }
  },

  screen() {
    document.querySelectorAll(".printed, .printed-name").forEach((node) => node.remove());
    this.folded?.forEach((fold) => { fold.open = false; });
    this.folded = null;
  },

  // Go to a section, or to a part of one, by its name.
  go(name) {
    const target = name && document.getElementById(name);
    if (!target) return;
    rocwalk.ways.unfold(target);
    target.scrollIntoView();
  },
};
