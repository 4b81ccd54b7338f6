// Several objectives, two by two: what was observed, the front as the model knows it, and the reference.
const kMaxFrontDots = 4000;
const objectives = data.outputs.map((_, k) => k).filter((k) => data.roles[k].direction);
const numOnFront = () => d3.sum(data.front.allowed);
const good = (k, a, b) => (data.roles[k].direction === "maximize" ? a > b : a < b);

function frontChart() {
  const {section, words} = card("front", "Front", "");
  if (!data.front || !data.front.trial.length) {
    words.textContent = "no trial is known to keep to all constraints yet";
    return;
  }
  const pairs = objectives.flatMap((i, at) => objectives.slice(at + 1).map((j) => [i, j]));
  const two = pairs.length === 1;
  words.textContent = (numOnFront() ? `${plural(numOnFront(), "point")}, hypervolume ${number(data.front.hypervolume, 4)}` : "no trial is known to keep to all constraints yet: red is the one that comes nearest") +
    ". Point at one to see it in every picture.";
  const panels = element(section, "div", {class: two ? "" : "panels"});
  for (const [i, j] of pairs) frontPanel(panels, i, j, two);
  legend(element(section, "div", {class: "tools"}), [{name: "model", text: "front ± 2 standard deviations", dot: true}, {name: "observed", text: "observed", dot: true}]
    .concat(anyNot ? [{name: "faint", text: "not known to keep to the constraints", dot: true}] : [])
    .concat(two ? [{name: "best", text: "reached by a quarter and half of the values"}] : [], data.front.reference.length ? [{name: "known", text: "reference"}] : []));
}

