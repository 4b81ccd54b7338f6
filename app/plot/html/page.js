// The page from top to bottom, and how it follows a run.
const wants = (part) => data.parts.includes(part);

function title() {
  const page = document.getElementById("page");
  const head = element(page, "header");
  element(head, "h1", {}, data.name);
  element(head, "p", {class: "remark"}, `${data.outputs.length ? data.valueLabel : maximize ? "maximised" : "minimised"}; written ${clock(data.written)} by Salvo ${data.version}`);
  if (data.note) element(head, "p", {class: "remark note"}, data.note);
  const shade = element(head, "select", {"aria-label": "What colours mean"});
  for (const [name, text] of [["rank", "Colours by rank"], ["value", "Colours by value"]]) element(shade, "option", {value: name}, text);
  shade.value = byRank() ? "rank" : "value";
  shade.addEventListener("change", () => {
    state.shade = shade.value;
    redraw();
  });
  button(head, "Light / dark", "Change between light and dark", () => {
    state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    readTheme();
    redraw();
  });
}

function tiles() {
  const box = element(document.getElementById("page"), "div", {class: "tiles"});
  const tile = (value, text, kind = "") => {
    const made = element(box, "div", {class: `tile ${kind}`});
    element(made, "b", {}, value);
    element(made, "span", {}, text);
  };
  const count = d3.format(",");
  const pending = trials.filter((t) => t.state === "pending").length;
  tile(count(told.length) + (data.budget ? ` / ${count(data.budget)}` : ""), "evaluations");
  if (data.front) tile(count(numOnFront()), `on the front, hypervolume ${number(data.front.hypervolume, 4)}`, "model");
  else if (data.recommended) tile(withError(data.recommended.mean, data.recommended.stddev), `recommended: trial ${data.recommended.trial}`, "model");
  if (done.length) {
    const best = worstFirst.filter((t) => t.feasible).pop();
    if (best) tile(number(best.value), `best observed: trial ${best.id}`, "best");
  }
  if (data.optimum !== null) tile(number(data.optimum), "optimum");
  if (failed.length) tile(count(failed.length), "failed", "failed");
  if (pending) tile(count(pending), "pending");
}

function recommendedPoint() {
  if (!data.recommended) return;
  const {section} = card("recommended", data.front && numOnFront() ? "One point of the front" : "Recommended point", data.front ? `trial ${data.recommended.trial}, where every objective counts alike (salvo best --weights: otherwise)` : `trial ${data.recommended.trial}, ${withError(data.recommended.mean, data.recommended.stddev)} by the model`);
  const points = element(section, "dl", {class: "point"});
  const best = byId.get(data.recommended.trial);
  for (const k of data.front ? data.outputs.keys() : []) {
    const entry = element(points, "div");
    element(entry, "dt", {}, data.outputs[k]);
    element(entry, "dd", {}, measured(k, best.outputs[k]));
  }
  for (const p of parameters) {
    const entry = element(points, "div");
    element(entry, "dt", {}, p.label);
    element(entry, "dd", {}, shown(p, best.x[p.i]));
  }
}

// While the run lasts the page loads itself anew, unless somebody is about to use it.
function follow() {
  if (!data.live) return;
  const {running, words, every} = data.live;
  const line = element(document.getElementById("page"), "div", {class: running ? "live running" : "live", role: "status"});
  element(line, "span", {class: "dot"});
  const said = element(line, "span", {class: "words"}, words);
  if (!running) return;
  const pause = button(line, "", "Whether the page follows the run", () => {
    state.paused = !state.paused;
    remember();
    show();
  });
  const show = () => (pause.textContent = state.paused ? "Follow" : "Pause");
  show();
  let busy = 0;
  for (const kind of ["pointerdown", "keydown", "wheel", "touchstart"]) addEventListener(kind, () => (busy = Date.now()), {passive: true});
  const loaded = Date.now();
  setInterval(() => {
    const age = Date.now() / 1000 - data.written;
    said.textContent = words + (age > 60 ? ` Last written ${age > 7200 ? `${Math.round(age / 3600)} h` : `${Math.round(age / 60)} min`} ago.` : "");
    const idle = Date.now() - busy > 2000 && !hot && !document.hidden;
    if (!state.paused && idle && Date.now() - loaded >= 1000 * every) {
      remember();
      location.reload();
    }
  }, 500);
}

function start() {
  readTheme();
  select();
  const page = document.getElementById("page");
  const still = [...page.querySelectorAll(".still")];
  title();
  follow();
  tiles();
  recommendedPoint();
  if (wants("front")) frontChart();
  if (wants("progress")) progressChart();
  if (wants("importance") && data.importance.length) importanceChart();
  if (wants("parallel")) parallelChart();
  if (wants("slices") && data.slices.length && data.recommended) sliceCharts();
  still.forEach((each) => page.append(each));
  trialTable();
  register({draw: () => colourKey.draw()});
  charts.forEach((chart) => chart.draw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readTheme();
    redraw();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) redraw();
    width = innerWidth;
  });
  document.documentElement.dataset.ready = "yes";
}
start();
