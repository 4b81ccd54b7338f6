#include <fmt/format.h>
#include <salvo/diagnose.h>

#include <cmath>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "plot/agreement.h"
#include "plot/picture.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

std::string quality_json(const MeasuredQuality& q) {
  return JsonObject().add("a_low", q.a_low).add("a_high", q.a_high).add("c", q.c).add("epsilon", q.epsilon).text();
}

std::string diagnosis_json(const Diagnosis& d, const StudyOptions& options, const std::string& picture) {
  JsonObject places;
  for (const Diagnosis::Place& place : d.places) {
    places.raw(place.where, JsonObject()
                                .add("points", place.num_points)
                                .raw("worst", quality_json(place.worst))
                                .raw("usual", quality_json(place.usual))
                                .text());
  }
  std::vector<std::string> advice;
  for (const std::string& each : d.advice) advice.push_back(json_string(each));
  JsonObject out;
  out.add("event", "diagnosis")
      .add("study", options.name)
      .add("trust", to_string(d.trust))
      .add("verdict", d.verdict)
      .raw("advice", fmt::format("[{}]", fmt::join(advice, ",")))
      .add("observations", d.num_observations)
      .add("compared", d.num_compared)
      .add("type", to_string(d.type))
      .add("inducing", d.num_inducing)
      .add("features", d.num_features)
      .add("sizes", d.sizes)
      .raw("places", places.text())
      .add("theta_over_tau", d.theta_over_tau)
      .raw("promised", JsonObject()
                           .add("speaks", d.promised.speaks())
                           .add("kappa", d.promised.kappa)
                           .add("a_low", d.promised.a_low)
                           .add("a_high", d.promised.a_high)
                           .add("c", d.promised.c)
                           .text())
      .add("jitter", d.jitter)
      .raw("lost_variance", JsonObject().add("mean", d.lost_mean).add("worst", d.lost_worst).text());
  if (!picture.empty()) out.add("file", picture);
  return out.line();
}

std::string percent(double share) { return fmt::format("{}%", number(100 * share, 2)); }

std::string diagnosis_text(const Diagnosis& d, const StudyOptions& options) {
  std::string text = fmt::format("{}: {}, {} inducing {}, {} prior features\n", one_line(options.name),
                                 plural(d.num_observations, "observation"), count(d.num_inducing),
                                 d.type == ModelType::inducing_features ? "features" : "points", count(d.num_features));
  if (!d.sizes.empty()) text += fmt::format("({})\n", d.sizes);
  if (d.num_compared < d.num_observations)
    text += fmt::format("(both models were given a random subset of {} observations here, see --observations)\n",
                        count(d.num_compared));
  text += fmt::format("\n  {}{}{}{}{}{}\n", pad("", 26), pad("a̲ = σ/σˢ", 12), pad("ā = σˢ/σ", 12), pad("c = |μˢ−μ|/σ", 16),
                      pad("ε = |σ̃−σˢ|", 14), "points");
  const auto line = [&](const std::string& title, const MeasuredQuality& q, const std::string& points) {
    text += fmt::format("  {}{}{}{}{}{}\n", pad(title, 26), pad(number(q.a_low, 3), 12), pad(number(q.a_high, 3), 12),
                        pad(number(q.c, 3), 16), pad(number(q.epsilon, 3), 14), points);
  };
  for (const Diagnosis::Place& place : d.places) {
    line(place.where + ", worst", place.worst, count(place.num_points));
    line("  95 of 100 within", place.usual, "");
  }
  text += fmt::format("  {}{}{}{}{}\n\n", pad("good is", 26), pad("≤ 1.41", 12), pad("≤ 1.41", 12), pad("≤ 1", 16), "≤ 0.1");
  text += d.promised.speaks()
              ? fmt::format("  θ/τ      {}: Proposition 1 promises a̲ ≤ {}, ā ≤ {}, c ≤ {}\n", number(d.theta_over_tau, 3),
                            number(d.promised.a_low, 3), number(d.promised.a_high, 3), number(d.promised.c, 3))
              : fmt::format("  θ/τ      {}: Proposition 1 promises nothing (it speaks below 1/6), so what was measured counts\n",
                            number(d.theta_over_tau, 3));
  text += fmt::format("  jitter   {} of the kernel's variance\n", number(d.jitter, 2));
  text += fmt::format("  prior    its {} features lose {} of the variance on average, {} at worst\n\n", count(d.num_features),
                      percent(d.lost_mean), percent(d.lost_worst));
  text += fmt::format("  Can it be trusted? {}\n", d.verdict);
  for (const std::string& each : d.advice) text += fmt::format("    - {}\n", each);
  return text;
}

}  // namespace

int execute(const Common& common, const DiagnoseArgs& args) {
  if (!args.output.empty()) plot::check_target(args.output);
  check_output(common, args.output);
  Source source = open_to_look(common);
  const Diagnosis diagnosis = diagnose(source.study, args.options);
  if (!args.output.empty()) plot::write(plot::draw_agreement(source.study, source.file, diagnosis), args.output);
  print(common.json ? diagnosis_json(diagnosis, source.study.options(), args.output)
                    : diagnosis_text(diagnosis, source.study.options()));
  if (!args.output.empty() && !common.json && !common.quiet) print(fmt::format("\nWrote {}.\n", args.output));
  return 0;
}

}  // namespace salvo::app
