#include "plot/html_report.h"

#include <fmt/core.h>

#include <random>

#include "plot/assets.h"

namespace salvo::app::plot {
namespace {

// Only scripts that carry this word run: text of a study that found a way into the markup would still do nothing.
std::string fresh_word() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// Inside a script's element nothing ends it but its end tag.
std::string in_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string report_html(const Data& data, const Report& report) {
  const std::string word = fresh_word(), title = escape(data.name);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'nonce-{}'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n",
      word, title);
  if (report.run && report.run->running)
    page += fmt::format("<noscript><meta http-equiv=\"refresh\" content=\"{:.0f}\"></noscript>\n", report.run->every);
  page += fmt::format("<style>\n{}</style>\n</head>\n<body>\n<main id=\"page\">\n", kPageStyle);
  if (report.unscripted) {
    page += fmt::format("<noscript>\n<h1>{}</h1>\n", title);
    if (report.run) page += fmt::format("<p>{}</p>\n", escape(report.run->words));
    page += fmt::format("<section class=\"still\">{}</section>\n</noscript>\n", to_svg(*report.unscripted));
  }
  for (const auto& [name, figure] : report.still)
    page += fmt::format("<section class=\"still\"><details{}><summary>{}</summary>{}</details></section>\n",
                        report.parts.size() < 2 ? " open" : "", name, to_svg(figure));
  page += "</main>\n<script type=\"application/json\" id=\"data\">";
  page += in_script(report_json(data, report));
  page += fmt::format("</script>\n<script nonce=\"{}\">{}</script>\n", word, kPageLibrary);
  page += fmt::format("<script nonce=\"{}\">\n{}</script>\n</body>\n</html>\n", word, kPageScript);
  return page;
}

}  // namespace salvo::app::plot
