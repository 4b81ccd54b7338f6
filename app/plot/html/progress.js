// Every value in the order the outcomes came, the best so far, and what the model makes of it; failures along the bottom.
const kMaxDots = 6000;

function progressChart() {
  const {section, tools, words} = card("progress", "Progress", "");
  const box = element(section, "div", {class: "chart"});
  const keys = element(section, "div", {class: "tools"});
  legend(keys, [{name: "observed", text: "observed", dot: true}, {name: "best", text: "best observed so far"}].concat(
    columns.mean ? [{name: "model", text: "recommended: the final model's mean at the best of the first n"}] : [],
    data.optimum !== null ? [{name: "known", text: "optimum"}] : [],
    failed.length ? [{name: "failed", text: "failed", dot: true}] : []));
  colourKey.add(keys);
  const log = button(tools, "Log", "Logarithmic axis of values", () => {
    state.log = !isLog();
    state.zoom = null;
    redraw();
  });
  log.disabled = !allPositive;
  const all = button(tools, "All", "Show the values beyond the frame as well", () => {
    state.all = !state.all;
    state.zoom = null;
    redraw();
  });
  button(tools, "+", "Zoom in", () => zoomBy(0.5));
  button(tools, "−", "Zoom out", () => zoomBy(2));
  const reset = button(tools, "Reset", "Show everything", () => zoomTo(null));
  const isLog = () => allPositive && (state.log === null ? decades : state.log);

  const lineOf = (pick) => {  // the running best, as corners of steps
    const out = [];
    let best = null;
    for (const t of done) {
      const v = t.feasible ? pick(t) : null;
      if (v === null || (best !== null && !better(v, best))) continue;
      best = v;
      out.push([t.order, v]);
    }
    if (out.length) out.push([told.length, best]);
    return out;
  };
  const bestLine = lineOf((t) => t.value), modelLine = columns.mean ? lineOf((t) => t.mean) : [];

  // The good end is what the picture is about; only the other is cut.
  function fullRange() {
    let low = quantile(0), high = quantile(1);
    if (farOut && !isLog() && !state.all) {
      if (maximize) low = Math.max(low, typical[0] - core);
      else high = Math.min(high, typical[1] + core);
    }
    const room = high - low;
    for (const [, v] of modelLine.slice(-1)) {
      low = Math.min(low, Math.max(v, low - room));
      high = Math.max(high, Math.min(v, high + room));
    }
    if (data.optimum !== null && !(isLog() && data.optimum <= 0)) {
      low = Math.min(low, data.optimum);
      high = Math.max(high, data.optimum);
    }
    if (isLog() && low > 0) return [low / 1.2, high * 1.2];
    const air = 0.05 * (high - low) || 0.05 * Math.abs(high) || 1;
    return [low - air, high + air];
  }

  let x, y, area, top, tree;
  function zoomTo(zoom) {
    state.zoom = zoom;
    redraw();
  }
  function zoomBy(factor) {
    if (!done.length) return;
    const at = hot && hot.order ? hot.order : d3.mean(x.domain());
    const width = Math.min(told.length, (x.domain()[1] - x.domain()[0]) * factor);
    const low = Math.max(1, Math.min(at - width / 2, told.length - width));
    zoomTo(factor > 1 && width >= told.length - 1 ? null : {x: [low, low + width], y: state.zoom ? state.zoom.y : fullRange()});
  }

  function draw() {
    if (!done.length) {
      words.textContent = failed.length ? `no values yet, ${failed.length} failed` : "no values yet";
      return;
    }
    const width = section.clientWidth - 36, height = width < 500 ? 300 : 380;
    const [low, high] = state.zoom ? state.zoom.y : fullRange();
    const bottom = height - 42 - (failed.length ? 14 : 0);
    y = (isLog() && low > 0 ? d3.scaleLog : d3.scaleLinear)([low, high], [bottom, 12]);
    area = {left: roomFor(y) + 16, right: width - 12, top: 12, bottom};
    x = d3.scaleLinear(state.zoom ? state.zoom.x : [Math.min(1, told.length - 1), Math.max(2, told.length)], [area.left + 4, area.right - 4]);
    const made = frame(box, width, height);
    top = made.above;
    axisLeft(made.svg, made.below, y, area);
    axisBottom(made.svg, x, {...area, bottom: height - 34}, Math.max(2, Math.min(told.length - 1, Math.floor(width / 90))));
    made.svg.append("text").attr("x", (area.left + area.right) / 2).attr("y", height - 4).attr("text-anchor", "middle").text("evaluations");
    made.svg.append("text").attr("transform", `translate(12,${(area.top + area.bottom) / 2}) rotate(-90)`).attr("text-anchor", "middle")
      .text(data.valueLabel);

    const inside = (t) => t.order >= x.domain()[0] && t.order <= x.domain()[1];
    const visible = worstFirst.filter((t) => inside(t) && t.value >= low && t.value <= high);
    const dots = thinned(visible, kMaxDots);
    const context = made.below, radius = dots.length > 2000 ? 1.8 : dots.length > 400 ? 2.4 : 3.2;
    clip(context, {...area, left: area.left - 4, right: area.right + 4, top: area.top - 4, bottom: area.bottom + 4});
    for (const t of dots) {
      context.globalAlpha = selected[t.i] ? 0.9 : 0.12;
      dot(context, x(t.order), y(t.value), radius, colour(t));
    }
    context.globalAlpha = 1;
    if (data.optimum !== null) path(context, [[x.domain()[0], data.optimum], [x.domain()[1], data.optimum]], ink.known, 1.5, [6, 4], false);
    path(context, bestLine, ink.best, 2, [], true);
    path(context, modelLine, ink.model, 2.5, [], true);
    context.restore();
    const failures = failed.filter(inside);
    for (const t of thinned(failures, 2000)) {
      context.globalAlpha = selected[t.i] ? 0.9 : 0.2;
      cross(context, x(t.order), height - 42, 3, ink.failed);
    }
    context.globalAlpha = 1;
    const marks = dots.map((t) => ({t, x: x(t.order), y: y(t.value)})).concat(failures.map((t) => ({t, x: x(t.order), y: height - 42})));
    tree = d3.quadtree(marks, (m) => m.x, (m) => m.y);
    listen(made.svg, height);
    made.restore();
    mark();
    const beyond = done.filter(inside).length - visible.length;
    const parts = [plural(done.length, "observation")];
    if (failed.length) parts.push(`${failed.length} failed`);
    if (anyNot) parts.push(`${done.filter((t) => !t.feasible).length} not known to keep to the constraints (grey)`);
    if (beyond > 0) parts.push(`${beyond} beyond the frame`);
    if (dots.length < visible.length) parts.push(`${plural(dots.length, "dot")} drawn: the best and an even share of the rest`);
    words.textContent = `${parts.join(", ")}. Drag to zoom, double-click for everything.`;
    log.setAttribute("aria-pressed", String(isLog()));
    all.setAttribute("aria-pressed", String(state.all));
    all.disabled = !farOut || isLog();
    reset.disabled = !state.zoom;
  }

  function path(context, corners, stroke, width, dash, steps) {
    if (!corners.length) return;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    corners.forEach(([n, v], i) => {
      if (i > 0 && steps) context.lineTo(x(n), y(corners[i - 1][1]));
      if (i > 0) context.lineTo(x(n), y(v));
      else context.moveTo(x(n), y(v));
    });
    context.stroke();
    context.setLineDash([]);
  }

  function listen(svg, height) {
    const brush = d3.brush().extent([[area.left, area.top], [area.right, area.bottom]]).touchable(false).on("end", () => {
      const s = d3.event.selection;
      if (!s) return;
      const [a, b] = s;
      if (b[0] - a[0] < 6 || b[1] - a[1] < 6) return redraw();
      zoomTo({x: [x.invert(a[0]), x.invert(b[0])], y: [y.invert(b[1]), y.invert(a[1])]});
    });
    svg.attr("tabindex", 0).attr("role", "img").attr("data-name", "progress")
      .attr("aria-label", "Values in the order of evaluation. Left and right go from one to the next, + and − zoom, 0 shows everything.");
    svg.append("g").attr("class", "brush").call(brush).on("dblclick", () => zoomTo(null));
    const nearest = () => {
      const [px, py] = d3.mouse(svg.node());
      const found = tree.find(px, py, 30);
      point(found ? found.t : null, d3.event);
    };
    svg.on("mousemove", nearest).on("click", nearest).on("mouseleave", () => point(null)).on("keydown", () => {
      const key = d3.event.key;
      const step = {ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20}[key];
      if (step) {
        const at = hot && hot.order ? hot.order - 1 + step : step > 0 ? 0 : told.length - 1;
        const t = told[Math.max(0, Math.min(told.length - 1, at))];
        const place = svg.node().getBoundingClientRect();
        point(t, null, {x: place.left + x(t.order), y: place.top + (t.value === null ? height - 42 : y(t.value))});
      } else if (key === "+" || key === "=") zoomBy(0.5);
      else if (key === "-") zoomBy(2);
      else if (key === "0" || key === "Escape") zoomTo(null);
      else return;
      d3.event.preventDefault();
    }).on("blur", () => point(null));
  }

  function mark() {
    if (!top) return;
    top.clearRect(0, 0, 1e4, 1e4);
    if (!hot || !hot.order || hot.order < x.domain()[0] || hot.order > x.domain()[1]) return;
    ring(top, x(hot.order), hot.value === null ? area.bottom + 14 : Math.max(area.top, Math.min(area.bottom, y(hot.value))));
  }
  return register({draw, mark});
}
