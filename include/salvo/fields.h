#pragma once
#include <salvo/options.h>
#include <salvo/rules.h>
#include <salvo/study_file.h>

#include <type_traits>

// Every option, written once: its key, what it may be, what it is for. Study files, databases, validation, Python, the settings
// that learning depends on and the tables of docs/study-file.md are visitors: each_field(options, visit) calls
// visit(key, value, rule, says) for each one.
namespace salvo {

// Options of one kind, constant or not.
template <class T, class Wanted>
concept OptionsOf = std::is_same_v<std::remove_const_t<T>, Wanted>;

template <OptionsOf<ModelOptions> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  const bool kdpp = o.inducing == Inducing::kdpp, stochastic = o.fit == FitMethod::stochastic;
  const bool functions = o.type != ModelType::inducing_points;
  visit(
      "kernel", o.kernel, WordOrAuto{},
      Says{"how smooth the objective is taken to be; `\"se\"` is the smoothest; the additive ones are for sums of what each "
           "parameter does by itself. `\"auto\"`: `\"matern52\"`, `\"matern32\"` or the same as sums, whichever the values speak "
           "for ([how](how-it-works.md#smooth-or-rough)); `\"matern52\"` where the model is made of eigenfunctions or fitted by "
           "mini-batches",
           true});
  visit("transform", o.transform, Word{},
        Says{"how the model sees the values: as they are, or those worse than the median logarithmically so, for values that "
             "span decades. `\"auto\"`: whichever the values speak for ([how](how-it-works.md#values-of-any-size)); `salvo "
             "status` says which",
             o.transform != Transform::none});
  visit("type", o.type, Word{},
        Says{"what summarises the data: the values at points, or the coefficients of eigenfunctions of the kernel. Features are "
             "for up to three or four coordinates, where they learn very fast: more observations then cost a sweep each and "
             "nothing else",
             functions});
  visit("num_inducing", o.num_inducing, Size{},
        Says{"m, the points (or features) that summarise the data. Up to m observations a model with points is exact; time "
             "grows with m². `\"auto\"`: as many as bring θ/τ, which `salvo status` shows, below `max_kl`",
             true});
  visit("max_kl", o.max_kl, Real{0, true}, Says{"of `num_inducing = \"auto\"`: nats from the exact model", o.num_inducing == 0});
  visit("max_inducing", o.max_inducing, Whole{1, kLargestSize},
        Says{"of `num_inducing = \"auto\"`: the most it takes", o.num_inducing == 0});
  visit("num_features", o.num_features, Size{},
        Says{"M, features of a sample path; with inducing features at least `num_inducing`. `\"auto\"`: as many as make the "
             "paths' spread right"});
  visit("max_variance_error", o.max_variance_error, Real{0, true},
        Says{"of `num_features = \"auto\"`: relative error of the paths' standard deviation", o.num_features == 0});
  visit("max_features", o.max_features, Whole{1, kLargestSize},
        Says{"of `num_features = \"auto\"`: the most it takes", o.num_features == 0});
  visit("features", o.features, Word{},
        Says{"of the prior in a sample path; `\"auto\"` has the least error at equal M, see "
             "[math.md §2](math.md#2-random-features-of-the-prior); inducing features have their own",
             o.num_features == 0});
  visit("eigenfunctions", o.eigenfunctions, Word{},
        Says{"which eigenfunctions, where there are any; `\"gaussian\"` is for the kernel `\"se\"` alone", functions});
  visit("fit", o.fit, Word{},
        Says{"stochastic: hyperparameters from mini-batches, for hundreds of thousands of observations, where a sweep over all "
             "of them for each step would take too long; up to `minibatch` they are the same",
             stochastic});
  visit("minibatch", o.minibatch, Whole{},
        Says{"of `fit = \"stochastic\"`: observations of a mini-batch", stochastic && o.minibatch != ModelOptions{}.minibatch});
  visit("inducing", o.inducing, Word{},
        Says{"how those points are chosen, see [math.md §4](math.md#4-choosing-z)", true, "", "`\"auto\"`: coverage"});
  visit("kdpp_steps", o.kdpp_steps, Whole{0},
        Says{"of `inducing = \"kdpp\"`: exchange steps of its chain, never more than its theory asks for; `salvo status` says "
             "how many that is",
             kdpp && o.kdpp_steps > 0, "", "`0`: what 2·10⁹ operations buy"});
  visit("alpha", o.alpha, NumberOrRule{o.alpha_rule},
        Says{"exploration: scales the spread of the sample paths. `\"auto\"`: 1 while the model is exact, up to `exact_until` or "
             "m observations ([0.3 before 50 to 100](how-it-works.md#few-levels) where all parameters have few levels), then "
             "1.5; 1.5 with inducing features; 1 in a trust region (`turbo`), which looks at neither "
             "`num_starts`, `max_share`, `near_share`, `scout_share` nor `num_candidates`. `\"theory\"`: the growing one of the "
             "paper's Theorem 1"});
  visit("rkhs_norm", o.rkhs_norm, Real{0},
        Says{"of `alpha = \"theory\"`: the objective's norm 𝓑, in units of the signal", false, "", "`0`: estimated"});
  visit("noise_bound", o.noise_bound, Real{0}, Says{"of `alpha = \"theory\"`: R, in units of the noise's standard deviation"});
  visit("max_lengthscale", o.max_lengthscale, Real{0.01, true},
        Says{"longest length-scale, as a share of a parameter's range; times √(d/6) where the parameters take d > 6 coordinates",
             true});
  visit("exact_until", o.exact_until, Whole{0, 10'000},
        Says{"up to so many observations every one of them is an inducing point, whatever `num_inducing` says: the exact GP, "
             "which costs little there",
             o.exact_until > 0});
  visit("refit_growth", o.refit_growth, Real{0},
        Says{"fit the hyperparameters again when the data has grown by this share; inducing points are chosen again at 4%, or "
             "at this share where it is less"});
  visit("num_starts", o.num_starts, Whole{1, kLargestSize}, Says{"local searches per sample path"});
  visit("max_share", o.max_share, Share{true},
        Says{"share of a batch that may go to one basin; the others look for the best elsewhere, see "
             "[how it works](how-it-works.md#maximise-ten-starts); `1`: no limit"});
  visit("near_share", o.near_share, Share{},
        Says{"share of those near the best point that try a point around it instead of their function's top, once the model is "
             "sparse, see [how it works](how-it-works.md#maximise-ten-starts); `0`: none"});
  visit("scout_share", o.scout_share, Share{},
        Says{"of `method = \"auto\"` and `\"thompson\"` with a continuous parameter: share of a batch sent where little was "
             "looked at, see "
             "[how it works](how-it-works.md#maximise-ten-starts); `0`: none"});
  visit(
      "choice_share", o.choice_share, Share{},
      Says{
          "of `method = \"auto\"` where there are categories: share of a batch for other choices than the best point's, those "
          "that "
          "were tried least first; less once each was tried often, see [how it works](how-it-works.md#maximise-ten-starts); `0`: "
          "none"});
  visit("summit_share", o.summit_share, Share{},
        Says{"of `method = \"auto\"`, where values are noisy: share of a batch that goes to the top of the model's mean, see "
             "[how it works](how-it-works.md#maximise-ten-starts); `0`: none"});
  visit("local_share", o.local_share, Share{},
        Says{"of `method = \"auto\"`: the most of a batch that goes to the neighbourhood of the best point, see "
             "[how it works](how-it-works.md#around-the-best-point); how much does is decided by what came of it. `0`: none"});
  visit("num_repeats", o.num_repeats, Whole{0},
        Says{"of `method = \"auto\"`: so many of the best points are evaluated a second time, early on and one of 25 evaluations "
             "at most; where the values differ, one of 50 goes on to be a repeat, up to 100. Only that tells noise from a rough "
             "objective; `0`: none"});
  visit("failures", o.failures, Word{},
        Says{"of `method = \"auto\"` and `\"thompson\"`: whether the search keeps away from where evaluations failed, see "
             "[how it works](how-it-works.md#failures); `\"ignore\"`: as if nothing had been tried there"});
  visit("num_candidates", o.num_candidates, Whole{0, kLargestSize},
        Says{"points that every sample path is first scored on", false, "", "`0`: 500 per dimension"});
  visit("max_grid_gib", o.max_grid_gib, Real{0, true},
        Says{"of `method = \"thompson-grid\"`: GiB that a joint draw may take; a larger grid is refused"});
}

template <OptionsOf<PoolModelOptions> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("kernel", o.kernel, Word{},
        Says{"how alike two candidates are", true,
             "bits: `\"tanimoto\"`, `\"arccosine\"`; numbers: `\"matern52\"`, `\"matern32\"`, `\"matern12\"`, `\"se\"`",
             "the first"});
  visit("num_inducing", o.num_inducing, Size{},
        Says{"m, the observed candidates that summarise the data; up to m observations the model is exact. `\"auto\"`: 2000 for "
             "up to 500,000 candidates, 500 from two million on",
             true});
  visit("inducing", o.inducing, Word{},
        Says{"which: a random subset, those that the others say least about, or half of them the best observed", true});
  visit("num_features", o.num_features, Whole{1, 32768}, Says{"M, random features of a sample", true});
  visit("alpha", o.alpha, Real{0}, Says{"exploration: scales the spread of the samples; 0 takes the best of the mean", true});
  visit("floor", o.floor, NumberOr{"none"},
        Says{"values below it count as it, in standard deviations above the first batch's mean: what is not well above average "
             "need not be told apart, and the best are found sooner. Where fewer than a tenth of the values are above it, `0` "
             "takes its place. `\"none\"`: all count as they are",
             o.floor.has_value()});
  visit(
      "failures", o.failures, Word{},
      Says{"whether the search keeps away from candidates like those that failed, see [how it works](how-it-works.md#failures); "
           "`\"ignore\"`: as if they had not been tried"});
  visit("subset", o.subset, Whole{0},
        Says{"candidates that each sample looks at, drawn anew for each; the paper's way, with 100,000", true, "", "`0`: all"});
  visit("refit_growth", o.refit_growth, Real{0}, Says{"learn the model again when the data has grown by this share"});
}

