#pragma once
#include <string>

namespace salvo::app {

// While it lives, Ctrl-C (SIGTERM, SIGHUP) asks to end, and standard output may be a screen of its own that is drawn over and
// over. However the process ends, short of kill -9, the terminal has its cursor and its old content again.
class Terminal {
 public:
  explicit Terminal(bool draws);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // Standard output is a terminal that can be drawn on.
  [[nodiscard]] static bool is_there();
  struct Size {
    int columns = 80, rows = 24;
  };
  [[nodiscard]] static Size size();

  void draw(const std::string& text);  // in the place of what was there; lines must fit
  void leave();                        // back to what was there before
  void wait(double seconds);           // ends early at a signal: Ctrl-C, another size of the window, back in the foreground
  [[nodiscard]] bool ended() const;

 private:
  bool draws_ = false;
};

}  // namespace salvo::app
