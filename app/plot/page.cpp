#include "plot/page.h"

#include <fmt/core.h>
#include <salvo/error.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "nearest.h"
#include "output.h"
#include "plot/png.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

namespace fs = std::filesystem;

constexpr double kPageHeading = 46;
constexpr std::string_view kFonts = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";

std::string svg_tag(double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} {1:.0f}\" "
      "font-family=\"{2}\">\n<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
      kPageWidth, height, kFonts);
}

std::string to_svg(const Picture& picture) {
  Svg page;
  page.text({20, 32}, shorten(picture.title, 80), {.size = 20, .colour = kInk, .bold = true});
  double y = kPageHeading;
  for (const Figure& figure : picture.figures) {
    page.open_shift(0, y);
    page.append(figure.svg);
    page.close_shift();
    y += figure.height;
  }
  return svg_tag(y + 16) + page.body() + "</svg>\n";
}

std::string to_html(const Picture& picture) {
  const std::string title = escape(picture.title);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n"
      "body {{ margin: 2rem auto; max-width: {}px; padding: 0 1rem; font-family: {}; color: {}; background: #fff; }}\n"
      "svg {{ display: block; max-width: 100%; height: auto; margin-bottom: 1.5rem; }}\n</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      title, kPageWidth, kFonts, kInk, title);
  for (const Figure& figure : picture.figures) text += to_svg(figure);
  return text + "</body>\n</html>\n";
}

}  // namespace

void draw_heading(Svg& svg, std::string_view title, std::string_view remark) {
  svg.text({20, 22}, title, {.size = 15, .colour = kInk, .bold = true});
  svg.text({20, 40}, shorten(remark, static_cast<int>((kPageWidth - 40) / (0.56 * 11))), {.size = 11, .colour = kSoftInk});
}

Figure empty_figure(std::string_view title) {
  Figure figure{.height = 120, .svg = {}};
  draw_heading(figure.svg, title, "");
  figure.svg.text({kPageWidth / 2, 76}, "no values yet", {.size = 14, .anchor = Anchor::middle, .colour = kSoftInk});
  return figure;
}

bool is_html(const std::string& path) { return fs::path(path).extension() == ".html"; }

std::string to_svg(const Figure& figure) { return svg_tag(figure.height) + figure.svg.body() + "</svg>\n"; }

void check_target(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".html") {
    throw InputError(fmt::format("{}: expected a name that ends in .svg, .png or .html, got \"{}\"{}", path, ending,
                                 suggestion(ending, {".svg", ".png", ".html"})));
  }
  const fs::path folder = fs::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  if (failed) throw Error(fmt::format("cannot make the folder {}: {}", folder.string(), failed.message()));
  const std::string target = fs::exists(path, failed) ? path : folder.empty() ? "." : folder.string();
  if (::access(target.c_str(), W_OK) != 0) throw Error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  if (ending == ".png") find_converter();
}

void write(const Picture& picture, const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  const std::string content = ending == ".html" ? to_html(picture) : ending == ".png" ? to_png(to_svg(picture)) : to_svg(picture);
  Output out(path);
  out.write(content);
  out.finish();
}

}  // namespace salvo::app::plot
