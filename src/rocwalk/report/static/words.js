// Words: those of two fields, and one plain sentence for each uncommon one.
"use strict";

// A text of ours in the words that are chosen; never a name that comes from the data.
rocwalk.say = function (text) {
  const table = rocwalk.data.vocabulary ?? {}, field = rocwalk.rule.state.words;
  rocwalk.phrases ??= new RegExp(`(?<![\\p{L}-])(?:${Object.keys(table).join("|")})(?![\\p{L}-])`, "giu");
  if (!Object.keys(table).length) return text;
  return text.replace(rocwalk.phrases, (found, at) => {
    const word = table[found.toLowerCase()][field], isName = /^[A-Z]{3}/.test(found);
    const great = at === 0 || (!isName && found[0] !== found[0].toLowerCase());
    return great ? word[0].toUpperCase() + word.slice(1) : word;
  });
};

// Mark a node whose text is ours, so that it follows the words that are chosen.
rocwalk.worded = function (node, text = node.textContent) {
  node.dataset.word = text;
  node.textContent = rocwalk.say(text);
  return node;
};

rocwalk.words = {
  begin() {
    const { rule } = rocwalk, box = document.querySelector("[data-role=vocabulary]");
    if (!box || !rocwalk.data.vocabulary) return;
    box.hidden = false;
    box.addEventListener("change", (event) => rule.set({ words: event.target.value }));
    let now = null;
    rule.follow(() => {
      if (rule.state.words === now) return;
      now = rule.state.words;
      box.querySelector(`[value=${now}]`).checked = true;
      document.querySelectorAll("[data-word]").forEach((node) => { node.textContent = rocwalk.say(node.dataset.word); });
    });
  },
};

// -- what a word means --------------------------------------------------------------------------

rocwalk.glossary = {
  done: new WeakMap(),

  // A "?" after the first place of each word in every table, list or heading.
  explain(host) {
    const terms = Object.entries(rocwalk.data.glossary ?? {}).sort(([a], [b]) => b.length - a.length);
    for (const node of host.querySelectorAll("table:not(.ends) thead th, .ends tbody th, dt, .answer-question")) {
      if (node.querySelector(".help") || node.closest("nav")) continue;
      const text = ((node.firstElementChild?.dataset?.word ?? "") + node.textContent).toLowerCase();
      const place = node.closest("table, dl, section"), done = this.done.get(place) ?? new Set();
      const found = terms.find(([term]) => text.includes(term.toLowerCase()) && !done.has(term));
      if (found) { node.append(this.button(...found)); this.done.set(place, done.add(found[0])); }
    }
  },

  button(term, sentence) {
    const button = rocwalk.node("button", "", { type: "button", class: "help", "aria-label": `What is “${term}”? ${sentence}` });
    const show = () => this.show(button, sentence);
    button.addEventListener("pointerenter", show);
    button.addEventListener("focus", show);
    button.addEventListener("click", (event) => { event.preventDefault(); event.stopPropagation(); show(); });
    button.addEventListener("pointerleave", () => { if (document.activeElement !== button) this.hide(); });
    button.addEventListener("blur", () => this.hide());
    button.addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
    return button;
  },

  show(button, sentence) {
    this.bubble ??= document.body.appendChild(rocwalk.node("div", "", { class: "tip explanation", "aria-hidden": "true" }));
    const { bubble } = this, at = button.getBoundingClientRect();
    bubble.textContent = sentence;
    bubble.hidden = false;
    bubble.style.left = `${scrollX + Math.max(8, Math.min(at.left - 12, document.documentElement.clientWidth - bubble.offsetWidth - 8))}px`;
    bubble.style.top = `${scrollY + at.bottom + 6}px`;
  },

  hide() { if (this.bubble) this.bubble.hidden = true; },
};
