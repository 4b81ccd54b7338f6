#include "support/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace salvo::experiments {
namespace {

template <class T>
CLI::Option* add(CLI::App& app, const std::string& name, T& to, const std::string& help) {
  return app.add_option(name, to, help)->capture_default_str();
}

template <class T>
void add_number(CLI::App& app, const std::string& name, T& to, const std::string& help, Range range) {
  CLI::Option* option = add(app, name, to, help);
  const Range any;
  if (range.least == any.least) return;
  if (range.most == any.most) {
    const auto least = static_cast<T>(range.least);
    option->check(CLI::Range(least, std::numeric_limits<T>::max()).description("FROM " + CLI::detail::to_string(least)));
  } else {
    option->check(CLI::Range(static_cast<T>(range.least), static_cast<T>(range.most)));
  }
}

}  // namespace

struct Arguments::Parser {
  CLI::App app;
};

Arguments::Arguments(const std::string& name, const std::string& about, std::vector<std::string> words)
    : parser_(std::make_unique<Parser>()), words_(std::move(words)), command_("experiments " + name) {
  parser_->app.description(about);
  parser_->app.name(command_);
  for (const std::string& word : words_) command_ += " " + word;
}

Arguments::~Arguments() = default;

void Arguments::flag(const std::string& name, bool& to, const std::string& help) { parser_->app.add_flag(name, to, help); }

void Arguments::option(const std::string& name, int& to, const std::string& help, Range range) {
  add_number(parser_->app, name, to, help, range);
}
void Arguments::option(const std::string& name, std::int64_t& to, const std::string& help, Range range) {
  add_number(parser_->app, name, to, help, range);
}
void Arguments::option(const std::string& name, double& to, const std::string& help, Range range) {
  add_number(parser_->app, name, to, help, range);
}
void Arguments::option(const std::string& name, std::string& to, const std::string& help,
                       const std::vector<std::string>& choices) {
  CLI::Option* option = add(parser_->app, name, to, help);
  if (!choices.empty()) option->check(CLI::IsMember(choices));
}
void Arguments::required(const std::string& name, std::string& to, const std::string& help) {
  parser_->app.add_option(name, to, help)->required();
}
void Arguments::list(const std::string& name, std::vector<std::string>& to, const std::string& help) {
  add(parser_->app, name, to, help)->delimiter(',');
}
void Arguments::repeated(const std::string& name, std::vector<std::string>& to, const std::string& help) {
  parser_->app.add_option(name, to, help);
}

void Arguments::parse() {
  std::vector<std::string> reversed(words_.rbegin(), words_.rend());  // as CLI11 takes them
  try {
    parser_->app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = parser_->app.exit(error, out, err);
    throw Usage{status == 0 ? 0 : 2, status == 0 ? out.str() : err.str()};
  }
}

}  // namespace salvo::experiments
