// The model along each parameter through the recommended point, with what was observed; failures as ticks along the bottom.
const kMaxSliceDots = 1500;

function sliceCharts() {
  const {section} = card("slices", "Slices", "the model's mean ± 2 standard deviations along each parameter through the recommended point (dashed); dots: observations, ticks along the bottom: failures" +
    (data.slices.some((s) => s.mean.some((m) => m === null)) ? "; grey: where the conditions do not hold" : "") +
    (data.slices.length < parameters.filter((p) => !p.fixed).length ? `; the ${data.slices.length} most important parameters` : ""));
  const panels = element(section, "div", {class: "panels"});
  const low = Math.min(typical[0], ...data.slices.map((s) => d3.min(s.mean, (m, i) => m === null ? NaN : m - 2 * s.stddev[i])));
  const high = Math.max(typical[1], ...data.slices.map((s) => d3.max(s.mean, (m, i) => m === null ? NaN : m + 2 * s.stddev[i])));
  const air = 0.05 * (high - low) || 1;
  for (const slice of data.slices) panel(panels, slice, [low - air, high + air]);
}

function panel(panels, slice, range) {
  const p = parameters[slice.parameter];
  const outer = element(panels, "div");
  element(outer, "h3", {}, p.label);
  const box = element(outer, "div", {class: "chart"});
  const best = byId.get(data.recommended.trial);
  let x, y, top, area;
  const place = (t) => x(t.x[p.i]) + (slice.levels ? jitter(t.id) * 0.5 * Math.abs(x(1) - x(0)) * (p.choices || !p.log ? 1 : 0.1) : 0);

  function draw() {
    const width = outer.clientWidth, height = 190;
    y = d3.scaleLinear(range, [height - 26, 6]);
    area = {left: roomFor(y, 4), right: width - 8, top: 6, bottom: height - 26};
    x = along(p, area.left, area.right);
    if (slice.levels && !p.choices) x = (p.log ? d3.scaleLog : d3.scaleLinear)(p.log ? [p.low / 1.2, p.high * 1.2] : [p.low - 0.4, p.high + 0.4], [area.left, area.right]);
    const {below, svg, above} = frame(box, width, height);
    top = above;
    axisLeft(svg, below, y, area, 4);
    axisBottom(svg, x, area, 4, p.choices && slice.x.length === p.choices.length ? p.choices : undefined);
    const dots = thinned(worstFirst, kMaxSliceDots);
    clip(below, area);
    shade(below);
    for (const t of dots) {
      below.globalAlpha = selected[t.i] ? 0.75 : 0.08;
      dot(below, place(t), y(t.value), 1.9, colour(t));
    }
    for (const t of thinned(failed, 500)) {
      below.globalAlpha = selected[t.i] ? 0.9 : 0.2;
      below.fillStyle = ink.failed;
      below.fillRect(place(t) - 0.75, area.bottom - 7, 1.5, 7);
    }
    below.globalAlpha = 1;
    below.restore();
    svg.append("line").attr("x1", x(best.x[p.i])).attr("x2", x(best.x[p.i])).attr("y1", area.top).attr("y2", area.bottom)
      .attr("stroke", "var(--best)").attr("stroke-width", 1.5).attr("stroke-dasharray", "4 3");
    slice.levels ? bars(svg) : band(svg);
    svg.on("mousemove", () => look(d3.mouse(svg.node()), d3.event, dots)).on("click", () => look(d3.mouse(svg.node()), d3.event, dots)).on("mouseleave", () => point(null));
    svg.append("rect").attr("width", width).attr("height", height).attr("fill", "transparent");
    svg.append("title").text(`${p.label}: the model's mean is ${number(d3.min(slice.mean))} … ${number(d3.max(slice.mean))}`);
    mark();
  }

  // Where the conditions do not hold, half-way to the next places where they do.
  function shade(canvas) {
    canvas.fillStyle = ink.grid;
    const count = slice.mean.length, between = (i) => (x(slice.x[i - 1]) + x(slice.x[i])) / 2;
    for (let begin = 0, end; begin < count; begin = end + 1) {
      end = begin;
      while (end < count && slice.mean[end] === null) ++end;
      const left = begin ? between(begin) : area.left, right = end < count ? between(end) : area.right;
      if (end > begin) canvas.fillRect(left, area.top, right - left, area.bottom - area.top);
    }
  }

  function band(svg) {
    const clamp = (v) => Math.max(area.top, Math.min(area.bottom, y(v)));
    const there = (m) => m !== null;
    const edge = d3.area().defined(there).x((_, i) => x(slice.x[i])).y0((m, i) => clamp(m - 2 * slice.stddev[i])).y1((m, i) => clamp(m + 2 * slice.stddev[i]));
    svg.append("path").attr("d", edge(slice.mean)).attr("fill", "var(--model)").attr("opacity", 0.22);
    svg.append("path").attr("d", d3.line().defined(there).x((_, i) => x(slice.x[i])).y(clamp)(slice.mean)).attr("fill", "none").attr("stroke", "var(--model)").attr("stroke-width", 2);
  }
  function bars(svg) {
    slice.mean.forEach((m, i) => {
      if (m === null) return;
      const at = x(slice.x[i]);
      svg.append("line").attr("x1", at).attr("x2", at).attr("y1", y(m - 2 * slice.stddev[i])).attr("y2", y(m + 2 * slice.stddev[i]))
        .attr("stroke", "var(--model)").attr("stroke-width", 2);
      svg.append("circle").attr("cx", at).attr("cy", y(m)).attr("r", 4).attr("fill", "var(--model)");
    });
  }

  // The trial under the pointer, or what the model says there.
  function look([px, py], event, dots) {
    let nearest = null, least = 64;
    for (const t of dots) {
      const far = (place(t) - px) ** 2 + (y(t.value) - py) ** 2;
      if (far < least) [nearest, least] = [t, far];
    }
    for (const t of py > area.bottom - 10 ? failed : []) {
      const far = (place(t) - px) ** 2;
      if (far < Math.min(least, 16)) [nearest, least] = [t, far];
    }
    if (nearest) return point(nearest, event);
    point(null);
    const i = d3.scan(slice.x, (a, b) => Math.abs(x(a) - px) - Math.abs(x(b) - px));
    tip.show((box_) => {
      element(box_, "b", {}, `${p.label} = ${shown(p, slice.x[i])}`);
      element(box_, "div", {}, slice.mean[i] === null ? "the conditions do not hold here" : `model: ${withError(slice.mean[i], slice.stddev[i])}`);
    }, {x: event.clientX, y: event.clientY});
  }

  function mark() {
    if (!top) return;
    top.clearRect(0, 0, 1e4, 1e4);
    if (hot && hot.x[p.i] !== null) ring(top, place(hot), hot.value === null ? area.bottom - 4 : Math.max(area.top, Math.min(area.bottom, y(hot.value))));
  }
  return register({draw, mark});
}