template <OptionsOf<ObjectiveOptions> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("command", o.command, Text{},
        Says{"run for every trial; the last line it prints is the value. A list is a program and its arguments, a text a line "
             "for `/bin/sh`. `{name}` is replaced by the parameter's value, `{trial}` by the trial's number; `{{` and `}}` stand "
             "for braces. [More](commands-and-workers.md)",
             false, "", "–"});
  visit("builtin", o.builtin, Text{}, Says{"a test problem instead of a command, see below", false, "", "–"});
  visit("lookup", o.lookup, Text{},
        Says{"over a pool: a column it keeps as text, whose numbers are the values; for benchmarks. With several outputs "
             "`\"outputs\"`: the columns of their names",
             false, "", "–"});
  visit("noise_variance", o.noise_variance, NumberOr{"", Real{0}},
        Says{"of the built-in problem's noise", false, "number ≥ 0", "the problem's own"});
  visit("workers", o.workers, Whole{}, Says{"evaluations that run at once"});
  visit("timeout", o.timeout, Duration{}, Says{"of one run of the command", false, "", "`0`: none"});
  visit("retries", o.retries, Whole{0}, Says{"runs after the first, when it failed"});
  visit("machine_failures", o.machine_failures, ExitCodes{},
        Says{"exit codes that speak of the machine and not of the point, 128 + n for signal n: such a run is tried again, and at "
             "last left pending ([more](commands-and-workers.md#failures-by-the-machine)). `[]`: none",
             false, "", "`[75, 129, 130, 137, 143]`"});
  visit("input", o.input, Word{}, Says{"`\"json\"`: the parameters come as one JSON object on standard input"});
  visit("directory", o.directory, Text{},
        Says{"where the command runs; relative to the study file", false, "", "the study file's folder"});
  visit("schedule", o.schedule, Word{},
        Says{"wait for the whole batch before the next is proposed, or refill as results arrive"});
  visit("optimum", o.optimum, NumberOr{""},
        Says{"the best value there is, where it is known: [`salvo bench`](benchmarks.md) measures regret against it. Not with "
             "`builtin`, which knows its own",
             false, "number", "–"});
  visit("truth", o.truth, Text{},
        Says{"a command like `command` that prints the value *without noise*, for `salvo bench`", false, "",
             "–: the command's own value"});
}

