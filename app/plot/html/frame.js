// What the charts share: a card with a heading and tools, a canvas for many marks under an SVG for axes, and one for the
// trial that is pointed at.
function card(id, title, remark) {
  const section = element(document.getElementById("page"), "section", {id, "aria-labelledby": `${id}-title`});
  const head = element(section, "div", {class: "head"});
  element(head, "h2", {id: `${id}-title`}, title);
  const words = element(head, "p", {class: "remark"}, remark);
  const tools = element(head, "div", {class: "tools"});
  return {section, tools, words};
}

function button(parent, text, label, act) {
  const made = element(parent, "button", {type: "button", title: label}, text);
  if (text.length < 3) made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

function legend(parent, entries) {
  for (const {name, text, dot} of entries) {
    const key = element(parent, "span", {class: "key"});
    element(key, "i", {class: dot ? "dot" : "line"}).style.background = `var(--${name})`;
    key.append(text);
  }
}

function layer(box, width, height) {
  const canvas = element(box, "canvas", {"aria-hidden": "true"});
  const dots = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * dots);
  canvas.height = Math.round(height * dots);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(dots, dots);
  return context;
}

// An empty chart of this size: the canvas of marks, the SVG, the canvas on top.
function frame(box, width, height) {
  const kept = document.activeElement && box.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  box.textContent = "";
  box.style.height = `${height}px`;
  box.style.width = `${width}px`;
  const below = layer(box, width, height);
  const svg = d3.select(box).append("svg").attr("width", width).attr("height", height);
  const above = layer(box, width, height);
  const restore = () => {  // a chart that is drawn anew does not take the keyboard's place away
    const again = kept && [...box.querySelectorAll("[data-name]")].find((each) => each.dataset.name === kept);
    if (again) again.focus({preventScroll: true});
  };
  return {below, svg, above, width, height, restore};
}

function clip(context, area) {
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
  context.clip();
}

// On a logarithmic axis the powers of ten, or 1, 2 and 5 of each where there are few of them.
function ticks(scale, about) {
  if (!scale.base) return {list: scale.ticks(about), format: (v) => scale.tickFormat(about)(v).replace(/-/g, "−")};
  const all = scale.ticks(50), first = (v) => Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9));
  let list = all.filter((v) => first(v) === 1);
  const every = Math.ceil(list.length / (about + 2));
  list = list.filter((_, i) => i % every === 0);
  if (list.length < 3) list = all.filter((v) => [1, 2, 5].includes(first(v)));
  if (list.length < 2) list = all;
  return {list, format: (v) => number(v, 3)};
}

// With its grid, which lies under the marks.
function axisLeft(svg, context, scale, area, about = 6) {
  const {list, format} = ticks(scale, about);
  context.fillStyle = ink.grid;
  for (const v of list) context.fillRect(area.left, scale(v) - 0.5, area.right - area.left, 1);
  const axis = d3.axisLeft(scale).tickValues(list).tickFormat(format).tickSize(4);
  svg.append("g").attr("class", "axis").attr("transform", `translate(${area.left},0)`).call(axis);
}
function axisBottom(svg, scale, area, about, names) {
  const g = svg.append("g").attr("class", "axis").attr("transform", `translate(0,${area.bottom})`);
  if (names) {
    const room = (area.right - area.left) / names.length;
    const letters = Math.max(3, Math.floor(room / 6.5));
    const every = Math.ceil(28 / Math.max(1, room));
    const kept = names.map((_, i) => i).filter((i) => i % every === 0);
    const cut = (text) => (text.length > letters * every ? `${text.slice(0, letters * every - 1)}…` : text);
    g.call(d3.axisBottom(scale).tickValues(kept).tickFormat((i) => cut(names[i])).tickSize(4));
    return;
  }
  const {list, format} = ticks(scale, about);
  g.call(d3.axisBottom(scale).tickValues(list).tickFormat(format).tickSize(4));
}

// Room for the numbers beside a vertical axis.
function roomFor(scale, about = 6) {
  const {list, format} = ticks(scale, about);
  return 16 + 6.4 * Math.max(3, ...list.map((v) => format(v).length));
}

function dot(context, x, y, radius, fill) {
  context.fillStyle = fill;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
function cross(context, x, y, size, stroke) {
  context.strokeStyle = stroke;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x - size, y + size);
  context.lineTo(x + size, y - size);
  context.stroke();
}
function ring(context, x, y) {
  context.strokeStyle = ink.hot;
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x, y, 7, 0, 2 * Math.PI);
  context.stroke();
}

// The scale of colours, with the values that have them.
const colourKey = {
  boxes: [],
  add(parent) {
    const box = element(parent, "span", {class: "colours", role: "img"});
    this.boxes.push(box);
  },
  draw() {
    for (const box of this.boxes) {
      box.textContent = "";
      const canvas = element(box, "canvas", {width: 256, height: 1});
      const context = canvas.getContext("2d");
      ramp.forEach((fill, i) => {
        context.fillStyle = fill;
        context.fillRect(i, 0, 1, 1);
      });
      const line = element(box, "div");
      const [worst, best] = [valueAt(0), valueAt(1)];
      const lost = Math.log10(Math.max(Math.abs(worst), Math.abs(best)) / Math.abs(best - worst));  // digits that both have
      const digits = Number.isFinite(lost) ? Math.min(10, Math.max(3, 2 + Math.ceil(lost))) : 3;
      for (const share of [0, 0.5, 1]) element(line, "span", {}, number(valueAt(share), digits));
      box.setAttribute("aria-label", `colours from the worst value, ${number(valueAt(0))}, to the best, ${number(valueAt(1))}`);
    }
  },
};
