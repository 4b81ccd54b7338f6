#include "study/model_section.h"

#include <algorithm>
#include <array>

namespace salvo {
namespace {

template <class T, std::size_t n>
void choice(Section& section, std::string_view key, const T (&choices)[n], T& out) {
  std::array<std::string_view, n> words;
  for (std::size_t i = 0; i < n; ++i) words[i] = to_string(choices[i]);
  std::string word;
  if (section.word(key, word, words))
    out = choices[static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin())];
}

// True when the key's value is this very word.
bool is_word(Section& section, std::string_view key, std::string_view word) {
  const TomlNode* value = section.anything(key);
  return value && value->kind == TomlNode::Kind::text && value->text == word;
}

// A number, or "auto", or "theory".
void read_alpha(Section& section, ModelOptions& model) {
  const TomlNode* value = section.anything("alpha");
  if (!value) return;
  model.alpha_rule = is_word(section, "alpha", "theory") ? AlphaRule::theory : AlphaRule::constant;
  model.alpha.reset();
  if (value->kind == TomlNode::Kind::real || value->kind == TomlNode::Kind::integer)
    section.real("alpha", model.alpha.emplace(0), 0);
  else if (model.alpha_rule == AlphaRule::constant && !is_word(section, "alpha", "auto"))
    section.wrong("alpha", "expected a finite number ≥ 0, \"auto\" or \"theory\", got " + value->words());
}

}  // namespace

void read_size(Section& section, std::string_view key, int& out) {
  const TomlNode* value = section.anything(key);
  if (is_word(section, key, "auto"))
    out = 0;
  else if (value && value->kind == TomlNode::Kind::text)
    section.wrong(key, "expected a whole number, 1 or more, or \"auto\", got " + value->words());
  else
    section.integer(key, out);
}

void read_model(Section& section, ModelOptions& model) {
  choice(section, "type", kModelTypes, model.type);
  constexpr std::array<std::string_view, 5> kernels{"auto", "se", "matern12", "matern32", "matern52"};
  if (std::string word; section.word("kernel", word, kernels)) model.kernel = kernel_choice(word);
  choice(section, "fit", kFitMethods, model.fit);
  choice(section, "inducing", kInducings, model.inducing);
  choice(section, "features", kFeatureTypes, model.features);
  choice(section, "eigenfunctions", kEigenTypes, model.eigenfunctions);
  section.integer("minibatch", model.minibatch);
  section.integer("kdpp_steps", model.kdpp_steps, 0);
  read_size(section, "num_inducing", model.num_inducing);
  section.real("max_kl", model.max_kl, 0, false);
  section.integer("max_inducing", model.max_inducing);
  read_size(section, "num_features", model.num_features);
  section.real("max_variance_error", model.max_variance_error, 0, false);
  section.integer("max_features", model.max_features);
  read_alpha(section, model);
  section.real("rkhs_norm", model.rkhs_norm, 0);
  section.real("noise_bound", model.noise_bound, 0);
  section.real("max_lengthscale", model.max_lengthscale, FitOptions{}.min_lengthscale, false);
  section.real("refit_growth", model.refit_growth, 0);
  std::int64_t exact_until = model.exact_until;
  section.integer("exact_until", exact_until, 0, 10'000);
  model.exact_until = static_cast<int>(exact_until);
  section.integer("num_starts", model.num_starts);
  section.integer("num_candidates", model.num_candidates, 0);
  section.share("max_share", model.max_share, false);
  section.share("near_share", model.near_share);
  section.share("scout_share", model.scout_share);
  section.real("max_grid_gib", model.max_grid_gib, 0, false);
}

}  // namespace salvo
