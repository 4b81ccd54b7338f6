// Shares of the variance: in total, with its part of all interactions, and by itself; two standard deviations around each.
function importanceChart() {
  const {section} = card("importance", "Importance", "each parameter's share of the variance of the model's mean over the whole space, ± 2 standard deviations");
  const box = element(section, "div", {class: "chart"});
  legend(element(section, "div", {class: "tools"}), [{name: "model", text: "in total, with its part of all interactions", dot: true}, {name: "best", text: "by itself", dot: true}]);
  const bars = data.importance.slice(0, 40), row = 30;

  function draw() {
    const width = section.clientWidth - 36, height = row * bars.length + 30;
    const letters = width < 500 ? 14 : 28;
    const names = bars.map(({parameter}) => parameters[parameter].label).map((text) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text));
    const left = 14 + 7 * Math.max(...names.map((text) => text.length));
    const {svg} = frame(box, width, height);
    const x = d3.scaleLinear([0, 1], [left, width - 16]).clamp(true), area = {left, right: width - 16, top: 0, bottom: height - 26};
    svg.append("g").attr("class", "grid").attr("transform", `translate(0,${area.bottom})`).call(d3.axisBottom(x).ticks(5).tickSize(-area.bottom).tickFormat(""));
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${area.bottom})`).call(d3.axisBottom(x).ticks(5, "%").tickSize(4));
    bars.forEach((bar, i) => {
      const y = i * row, label = parameters[bar.parameter].label;
      svg.append("text").attr("x", left - 8).attr("y", y + 18).attr("text-anchor", "end").style("fill", "var(--ink)").style("font-size", "12px").text(names[i]);
      const words = `${label}: ${percent(bar.total)} in total, ${percent(bar.first)} by itself`;
      const g = svg.append("g").attr("role", "img").attr("aria-label", words);
      draw1(g, x, y + 4, 12, bar.total, "var(--model)");
      draw1(g, x, y + 18, 7, bar.first, "var(--best)");
      g.on("mousemove", () => tip.show((at) => element(at, "div", {}, words), {x: d3.event.clientX, y: d3.event.clientY})).on("mouseleave", () => tip.hide());
    });
  }
  const percent = ([value, stddev]) => `${(100 * value).toFixed(1)}% ± ${(100 * stddev).toFixed(1)}%`;
  function draw1(g, x, y, height, [value, stddev], fill) {
    g.append("rect").attr("x", x(0)).attr("y", y).attr("width", x(value) - x(0)).attr("height", height).attr("rx", 2).attr("fill", fill).attr("opacity", 0.85);
    const middle = y + height / 2, ends = [x(value - 2 * stddev), x(value + 2 * stddev)];
    g.append("path").attr("d", `M${ends[0]},${middle}H${ends[1]}M${ends[0]},${middle - 3}v6M${ends[1]},${middle - 3}v6`).attr("stroke", "var(--ink)").attr("stroke-width", 1.2);
  }
  return register({draw});
}
