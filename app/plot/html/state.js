// What the reader has chosen, kept while a page that follows a run reloads itself.
const state = {filters: {}, sort: {by: "value", down: maximize}, page: 0, search: "", shade: null, zoom: null, log: null, all: false, theme: null, paused: false};
const memory = `salvo ${location.pathname}`;
try {
  Object.assign(state, JSON.parse(sessionStorage.getItem(memory) || "{}"));
} catch {
  // a browser may keep nothing for local files
}
function remember() {
  try {
    sessionStorage.setItem(memory, JSON.stringify(state));
  } catch {
    // then the next page begins anew
  }
}

// Charts register how they draw; whatever changes, all that show it follow.
const charts = [];
function register(chart) {
  charts.push(chart);
  return chart;
}
let pending = 0;
function redraw() {
  remember();
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => charts.forEach((chart) => chart.draw()));
}

// Filters by axis ("p0", "p1", …, "value"): [low, high].
const selected = new Uint8Array(trials.length);
const filtering = () => Object.keys(state.filters).length > 0;
function select() {
  const limits = Object.entries(state.filters).map(([axis, [low, high]]) => ({axis, low, high, at: +axis.slice(1)}));
  for (const t of trials) {
    selected[t.i] = limits.every(({axis, low, high, at}) => {
      const v = axis === "value" ? t.value : axis.startsWith("o") ? t.outputs[at] : t.x[at];
      return v !== null && v >= low && v <= high;
    });
  }
}
function setFilter(axis, range) {
  if (range) state.filters[axis] = range;
  else delete state.filters[axis];
  state.page = 0;
  select();
  redraw();
}

// One trial that is pointed at, in every chart.
let hot = null;
function point(trial, event, where) {
  if (trial !== hot) {
    hot = trial;
    charts.forEach((chart) => chart.mark && chart.mark());
  }
  if (!trial) tip.hide();
  else if (event || where) tip.show(trialTip(trial), event ? {x: event.clientX, y: event.clientY} : where);
}

// Colours.
const ramps = {
  light: ["#d8d4c0", "#9fcfae", "#4ea6ad", "#22639c", "#0d1f5c"],
  dark: ["#37414f", "#35648c", "#2f97a5", "#86d3a0", "#f6f1a4"],
};
let ramp = [], ink = {};
function readTheme() {
  const wanted = state.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = wanted;
  const between = d3.interpolateRgbBasis(ramps[wanted]);
  ramp = d3.range(256).map((i) => between(i / 255));
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "soft", "line", "grid", "model", "best", "observed", "failed", "known", "hot", "faint", "card"]) {
    ink[name] = style.getPropertyValue(`--${name}`).trim();
  }
}
const byRank = () => (state.shade ? state.shade === "rank" : farOut || crowded || decades);
function goodness(t) {
  if (byRank() || span === 0) return t.goodness;
  const share = (t.value - quantile(0)) / span;
  return maximize ? share : 1 - share;
}
const colour = (t) => (t.state === "failed" ? ink.failed : t.goodness === null || !t.feasible ? ink.faint : ramp[Math.round(255 * goodness(t))]);
// The value that has this place on the scale of colours.
function valueAt(share) {
  if (byRank()) return quantile(maximize ? share : 1 - share);
  return maximize ? quantile(0) + share * span : quantile(1) - share * span;
}

// Elements by text alone: no value of a study is ever read as markup.
function element(parent, tag, attributes = {}, text) {
  const made = parent.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const tip = {
  box: null,
  show(fill, at) {
    this.box = this.box || element(document.body, "div", {id: "tip", role: "status"});
    this.box.textContent = "";
    fill(this.box);
    this.box.hidden = false;
    const {width, height} = this.box.getBoundingClientRect();
    const left = at.x + 16 + width > innerWidth ? at.x - 16 - width : at.x + 16;
    this.box.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
    this.box.style.top = `${Math.max(4, Math.min(at.y + 14, innerHeight - height - 4))}px`;
  },
  hide() {
    if (this.box) this.box.hidden = true;
  },
};

const kMaxLines = 24;  // of a tip
function trialTip(t) {
  return (box) => {
    element(box, "b", {}, `trial ${t.id}: ${t.state === "done" ? (data.outputs.length ? `${data.value} ` : "") + measured(data.shown, t.value) : t.state}`);
    if (t.error) element(box, "div", {}, t.error.length > 200 ? `${t.error.slice(0, 200)}…` : t.error);
    const table = element(box, "table");
    const line = (name, text) => {
      const row = element(table, "tr");
      element(row, "td", {}, name);
      element(row, "td", {}, text);
    };
    if (t.mean !== null) line("model", number(t.mean));
    data.outputs.forEach((name, k) => k === data.shown || line(name, measured(k, t.outputs[k])));
    if (onFront.has(t.id)) line("on the front", objectives.map((k) => `${data.outputs[k]} ${withError(...onFront.get(t.id).map((column) => column[k]))}`).join(", "));
    parameters.slice(0, kMaxLines).forEach((p) => line(p.label, shown(p, t.x[p.i])));
    if (parameters.length > kMaxLines) line("…", `${parameters.length - kMaxLines} more in the table`);
    besides.slice(0, kMaxLines).forEach(({name, text}, k) => t.beside[k] === null || line(name, text(t.beside[k])));
    line("origin", t.origin);
  };
}
