// Take away: each chart as SVG and PNG, each table as CSV or copied. Nothing leaves the page but a
// file that the reader asks for; no picture is loaded, so the page's policy stays closed.
"use strict";
rocwalk.take = {
  styles: ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "paint-order", "font-family", "font-size", "font-weight", "text-anchor"],

  // -- charts -----------------------------------------------------------------------------------

  chart(chart) {
    const box = rocwalk.node("div", "", { class: "take" }), name = () => chart.root.getAttribute("aria-label");
    const save = (kind, make) => {
      const button = rocwalk.node("button", kind, { type: "button" });
      button.setAttribute("aria-label", `Download this chart as ${kind}: ${name()}`);
      button.addEventListener("click", async () => this.download(`${this.slug(name())}.${kind.toLowerCase()}`, await make()));
      box.append(button);
    };
    save("SVG", () => new Blob([this.svgText(chart)], { type: "image/svg+xml" }));
    save("PNG", () => this.png(chart));
    chart.root.after(box);
  },

  // A copy of the chart that stands alone: its styles written out as on paper, with its legend.
  standalone(chart) {
    const page = document.documentElement;
    page.dataset.paper = "yes";
    const root = chart.root.cloneNode(true), from = [...chart.root.querySelectorAll("*")], to = [...root.querySelectorAll("*")];
    from.forEach((node, i) => this.inline(node, to[i]));
    const height = Number(root.getAttribute("viewBox").split(" ")[3]), { width } = chart, entries = this.legendOf(chart);
    entries.forEach(({ swatch, words }, i) => {
      const y = height + 14 + 20 * i, line = rocwalk.svg("line", { x1: chart.box.left, x2: chart.box.left + 24, y1: y - 4, y2: y - 4 }, root);
      this.inline(swatch, line);
      const text = rocwalk.svg("text", { x: chart.box.left + 32, y }, root);
      text.textContent = words;
      this.inline(chart.root.querySelector("text.title") ?? chart.root.querySelector("text"), text);
      text.setAttribute("text-anchor", "start");
    });
    const tall = height + (entries.length ? 20 * entries.length + 8 : 0), ground = getComputedStyle(document.body).backgroundColor;
    delete page.dataset.paper;
    to.forEach((node, i) => { if (getComputedStyle(from[i]).visibility === "hidden") node.remove(); });
    root.prepend(rocwalk.svg("rect", { x: 0, y: 0, width, height: tall, fill: ground }));
    const title = rocwalk.svg("title");
    title.textContent = root.getAttribute("aria-label");
    root.prepend(title);
    for (const name of ["class", "role", "aria-label"]) root.removeAttribute(name);
    for (const [key, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height: tall, viewBox: `0 0 ${width} ${tall}` })) root.setAttribute(key, value);
    return { root, width, height: tall };
  },

  inline(from, to) {
    const style = getComputedStyle(from);
    for (const name of this.styles) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill" || name === "stroke") to.setAttribute(name, value);
    }
    for (const name of ["class", "data-word", "visibility"]) to.removeAttribute(name);
  },

  legendOf(chart) {
    const near = chart.host.querySelector(".legend") ?? chart.host.closest(".first-screen, .split, .card, section")?.querySelector(".legend");
    return near ? [...near.querySelectorAll("li")].map((item) => ({ swatch: item.querySelector(".swatch > *"), words: this.text(item) })) : [];
  },

  svgText(chart) {
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(this.standalone(chart).root)}\n`;
  },

  // Twice as many pixels as on the page, painted from the copy.
  png(chart) {
    const { root, width, height } = this.standalone(chart), canvas = rocwalk.node("canvas", "", { width: Math.round(2 * width), height: Math.round(2 * height) });
    const pen = canvas.getContext("2d");
    pen.scale(2, 2);
    this.paint(pen, root);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  },

  paint(pen, parent) {
    for (const node of parent.children) {
      const get = (name, other = 0) => Number.parseFloat(node.getAttribute(name) ?? other), kind = node.localName;
      if (kind === "title") continue;
      pen.save();
      if (kind === "svg") {
        pen.beginPath();
        pen.rect(get("x"), get("y"), get("width"), get("height"));
        pen.clip();
      }
      if (kind === "g" || kind === "svg") this.paint(pen, node);
      else this.stroke(pen, node, get);
      pen.restore();
    }
  },

  stroke(pen, node, get) {
    const kind = node.localName, fill = node.getAttribute("fill"), stroke = node.getAttribute("stroke");
    const turn = /rotate\((\S+) (\S+) (\S+)\)/.exec(node.getAttribute("transform") ?? "");
    if (turn) {
      const [angle, x, y] = turn.slice(1).map(Number);
      pen.translate(x, y);
      pen.rotate(angle * Math.PI / 180);
      pen.translate(-x, -y);
    }
    const path = new Path2D(kind === "path" ? node.getAttribute("d") : "");
    if (kind === "line") { path.moveTo(get("x1"), get("y1")); path.lineTo(get("x2"), get("y2")); }
    if (kind === "rect") path.rect(get("x"), get("y"), get("width"), get("height"));
    if (kind === "circle") path.arc(get("cx"), get("cy"), get("r"), 0, 2 * Math.PI);
    pen.lineWidth = get("stroke-width", 1);
    pen.lineCap = node.getAttribute("stroke-linecap") ?? "butt";
    pen.lineJoin = node.getAttribute("stroke-linejoin") ?? "miter";
    pen.setLineDash((node.getAttribute("stroke-dasharray") ?? "").split(/[\s,]+/).map(Number.parseFloat).filter((one) => one > 0));
    const text = kind === "text", first = (node.getAttribute("paint-order") ?? "").startsWith("stroke");
    if (text) {
      pen.font = `${node.getAttribute("font-weight") ?? 400} ${node.getAttribute("font-size")} ${node.getAttribute("font-family")}`;
      pen.textAlign = { start: "left", middle: "center", end: "right" }[node.getAttribute("text-anchor") ?? "start"];
    }
    const inks = { fill: () => {
      if (!fill || fill === "none" || kind === "line") return;
      pen.globalAlpha = get("opacity", 1) * get("fill-opacity", 1);
      pen.fillStyle = fill;
      if (text) pen.fillText(node.textContent, get("x"), get("y")); else pen.fill(path);
    }, stroke: () => {
      if (!stroke || stroke === "none") return;
      pen.globalAlpha = get("opacity", 1) * get("stroke-opacity", 1);
      pen.strokeStyle = stroke;
      if (text) pen.strokeText(node.textContent, get("x"), get("y")); else pen.stroke(path);
    } };
    for (const name of first ? ["stroke", "fill"] : ["fill", "stroke"]) inks[name]();
  },

  // -- tables -----------------------------------------------------------------------------------

  table(table) {
    if (table.dataset.take || table.closest(".provenance")) return;
    table.dataset.take = "yes";
    const caption = table.caption ? this.text(table.caption) : "table", box = rocwalk.node("div", "", { class: "take" });
    const copy = rocwalk.node("button", "Copy", { type: "button", "aria-label": `Copy the table: ${caption}` });
    const save = rocwalk.node("button", "CSV", { type: "button", "aria-label": `Download as CSV: ${caption}` });
    copy.addEventListener("click", async () => {
      copy.textContent = await this.copy(this.lines(table, "\t")) ? "Copied" : "Not allowed here";
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
    save.addEventListener("click", () => this.download(`${this.slug(caption)}.csv`, new Blob(["\ufeff", this.lines(table, ",")], { type: "text/csv" })));
    box.append(copy, save);
    const last = table.closest(".scroll") ?? table;
    if (getComputedStyle(last.parentElement).display === "grid") {  // the buttons stay below their table
      const held = rocwalk.node("div", "", { class: "held" });
      last.replaceWith(held);
      held.append(last, box);
    } else last.after(box);
  },

  // The text of a node, with a space where an element ends.
  text(node) {
    const pieces = [], walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) pieces.push(walk.currentNode.nodeValue);
    return pieces.join(" ").replace(/\s+/g, " ").trim();
  },

  // A number is written as programs read it. Other text that a spreadsheet would take for a formula
  // gets an apostrophe before it.
  cell(words) {
    const plain = words.replace(/^−/, "-").replace(/e−/, "e-");
    if (/^[-+]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[-+]?\d+)?$/i.test(plain)) return plain.replace(/,/g, "").replace(/^\+/, "");
    return /^[=+\-−@\t\r＝＋－＠]/.test(words) ? `'${words}` : words;
  },

  lines(table, comma) {
    const quoted = (words) => comma === "," && /[",\n]/.test(words) ? `"${words.replace(/"/g, '""')}"` : words;
    return [...table.rows].map((row) => [...row.cells].map((cell) => quoted(this.cell(this.text(cell)))).join(comma)).join("\r\n") + "\r\n";
  },

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = rocwalk.node("textarea", text, { class: "skip", "aria-hidden": "true", tabindex: "-1" }), had = document.activeElement;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      had?.focus();
      return done;
    }
  },

  slug: (words) => words.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "rocwalk",

  download(name, blob) {
    const link = rocwalk.node("a", "", { download: name, href: URL.createObjectURL(blob) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  },
};
