#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/pool.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "arguments.h"
#include "output.h"
#include "pool_build.h"
#include "text.h"
#include "text/store_file.h"
#include "text/toml.h"

namespace salvo::app {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kFirstLine = "# Written by salvo screen.\n";

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

// ["./dock", "{smiles}"], as a study file would have it; any other text is a line for the shell.
bool is_list(const std::string& command) {
  if (!command.starts_with('[') || command.find('\n') != std::string::npos) return false;
  try {
    return parse_toml("x = " + command, "--command").at("x").kind == Tree::Kind::array;
  } catch (const InputError&) {
    return false;
  }
}

// The words in braces, without {trial}; {{ and }} are braces of the shell's.
std::vector<std::string> placeholders(std::string_view command) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] != '{') continue;
    if (i + 1 < command.size() && command[i + 1] == '{') {
      ++i;
      continue;
    }
    const std::size_t close = command.find('}', i);
    if (close == std::string_view::npos) break;  // the study file's reader says so
    names.emplace_back(command.substr(i + 1, close - i - 1));
    i = close;
  }
  return names;
}

// Columns that the campaign needs beside the features.
std::vector<std::string> needed_columns(const ScreenArgs& args) {
  std::vector<std::string> needed = args.build.keep;
  for (const std::string& name : placeholders(args.command))
    if (name != "trial" && name != "id" && name != "candidate") needed.push_back(name);
  if (!args.lookup.empty()) needed.push_back(args.lookup);
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  return needed;
}

void check(const ScreenArgs& args) {
  if (args.command.empty() == args.lookup.empty())
    throw InputError("screen: expected --command \"…\" that evaluates a candidate, or --lookup COLUMN that holds the values");
  if (!args.direction) throw InputError("screen: expected --minimize or --maximize");
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string make_pool(const ScreenArgs& args, const std::string& name, const std::string& store, const Common& common) {
  if (args.library.ends_with(".pool")) return args.library;
  std::string path = name + ".pool";
  if (fs::exists(store) && fs::exists(path)) return path;  // the study has begun with it
  PoolBuildOptions build = args.build;
  build.library = args.library;
  build.keep = needed_columns(args);
  std::string keep = args.command.empty() ? "--lookup" : "--command";
  if (!args.build.keep.empty()) keep += " or --keep";
  build.spelling = [keep](std::string_view option, std::string_view value) {
    return option == "keep" ? keep : library_flag(option, value);
  };
  const PoolBuildSummary built = build_pool_showing(build, path, common);
  if (!common.json && !common.quiet) print_error(fmt::format("Wrote {}: {}.\n", path, build_text(built)));
  return path;
}

// As the study file sees it, so that the folder can be moved; absolute where there is no way from one to the other.
std::string seen_from(const std::string& file, const fs::path& path) {
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  const fs::path way = fs::absolute(path).lexically_normal().lexically_relative(folder);
  return way.empty() ? fs::absolute(path).lexically_normal().string() : way.string();
}

std::string study_text(const ScreenArgs& args, const std::string& name, const std::string& pool) {
  std::string text(kFirstLine);
  text +=
      fmt::format("name = {}\ndirection = \"{}\"\n", toml_text(fs::path(name).filename().string()), to_string(*args.direction));
  text += fmt::format("\n[pool]\npath = {}\n", toml_text(seen_from(name, pool)));
  text += "\n[objective]\n";
  if (args.command.empty()) {
    text += fmt::format("lookup = {}\n", toml_text(args.lookup));
  } else {
    text += fmt::format("command = {}\ndirectory = {}\n", is_list(args.command) ? args.command : toml_text(args.command),
                        toml_text(seen_from(name, fs::current_path())));
  }
  if (args.workers) text += fmt::format("workers = {}\n", *args.workers);
  if (args.timeout) text += fmt::format("timeout = {}\n", toml_text(*args.timeout));
  text += "\n[budget]\n";
  text += fmt::format("batch = {}\n", args.batch.value_or(Budget().batch));
  text += fmt::format("evaluations = {}\n", args.evaluations.value_or(Budget().evaluations));
  return text;
}

void write_study(const std::string& path, const std::string& text) {
  if (fs::exists(path)) {
    const std::string old = read_whole(path);
    if (old == text) return;
    if (!old.starts_with(kFirstLine))
      throw InputError(
          fmt::format("{} is there already and was not written by salvo screen; name another study with -o NAME", path));
  }
  Output out(path);
  out.write(text);
  out.finish();
}

}  // namespace

int execute(const Common& common, const ScreenArgs& args) {
  check(args);
  std::string name = args.output;
  if (name.empty()) name = fs::path(pool_path_for(args.library)).stem().string();
  if (fs::path(name).extension() == ".toml" || fs::path(name).extension() == ".db")
    name = fs::path(name).replace_extension().string();
  const std::string store = common.storage.empty() ? name + ".db" : common.storage;
  for (const char* ending : {".pool", ".toml"}) check_not_in_store(name + ending, std::span(&store, 1));
  const std::string pool = make_pool(args, name, store, common);
  write_study(name + ".toml", study_text(args, name, pool));
  Common study = common;
  study.study = name + ".toml";
  return execute(study, args.run);
}

}  // namespace salvo::app
