#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace salvo::app::plot {

struct Point {
  double x = 0, y = 0;
};
struct Box {
  double x = 0, y = 0, w = 0, h = 0;
  [[nodiscard]] double right() const { return x + w; }
  [[nodiscard]] double bottom() const { return y + h; }
};

enum class Anchor { start, middle, end };
struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string_view colour = "#333333";
  bool bold = false;
  double rotate = 0;  // degrees, about the given point
};

// Builds the body of an SVG picture. Coordinates are pixels, y downwards.
class Svg {
 public:
  void text(Point at, std::string_view text, const TextStyle& style = {});
  void line(Point a, Point b, std::string_view colour, double width = 1, std::string_view dash = "");
  void polyline(const std::vector<Point>& points, std::string_view colour, double width, double opacity = 1);
  void polygon(const std::vector<Point>& points, std::string_view colour, double opacity);
  void rect(const Box& box, std::string_view colour, double opacity = 1, std::string_view title = "");
  void circle(Point at, double radius, std::string_view colour, double opacity = 1, std::string_view title = "");
  // Many equal dots as one path, which takes a sixth of the bytes.
  void dots(const std::vector<Point>& points, double radius, std::string_view colour, double opacity);
  void squares(const std::vector<Point>& corners, double size, std::string_view colour, double opacity);
  void open_clip(const Box& box);  // until close_clip(), nothing is drawn outside the box
  void close_clip();
  void open_shift(double dx, double dy);
  void close_shift();
  void append(const Svg& other) { body_ += other.body_; }
  [[nodiscard]] const std::string& body() const { return body_; }

 private:
  std::string body_;
};

[[nodiscard]] std::string escape(std::string_view text);              // for XML and HTML
[[nodiscard]] double text_width(std::string_view text, double size);  // a generous estimate, in pixels

}  // namespace salvo::app::plot
