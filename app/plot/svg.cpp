#include "plot/svg.h"

#include <fmt/core.h>

#include <cmath>
#include <iterator>

#include "text.h"

namespace salvo::app::plot {
namespace {

// One decimal is a tenth of a pixel; coordinates far outside are cut, as renderers overflow on them.
std::string px(double v) {
  if (std::isnan(v)) v = 0;
  std::string text = fmt::format("{:.1f}", std::fmin(std::fmax(v, -1e5), 1e5));
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string path_of(const std::vector<Point>& points) {
  std::string d;
  for (const Point& p : points) d += fmt::format("{}{} {}", d.empty() ? "" : " ", px(p.x), px(p.y));
  return d;
}

std::string title_of(std::string_view title) { return title.empty() ? "" : fmt::format("<title>{}</title>", escape(title)); }

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double text_width(std::string_view text, double size) { return 0.62 * size * width(text); }

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  const char* anchor = style.anchor == Anchor::start    ? ""
                       : style.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                        : " text-anchor=\"end\"";
  const std::string turn =
      style.rotate == 0 ? "" : fmt::format(" transform=\"rotate({} {} {})\"", px(style.rotate), px(at.x), px(at.y));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}{}{}>{}</text>\n", px(at.x), px(at.y),
                       px(style.size), style.colour, anchor, style.bold ? " font-weight=\"bold\"" : "", turn, escape(text));
}

void Svg::line(Point a, Point b, std::string_view colour, double width, std::string_view dash) {
  body_ += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", px(a.x), px(a.y), px(b.x), px(b.y),
                       colour, px(width), dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void Svg::polyline(const std::vector<Point>& points, std::string_view colour, double width, double opacity) {
  if (points.empty()) return;
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n",
                       path_of(points), colour, px(width), opacity < 1 ? fmt::format(" stroke-opacity=\"{:.2f}\"", opacity) : "");
}

void Svg::polygon(const std::vector<Point>& points, std::string_view colour, double opacity) {
  if (points.empty()) return;
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n", path_of(points), colour, opacity);
}

void Svg::rect(const Box& box, std::string_view colour, double opacity, std::string_view title) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}>{}</rect>\n", px(box.x), px(box.y),
                       px(std::fmax(0, box.w)), px(std::fmax(0, box.h)), colour,
                       opacity < 1 ? fmt::format(" fill-opacity=\"{:.2f}\"", opacity) : "", title_of(title));
}

void Svg::circle(Point at, double radius, std::string_view colour, double opacity, std::string_view title) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}>{}</circle>\n", px(at.x), px(at.y), px(radius), colour,
                       opacity < 1 ? fmt::format(" fill-opacity=\"{:.2f}\"", opacity) : "", title_of(title));
}

void Svg::dots(const std::vector<Point>& points, double radius, std::string_view colour, double opacity) {
  if (points.empty()) return;
  body_ += "<path d=\"";
  for (const Point& p : points) fmt::format_to(std::back_inserter(body_), "M{} {}h0", px(p.x), px(p.y));
  body_ +=
      fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-opacity=\"{:.2f}\"/>\n",
                  colour, px(2 * radius), opacity);
}

void Svg::squares(const std::vector<Point>& corners, double size, std::string_view colour, double opacity) {
  if (corners.empty()) return;
  const std::string side = px(size);
  body_ += "<path d=\"";
  for (const Point& p : corners)
    fmt::format_to(std::back_inserter(body_), "M{} {}h{}v{}h-{}z", px(p.x), px(p.y), side, side, side);
  body_ += fmt::format("\" fill=\"{}\" fill-opacity=\"{:.2f}\" shape-rendering=\"crispEdges\"/>\n", colour, opacity);
}

void Svg::open_clip(const Box& b) {
  const std::string x = px(b.x), y = px(b.y), w = px(b.w), h = px(b.h);
  body_ += fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n", x, y, w, h);
}
void Svg::close_clip() { body_ += "</svg>\n"; }

void Svg::open_shift(double dx, double dy) { body_ += fmt::format("<g transform=\"translate({} {})\">\n", px(dx), px(dy)); }
void Svg::close_shift() { body_ += "</g>\n"; }

}  // namespace salvo::app::plot
