// Every trial, sorted by any column, a page at a time; brushes and the search choose among them.
const kRows = 25;

function trialTable() {
  const {section, tools, words} = card("trials", "Trials", "");
  const search = element(tools, "input", {type: "search", placeholder: "Search: number, state, choice, tag, text, reason", "aria-label": "Search the trials", size: 32});
  search.value = state.search;
  search.addEventListener("input", () => {
    state.search = search.value;
    state.page = 0;
    redraw();
  });
  const scroll = element(section, "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of trials"});
  const table = element(scroll, "table");
  const header = element(element(table, "thead"), "tr"), body = element(table, "tbody");
  const pager = element(section, "div", {class: "tools"});
  pager.style.marginTop = ".6rem";
  const first = button(pager, "« First", "First page", () => turn(0)), back = button(pager, "‹ Back", "Page before", () => turn(state.page - 1));
  const where = element(pager, "span", {"aria-live": "polite"});
  const next = button(pager, "Next ›", "Next page", () => turn(state.page + 1)), last = button(pager, "Last »", "Last page", () => turn(Infinity));

  const list = [
    {by: "id", name: "trial", of: (t) => t.id, text: (t) => String(t.id), number: true},
    {by: "value", name: data.value, of: (t) => t.value, text: (t) => measured(data.shown, t.value), number: true},
    ...(columns.mean ? [{by: "mean", name: "model", of: (t) => t.mean, text: (t) => number(t.mean), number: true}] : []),
    ...data.outputs.map((name, k) => ({by: `o${k}`, name, of: (t) => t.outputs[k], text: (t) => measured(k, t.outputs[k]), number: !data.roles[k].passed})).filter((_, k) => k !== data.shown),
    ...(anyNot ? [{by: "feasible", name: "feasible", of: (t) => (t.state === "done" ? Number(t.feasible) : null), text: (t) => (t.state !== "done" ? "" : t.feasible ? "yes" : "no")}] : []),
    ...parameters.map((p) => ({by: `p${p.i}`, name: p.label, of: (t) => t.x[p.i], text: (t) => shown(p, t.x[p.i]), number: !p.choices && typeof p.low === "number"})),
    ...besides.map(({name, text, number: plain}, k) => ({by: `b${k}`, name, of: (t) => t.beside[k], text: (t) => (t.beside[k] === null ? "" : text(t.beside[k])), number: plain})),
    {by: "state", name: "state", of: (t) => t.state, text: (t) => t.state},
    {by: "origin", name: "origin", of: (t) => t.origin, text: (t) => t.origin},
    {by: "told", name: "told", of: (t) => t.told || null, text: (t) => clock(t.told)},
    ...(columns.tags ? [{by: "tags", name: "tags", of: (t) => t.tags.join(" ") || null, text: (t) => t.tags.join(" ")}] : []),
    ...(failed.length ? [{by: "error", name: "why it failed", of: (t) => t.error || null, text: (t) => t.error}] : []),
  ];
  for (const column of list) {
    column.head = element(header, "th", column.number ? {scope: "col", class: "number"} : {scope: "col"});
    column.button = button(column.head, column.name, `Sort by ${column.name}`, () => {
      state.sort = {by: column.by, down: state.sort.by === column.by ? !state.sort.down : column.by === "value" || column.by === "mean" ? maximize : false};
      state.page = 0;
      redraw();
    });
  }

  function turn(page) {
    state.page = page;
    redraw();
  }

  // What has no entry comes last, whichever way it is sorted.
  function sorted(rows) {
    const column = list.find(({by}) => by === state.sort.by) || list[0], sign = state.sort.down ? -1 : 1;
    const keys = new Map(rows.map((t) => [t, column.of(t)]));
    return rows.sort((a, b) => {
      const u = keys.get(a), v = keys.get(b);
      if (u === v) return a.id - b.id;
      if (u === null || v === null) return u === null ? 1 : -1;
      return u < v ? -sign : sign;
    });
  }

  function draw() {
    const wanted = state.search.trim().toLowerCase();
    const matches = (t) => !wanted || String(t.id) === wanted || t.state.includes(wanted) || t.origin.includes(wanted) ||
      t.tags.some((tag) => tag.toLowerCase().includes(wanted)) ||
      t.error.toLowerCase().includes(wanted) || t.beside.some((v) => typeof v === "string" && v.toLowerCase().includes(wanted)) || parameters.some((p) => (p.choices || p.low === undefined) && shown(p, t.x[p.i]).toLowerCase().includes(wanted));
    const rows = sorted(trials.filter((t) => selected[t.i] && matches(t)));
    const pages = Math.max(1, Math.ceil(rows.length / kRows));
    state.page = Math.max(0, Math.min(pages - 1, state.page));
    body.textContent = "";
    for (const t of rows.slice(state.page * kRows, (state.page + 1) * kRows)) row(t);
    for (const column of list) {
      const on = column.by === state.sort.by;
      column.head.setAttribute("aria-sort", on ? (state.sort.down ? "descending" : "ascending") : "none");
      column.button.textContent = column.name + (on ? (state.sort.down ? " ▾" : " ▴") : "");
    }
    words.textContent = rows.length === trials.length ? plural(trials.length, "trial") : `${d3.format(",")(rows.length)} of ${plural(trials.length, "trial")}`;
    where.textContent = `page ${d3.format(",")(state.page + 1)} of ${d3.format(",")(pages)}`;
    first.disabled = back.disabled = state.page === 0;
    next.disabled = last.disabled = state.page === pages - 1;
    mark();
  }

  function row(t) {
    const made = element(body, "tr", {class: t.state, "data-id": t.id});
    for (const column of list) {
      const cell = element(made, "td", column.number ? {class: "number"} : {});
      if (column.by === "value" && t.goodness !== null) element(cell, "span", {class: "patch"}).style.background = colour(t);
      const text = column.text(t);
      cell.append(text);
      if (text.length > 24) cell.title = text;
    }
    made.addEventListener("mouseenter", () => point(t));
    made.addEventListener("mouseleave", () => point(null));
  }

  function mark() {
    for (const each of body.children) each.classList.toggle("hot", hot !== null && Number(each.dataset.id) === hot.id);
  }
  return register({draw, mark});
}
