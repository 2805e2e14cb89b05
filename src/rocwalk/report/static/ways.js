// Ways around the page: the list of sections, sections that are folded, and their addresses.
"use strict";
rocwalk.ways = {
  // The list of sections, a drawer where there is little room; the section that is read is marked.
  begin() {
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

  // Go to a section, or to a part of one, by its name.
  go(name) {
    const target = name && document.getElementById(name);
    if (!target) return;
    rocwalk.ways.unfold(target);
    target.scrollIntoView();
  },
};