template <OptionsOf<Budget> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("batch", o.batch, Whole{},
        Says{"points proposed together; a twentieth of `evaluations` is a good choice where more could not run at once"});
  visit("evaluations", o.evaluations, Whole{}, Says{"trials in all, failed ones included; over every run of the study"});
  visit("initial", o.initial, Whole{0},
        Says{"points of the first design, before the model is used; points told that were evaluated elsewhere count as well",
             false, "", "`0`: one batch"});
  visit("time", o.time, Duration{},
        Says{"how long one `salvo run` may take; evaluations that run then are waited for", false, "", "`0`: any time"});
  visit("target", o.target, NumberOr{""},
        Says{"stop when the recommended value is as good, see [when to stop](commands-and-workers.md#when-to-stop)", false,
             "number", "–"});
  visit("patience", o.patience, Whole{0},
        Says{"stop when so many evaluations have not improved the recommendation credibly, see [when to "
             "stop](commands-and-workers.md#when-to-stop)",
             false, "", "`0`: never"});
  visit("gain", o.gain, Real{0},
        Says{"stop when going on is expected to improve the recommended value by less than this, see [when to "
             "stop](commands-and-workers.md#when-to-stop)",
             false, "", "`0`: never"});
}

// What a study keeps beside its outputs and what it searches.
template <OptionsOf<StudyOptions> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("name", o.name, Text{}, Says{"the study's name"});
  visit("batch", o.batch, Whole{}, Says{"the usual size of an ask"});
  visit("num_initial", o.num_initial, Whole{0}, Says{"points of the initial design; 0: one batch"});
}

template <OptionsOf<SpaceSearch> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("method", o.method, Word{}, Says{"how batches are chosen"});
  visit("initial", o.initial, Word{}, Says{"how the first design is drawn"});
}

template <OptionsOf<PoolSearch> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("method", o.method, Word{}, Says{"how batches are chosen"});
}

}  // namespace salvo
