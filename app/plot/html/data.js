// The study as the page has it: trials as objects, places along parameters, how good each is.
const data = JSON.parse(document.getElementById("data").textContent);
const maximize = data.direction === "maximize";
const parameters = data.parameters.map((p, i) => ({...p, i}));
const columns = data.trials;

// What was kept beside the values: numbers, texts and notes.
const besides = Object.entries(columns.measured).map(([name, column]) => ({name, column, text: (v) => number(v, 7), number: true}))
  .concat(Object.entries(columns.said).map(([name, column]) => ({name, column, text: String, number: false})));
if (columns.notes) besides.push({name: "note", column: columns.id.map((id) => columns.notes[id] || null), text: String, number: false});

const trials = columns.id.map((id, i) => ({
  i,
  id,
  state: data.states[columns.state[i]],
  origin: data.origins[columns.origin[i]],
  value: columns.value[i],
  mean: columns.mean ? columns.mean[i] : null,
  asked: columns.asked[i],
  told: columns.told[i],
  x: columns.params.map((column) => column[i]),  // numbers; of a choice its position
  error: columns.error[id] || "",
  beside: besides.map(({column}) => column[i]),
  tags: (columns.tags && columns.tags[id]) || [],
  outputs: columns.outputs ? columns.outputs.map((column) => column[i]) : [],
  feasible: !columns.feasible || columns.feasible[i] !== 0,  // no: it is not known to keep to the constraints
  order: 0,  // of the evaluations, 1, 2, …; 0: none yet
  goodness: null,  // 0 the worst value … 1 the best
}));
const onFront = new Map(data.front ? data.front.trial.map((id, n) => [id, [data.front.mean[n], data.front.stddev[n]]]) : []);
const byId = new Map(trials.map((t) => [t.id, t]));
const told = trials.filter((t) => t.state === "done" || t.state === "failed").sort((a, b) => a.told - b.told || a.id - b.id);
told.forEach((t, i) => (t.order = i + 1));
const done = told.filter((t) => t.state === "done" && t.value !== null);
const anyNot = done.some((t) => !t.feasible);
const failed = told.filter((t) => t.state === "failed");
const worstFirst = [...done].sort((a, b) => (maximize ? a.value - b.value : b.value - a.value) || b.id - a.id);
for (let i = 0, next; i < worstFirst.length; i = next) {  // what is equally good has one place, in the middle of theirs
  for (next = i + 1; next < worstFirst.length && worstFirst[next].value === worstFirst[i].value; ++next);
  const place = done.length > 1 ? (i + next - 1) / 2 / (done.length - 1) : 1;
  for (let k = i; k < next; ++k) worstFirst[k].goodness = place;
}
const sortedValues = Float64Array.from(done, (t) => t.value).sort();
const quantile = (share) => sortedValues[Math.round(share * (sortedValues.length - 1))];
const better = (a, b) => (maximize ? a > b : a < b);

// Few values far from all others would leave one colour, or one pixel, for the rest: a twentieth at each end may lie anywhere.
const tail = done.length >= 10 ? Math.max(1, Math.floor(done.length / 20)) : 0;
const typical = [sortedValues[tail], sortedValues[done.length - 1 - tail]];
const core = done.length ? typical[1] - typical[0] : 0;
const span = done.length ? quantile(1) - quantile(0) : 0;
const farOut = done.length >= 10 && span > 4 * core;
// Three quarters of the values within a tenth of the scale would look alike, however many others there are.
const crowded = done.length >= 10 && span > 10 * (quantile(0.875) - quantile(0.125));
const allPositive = done.length > 0 && quantile(0) > 0;
const decades = allPositive && quantile(1) / quantile(0) > 1000;

function number(v, digits = 5) {
  if (v === null || v === undefined || Number.isNaN(v)) return "–";
  if (Number.isInteger(v) && Math.abs(v) < 1e7) return String(v).replace("-", "−");
  const size = Math.abs(v);
  return d3.format(`.${digits}~${size >= 1e-4 && size < 1e7 ? "r" : "g"}`)(v).replace("e+", "e").replace(/-/g, "−");
}
function withError(mean, stddev) {
  if (stddev === 0) return number(mean);  // known
  const digits = stddev > 0 ? Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(stddev)))) : 4;
  if (Math.abs(mean) >= 1e6 || digits > 6) return `${number(mean)} ± ${number(stddev, 2)}`;
  return `${mean.toFixed(digits)} ± ${stddev.toFixed(digits)}`.replace(/-/g, "−");
}
const shown = (p, raw) => (raw === null ? "–" : p.choices ? p.choices[raw] : typeof raw === "number" ? number(raw, 7) : String(raw));
// Of an output; what is told as passed or failed is 1 or 0.
const measured = (k, v) => (data.roles[k].passed && (v === 0 || v === 1) ? (v ? "passed" : "failed") : number(v, 7));
const clock = (seconds) => (seconds > 0 ? new Date(1000 * seconds).toLocaleString() : "");
const plural = (n, word) => `${d3.format(",")(n)} ${word}${n === 1 ? "" : "s"}`;

// A scale along a parameter, from → to in pixels.
function along(p, from, to) {
  if (p.choices) return d3.scaleLinear([-0.5, p.choices.length - 0.5], [from, to]);
  return (p.log ? d3.scaleLog : d3.scaleLinear)([p.low, p.high], [from, to]);
}

// At most `most` of the list, worst first: the best tenth of that number, and an even share of the rest.
function thinned(list, most) {
  if (list.length <= most) return list;
  const best = Math.ceil(most / 10), rest = list.length - best, wanted = most - best;
  const out = [];
  for (let i = 0; i < wanted; ++i) out.push(list[Math.floor((i * rest) / wanted)]);
  return out.concat(list.slice(rest));
}

// Where a thing of several levels is drawn beside its like: −0.5 … 0.5, the same each time.
const jitter = (id) => ((id * 0.6180339887498949) % 1) - 0.5;
