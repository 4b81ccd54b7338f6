#include <fmt/format.h>
#include <salvo/study_file.h>

namespace salvo {
namespace {

constexpr std::string_view kText = R"(# A study for `salvo run`. Every key is explained in docs/study-file.md.
name = "{}"
direction = "maximize"             # or "minimize"
seed = 0                           # another seed gives another run; the same one gives the same points

# More than one result, or limits to keep to? Then this table instead of the direction, with the names that your program prints.
# [outputs]
# yield   = "maximize"
# cost    = "minimize"             # a second objective: salvo best shows the front
# purity  = {{ min = 0.95 }}         # a constraint; probability = 0.95 is how sure a recommendation has to be
# sound   = "passed"               # told as passed or failed

# What may vary. Change these to your own.
[parameters]
temperature = {{ low = 300, high = 900 }}
rate        = {{ low = 1e-4, high = 1.0, scale = "log" }}
stages      = {{ low = 1, high = 8, type = "int" }}
catalyst    = {{ choices = ["Pd", "Pt", "Ni"] }}
# dose      = {{ low = 0.5, high = 20, step = 0.5 }}                   # what can be weighed or set; or digits = 2
# quality   = {{ choices = ["low", "medium", "high"], ordered = true }}
# pressure  = {{ value = 2.5 }}      # fixed: handed to the command, never varied
# Any of them may have label = "Feed rate [1/s]": what tables and pictures show instead of the name.

# Conditions among parameters, if there are any: points are tried where all hold. (After [parameters], each with its own brackets.)
# [[where]]
# expression = "stages <= 4 or temperature >= 400"       # also "a + b + c == 1": then c follows from a and b

# How a point is evaluated: any program that prints its result as the last line (a number, or JSON with "value").
# A list of words is started as it is; a text, "python3 simulate.py {{rate}} | tail -n 1", is run by /bin/sh.
# Parameters come in by {{name}}, as environment variables SALVO_PARAM_NAME, or as JSON on standard input.
[objective]
command = ["python3", "simulate.py", "--t", "{{temperature}}", "--r", "{{rate}}", "--n", "{{stages}}", "--c", "{{catalyst}}"]
workers = 8                        # evaluations that run at once
timeout = "10m"                    # of one evaluation: "90s", "10m", "1h30m"
# retries = 1                      # runs after the first, when it failed
# machine_failures = [75, 137]     # exit codes that are not the point's fault: such a trial is tried again and teaches nothing
# input = "json"                   # the parameters as one JSON object on standard input
# schedule = "async"               # refill as results arrive, instead of waiting for the whole batch

[budget]
batch = 100                        # points proposed together
evaluations = 5000                 # in all, but
patience = 1000                    # no more when so many have not improved the recommendation; 0: never
# initial = 100                    # points of the first design; one batch when not given
# More of when to stop; salvo run has the same as --time, --target, --patience and --gain:
# time = "2h"                      # of one salvo run: nothing new begins after it
# target = 0.95                    # the recommended value is as good as this
# gain = 0.01                      # going on is expected to improve the recommended value by less than this

# The defaults are good; these are the ones people change.
# [model]
# kernel = "auto"                  # or "se", "matern12", "matern32", "matern52"
# num_inducing = 500               # more: closer to the exact model, slower; or "auto"
# num_features = 1000              # or "auto"
# inducing = "auto"                # or "coverage", "kmeans", "greedy", "kdpp", "uniform", "sobol", "gradient", "quality"

# [storage]
# path = "{}.db"                   # beside this file
)";

std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? out += '_' : out += c;
  }
  return out;
}

}  // namespace

std::string study_file_template(std::string_view name) { return fmt::format(kText, escaped(name), escaped(name)); }

}  // namespace salvo
