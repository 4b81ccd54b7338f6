// Parallel coordinates: a line per trial over all parameters and the value; an axis is brushed to choose among them.
const kMaxAxes = 16, kMaxLinesDrawn = 1500, kMaxBehind = 500;

function parallelChart() {
  const {section, tools, words} = card("parallel", "Parallel coordinates", "");
  const clear = button(tools, "Clear", "Take all brushes away", () => {
    state.filters = {};
    state.page = 0;
    select();
    redraw();
  });
  const scroll = element(section, "div", {class: "scroll"});
  const box = element(scroll, "div", {class: "chart"});
  const keys = element(section, "div", {class: "tools"});
  colourKey.add(keys);
  if (failed.length) legend(keys, [{name: "failed", text: "failed"}]);
  const chosen = data.axes.slice(0, kMaxAxes).map((i) => parameters[i]);
  const others = data.outputs.map((_, k) => k).filter((k) => k !== data.shown);  // outputs beside the value
  let axes = [], lines = [], top, height;

  const place = (axis, t) => {
    const v = axis.value ? t.value : axis.output ? t.outputs[axis.at] : t.x[axis.at];
    return v === null ? height - 12 : axis.scale(v);
  };
  function makeAxes(width) {
    const gap = (width - 130) / (chosen.length + others.length), from = height - 34, to = 44;
    axes = chosen.map((p, i) => ({id: `p${p.i}`, at: p.i, label: p.label, names: p.choices, scale: along(p, from, to).clamp(true), x: 56 + i * gap, gap}));
    for (const k of others) {
      const [low, high] = d3.extent(done, (t) => t.outputs[k]), flat = !(low < high), i = axes.length;
      const scale = d3.scaleLinear(flat ? [(low || 0) - 1, (high || 0) + 1] : [low, high], [from, to]).clamp(true);
      const test = data.roles[k].passed;
      axes.push({id: `o${k}`, at: k, output: true, label: data.outputs[k], names: test ? ["failed", "passed"] : undefined, scale: test ? d3.scaleLinear([-0.5, 1.5], [from, to]).clamp(true) : scale, x: 56 + i * gap, gap});
    }
    const cut = farOut && !decades;
    const low = cut && maximize ? Math.max(quantile(0), typical[0] - core) : quantile(0);
    const high = cut && !maximize ? Math.min(quantile(1), typical[1] + core) : quantile(1);
    const values = low === high ? [low - 1, high + 1] : [low, high];
    const scale = (decades ? d3.scaleLog : d3.scaleLinear)(values, [from, to]).clamp(true);
    axes.push({id: "value", value: true, label: data.value, scale, x: 56 + axes.length * gap, gap: 74});
  }

  function trace(context, t) {
    context.beginPath();
    axes.forEach((axis, i) => (i ? context.lineTo(axis.x, place(axis, t)) : context.moveTo(axis.x, place(axis, t))));
    context.stroke();
  }

  function draw() {
    if (!done.length) {
      words.textContent = "no values yet";
      return;
    }
    const width = Math.max(section.clientWidth - 36, 130 + 92 * (chosen.length + others.length));
    height = 380;
    makeAxes(width);
    const {below, svg, above, restore} = frame(box, width, height);
    top = above;
    const wanted = [...worstFirst.filter((t) => !t.feasible), ...worstFirst.filter((t) => t.feasible)].filter((t) => selected[t.i]);
    lines = thinned(wanted, kMaxLinesDrawn);
    below.lineWidth = 1;
    if (filtering()) {
      below.strokeStyle = ink.faint;
      below.globalAlpha = 0.35;
      for (const t of thinned(worstFirst, kMaxBehind)) trace(below, t);
    }
    below.globalAlpha = lines.length > 400 ? 0.45 : 0.75;
    for (const t of lines) {
      below.strokeStyle = colour(t);
      trace(below, t);
    }
    below.setLineDash([4, 3]);
    below.strokeStyle = ink.failed;
    const bad = thinned(failed.filter((t) => selected[t.i]), 300);
    for (const t of bad) trace(below, t);
    below.setLineDash([]);
    below.globalAlpha = 1;
    lines = lines.concat(bad);
    svg.on("mousemove", () => look(d3.mouse(svg.node()), d3.event)).on("click", () => look(d3.mouse(svg.node()), d3.event)).on("mouseleave", () => point(null));
    svg.append("rect").attr("width", width).attr("height", height).attr("fill", "transparent");
    axes.forEach((axis) => drawAxis(svg, axis));
    restore();
    mark();
    const parts = [filtering() ? `${d3.format(",")(wanted.length)} of ${plural(done.length, "observation")} chosen` : plural(done.length, "observation")];
    if (lines.length - bad.length < wanted.length) parts.push(`${lines.length - bad.length} drawn: the best and an even share of the rest`);
    if (chosen.length < parameters.filter((p) => !p.fixed).length) parts.push(`the ${chosen.length} most important parameters`);
    words.textContent = `${parts.join("; ")}. Drag along an axis to choose; all other pictures and the table follow.`;
    clear.disabled = !filtering();
  }

  function drawAxis(svg, axis) {
    const g = svg.append("g").attr("transform", `translate(${axis.x},0)`);
    const letters = Math.max(4, Math.floor((axis.gap - 8) / 7));
    const cut = (text) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    const name = g.append("text").attr("class", "name").attr("y", 22).attr("text-anchor", "middle").text(cut(axis.label));
    name.append("title").text(axis.label);
    const list = axis.names ? axis.names.map((_, i) => i).filter((i) => i % Math.ceil(axis.names.length / 16) === 0) : ticks(axis.scale, 5).list;
    const format = axis.names ? (i) => cut(axis.names[i]) : ticks(axis.scale, 5).format;
    const drawn = g.append("g").attr("class", "axis").call(d3.axisRight(axis.scale).tickValues(list).tickFormat(format).tickSize(5));
    drawn.selectAll("path").style("stroke", "var(--soft)");
    drawn.selectAll("text").style("fill", "var(--ink)").attr("stroke", "var(--card)").attr("stroke-width", 3).attr("paint-order", "stroke");
    const [from, to] = axis.scale.range();
    // Beyond its ends a brush reaches what is drawn there because it lies still farther out.
    const range = ([upper, lower]) => {
      const low = lower >= from - 0.5 ? -Infinity : axis.scale.invert(lower), high = upper <= to + 0.5 ? Infinity : axis.scale.invert(upper);
      return [Math.max(low, -Number.MAX_VALUE), Math.min(high, Number.MAX_VALUE)];
    };
    const brush = d3.brushY().extent([[-11, to], [11, from]]).on("end", () => {
      if (d3.event.sourceEvent && d3.event.sourceEvent.type !== "end") setFilter(axis.id, d3.event.selection ? range(d3.event.selection) : null);
    });
    const handle = g.append("g").attr("class", "brush").call(brush);
    const now = state.filters[axis.id];
    const pixels = now ? [axis.scale(now[1]), axis.scale(now[0])] : null;
    if (pixels) handle.call(brush.move, pixels);
    const strip = handle.attr("tabindex", 0).attr("role", "slider").attr("data-name", axis.id).attr("aria-orientation", "vertical");
    strip.attr("aria-label", `${axis.label}: up and down move what is chosen, with shift they make it larger and smaller, Delete chooses all`);
    strip.attr("aria-valuetext", now ? `${number(Math.max(now[0], axis.scale.domain()[0]), 4)} to ${number(Math.min(now[1], axis.scale.domain()[1]), 4)}` : "all");
    strip.on("keydown", () => {
      const key = d3.event.key, step = (from - to) / 20;
      if (key === "Delete" || key === "Escape" || key === "Backspace") setFilter(axis.id, null);
      else if (key === "ArrowUp" || key === "ArrowDown") {
        const move = key === "ArrowUp" ? -step : step;
        let [upper, lower] = pixels || [to, to + (from - to) / 4];
        if (pixels && d3.event.shiftKey) upper = Math.min(lower - step / 2, upper + move);
        else if (pixels) [upper, lower] = [upper + move, lower + move];
        setFilter(axis.id, range([Math.max(to, upper), Math.min(from, lower)]));
      } else return;
      d3.event.preventDefault();
    });
  }

  // The line nearest to the pointer, between the two axes it is between.
  function look([px, py], event) {
    const right = Math.max(1, axes.findIndex((axis) => axis.x >= px)), a = axes[right - 1], b = axes[right];
    const share = (px - a.x) / (b.x - a.x);
    let nearest = null, least = 7;
    if (share >= 0 && share <= 1) {
      for (const t of lines) {
        const far = Math.abs((1 - share) * place(a, t) + share * place(b, t) - py);
        if (far <= least) [nearest, least] = [t, far];
      }
    }
    point(nearest, event);
  }

  function mark() {
    if (!top) return;
    top.clearRect(0, 0, 1e5, 1e4);
    if (!hot) return;
    top.strokeStyle = ink.hot;
    top.lineWidth = 2.5;
    trace(top, hot);
  }
  return register({draw, mark});
}