function frontPanel(panels, i, j, large) {
  const outer = element(panels, "div"), box = element(outer, "div", {class: "chart"});
  const {front} = data;
  const points = front.trial.map((id, n) => ({t: byId.get(id), n, mean: front.mean[n], stddev: front.stddev[n]})).filter((p) => p.t);
  const seen = done.filter((t) => t.outputs[i] !== null && t.outputs[j] !== null);
  const every = Math.ceil(seen.length / kMaxFrontDots), dots = seen.filter((_, n) => n % every === 0);
  const name = (k) => `${data.outputs[k]} (${data.roles[k].direction === "maximize" ? "more" : "less"} is better)`;
  let x, y, area, top, tree;

  // The good end is what the picture is about; a far tail at the other is cut.
  function range(k) {
    const all = seen.map((t) => t.outputs[k]).concat(points.flatMap((p) => [p.mean[k] - 2 * p.stddev[k], p.mean[k] + 2 * p.stddev[k]])).sort(d3.ascending);
    let low = all[0], high = all[all.length - 1];
    const from = d3.quantile(all, 0.05), to = d3.quantile(all, 0.95);
    if (to > from && high - low > 4 * (to - from)) {
      if (data.roles[k].direction === "maximize") low = 2 * from - to;
      else high = 2 * to - from;
    }
    const air = 0.05 * (high - low) || 0.05 * Math.abs(high) || 1;
    return [low - air, high + air];
  }

  // The border of what these dominate, over to the edges of the frame.
  function stairs(context, places, stroke, width) {
    const sorted = places.slice().sort((a, b) => (a[0] !== b[0] ? (good(i, a[0], b[0]) ? -1 : 1) : good(j, a[1], b[1]) ? -1 : 1));
    if (!sorted.length) return;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x(sorted[0][0]), data.roles[j].direction === "maximize" ? area.bottom : area.top);
    let best = null;
    for (const [a, b] of sorted) {
      if (best !== null && !good(j, b, best)) continue;
      if (best !== null) context.lineTo(x(a), y(best));
      context.lineTo(x(a), y(b));
      best = b;
    }
    context.lineTo(data.roles[i].direction === "maximize" ? area.left : area.right, y(best));
    context.stroke();
  }

  function draw() {
    const width = large ? outer.parentElement.clientWidth : outer.clientWidth, height = large && width > 500 ? 420 : 300;
    y = d3.scaleLinear(range(j), [height - 42, 10]);
    area = {left: roomFor(y) + 16, right: width - 10, top: 10, bottom: height - 42};
    x = d3.scaleLinear(range(i), [area.left, area.right]);
    const made = frame(box, width, height), context = made.below;
    top = made.above;
    axisLeft(made.svg, context, y, area);
    axisBottom(made.svg, x, area, Math.max(2, Math.floor(width / 100)));
    made.svg.append("text").attr("x", (area.left + area.right) / 2).attr("y", height - 6).attr("text-anchor", "middle").text(name(i));
    made.svg.append("text").attr("transform", `translate(12,${(area.top + area.bottom) / 2}) rotate(-90)`).attr("text-anchor", "middle").text(name(j));
    clip(context, area);
    for (const t of dots) {
      context.globalAlpha = selected[t.i] ? 0.75 : 0.12;
      dot(context, x(t.outputs[i]), y(t.outputs[j]), 2.6, t.feasible ? ink.observed : ink.faint);
    }
    context.globalAlpha = 1;
    if (large) {
      for (const share of [0.25, 0.5]) {
        context.globalAlpha = 0.4 + share / 2;
        stairs(context, done.slice(0, Math.ceil(share * done.length)).filter((t) => t.feasible && t.outputs[i] !== null && t.outputs[j] !== null).map((t) => [t.outputs[i], t.outputs[j]]), ink.best, 1.5);
      }
      context.globalAlpha = 1;
      stairs(context, points.filter((p) => front.allowed[p.n]).map((p) => [p.mean[i], p.mean[j]]), ink.model, 2);
    }
    context.lineWidth = 1.2;
    context.strokeStyle = ink.known;
    context.setLineDash([6, 4]);
    for (const [a, b] of front.reference.length ? [[[x(front.reference[i]), area.top], [x(front.reference[i]), area.bottom]], [[area.left, y(front.reference[j])], [area.right, y(front.reference[j])]]] : []) line(context, a, b);
    context.setLineDash([]);
    for (const p of points) {
      context.globalAlpha = selected[p.t.i] ? 1 : 0.15;
      const at = [x(p.mean[i]), y(p.mean[j])], fill = front.allowed[p.n] ? ink.model : ink.failed;
      context.strokeStyle = fill;
      line(context, [x(p.mean[i] - 2 * p.stddev[i]), at[1]], [x(p.mean[i] + 2 * p.stddev[i]), at[1]]);
      line(context, [at[0], y(p.mean[j] - 2 * p.stddev[j])], [at[0], y(p.mean[j] + 2 * p.stddev[j])]);
      dot(context, ...at, 4, fill);
    }
    context.globalAlpha = 1;
    context.restore();
    const marks = dots.map((t) => ({t, x: x(t.outputs[i]), y: y(t.outputs[j])})).concat(points.map((p) => ({t: p.t, x: x(p.mean[i]), y: y(p.mean[j])})));
    tree = d3.quadtree(marks, (m) => m.x, (m) => m.y);
    listen(made.svg, width, height);
    made.restore();
    mark();
  }

  function line(context, from, to) {
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
  }

  function listen(svg, width, height) {
    svg.append("rect").attr("width", width).attr("height", height).attr("fill", "transparent");
    svg.attr("tabindex", 0).attr("role", "img").attr("data-name", `front ${i} ${j}`)
      .attr("aria-label", `Front of ${data.outputs[i]} and ${data.outputs[j]}. Left and right go from one of its points to the next.`);
    const nearest = () => {
      const found = tree.find(...d3.mouse(svg.node()), 20);
      point(found ? found.t : null, d3.event);
    };
    svg.on("mousemove", nearest).on("click", nearest).on("mouseleave", () => point(null)).on("blur", () => point(null)).on("keydown", () => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[d3.event.key];
      if (!step) return;
      const across = points.slice().sort((a, b) => a.mean[i] - b.mean[i]), at = across.findIndex((p) => p.t === hot);
      const next = across[at < 0 ? (step > 0 ? 0 : across.length - 1) : Math.max(0, Math.min(across.length - 1, at + step))];
      const place = svg.node().getBoundingClientRect();
      point(next.t, null, {x: place.left + x(next.mean[i]), y: place.top + y(next.mean[j])});
      d3.event.preventDefault();
    });
  }

  function mark() {
    if (!top) return;
    top.clearRect(0, 0, 1e4, 1e4);
    const known = hot && points.find((p) => p.t === hot), at = known ? known.mean : hot && hot.outputs;
    if (!at || at[i] === null || at[j] === null) return;
    const within = (v, [from, to]) => Math.max(Math.min(from, to), Math.min(Math.max(from, to), v));
    ring(top, within(x(at[i]), x.range()), within(y(at[j]), y.range()));
  }
  return register({draw, mark});
}
