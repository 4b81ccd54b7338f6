#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "problems/real.h"

// Two hands push two objects towards two goals; the value is how far from their goals the objects end, together.
//
// Simplification: the published problem runs a physics engine (masses, friction, torques). Here hands follow their
// orders exactly, at constant velocity and rate of turn, and objects are discs that slide without inertia: a disc that
// a hand or the other disc overlaps is moved out along the shortest way, and rests where it is left. What makes the
// problem hard stays: a hand that misses its object moves nothing, a glancing push turns it aside, and the two pairs
// can get in each other's way.
namespace salvo {
namespace {

struct Vec {
  double x = 0, y = 0;
  Vec operator+(Vec o) const { return {x + o.x, y + o.y}; }
  Vec operator-(Vec o) const { return {x - o.x, y - o.y}; }
  Vec operator*(double s) const { return {s * x, s * y}; }
  [[nodiscard]] double dot(Vec o) const { return x * o.x + y * o.y; }
  [[nodiscard]] double norm() const { return std::hypot(x, y); }
};

constexpr double kDiscRadius = 1.0, kHandHalf = 0.5, kHandRadius = 0.15;  // a hand: a segment with round ends
constexpr double kSecondsPerStep = 0.1, kMaxMove = 0.05;                  // far less than a disc's radius
constexpr std::array<Vec, 2> kStarts = {{{0, 2}, {0, -2}}}, kGoals = {{{4, 3.5}, {-4, 3.5}}};

struct Hand {
  Vec at, velocity;
  double angle, turn, seconds;
};

Hand hand_of(std::span<const double> p) { return {{p[0], p[1]}, {p[2], p[3]}, p[4], p[5], kSecondsPerStep * p[6]}; }

// Moves `disc` so that it is at least `reach` away from `from`.
void push_out(Vec& disc, Vec from, double reach, Vec otherwise) {
  const Vec apart = disc - from;
  const double distance = apart.norm();
  if (distance >= reach) return;
  const Vec way = distance > 1e-12 ? apart * (1 / distance) : otherwise;
  disc = from + way * reach;
}

void push_by_hand(Vec& disc, const Hand& hand) {
  const Vec along{std::cos(hand.angle), std::sin(hand.angle)};
  const double t = std::clamp((disc - hand.at).dot(along), -kHandHalf, kHandHalf);
  push_out(disc, hand.at + along * t, kDiscRadius + kHandRadius, {-along.y, along.x});
}

void settle(std::array<Vec, 2>& discs, const std::array<Hand, 2>& hands) {
  for (int round = 0; round < 2; ++round) {
    for (Vec& disc : discs)
      for (const Hand& hand : hands) push_by_hand(disc, hand);
    const Vec apart = discs[1] - discs[0];
    const double distance = apart.norm(), overlap = 2 * kDiscRadius - distance;
    if (overlap <= 0) return;
    const Vec half = (distance > 1e-12 ? apart * (1 / distance) : Vec{1, 0}) * (overlap / 2);
    discs[0] = discs[0] - half;
    discs[1] = discs[1] + half;
  }
}

double push(std::span<const double> x) {
  std::array<Hand, 2> hands = {hand_of(x.subspan(0, 7)), hand_of(x.subspan(7, 7))};
  std::array<Vec, 2> discs = kStarts;
  const double end = std::max(hands[0].seconds, hands[1].seconds);
  double fastest = 1e-9;
  for (const Hand& hand : hands) fastest = std::max(fastest, hand.velocity.norm() + kHandHalf * std::abs(hand.turn));
  const int steps = std::max(1, static_cast<int>(std::ceil(end * fastest / kMaxMove)));
  settle(discs, hands);
  double now = 0;
  for (int i = 1; i <= steps; ++i) {
    const double next = end * i / steps;
    for (Hand& hand : hands) {
      const double dt = std::max(0.0, std::min(next, hand.seconds) - now);  // a hand stops when its time is over
      hand.at = hand.at + hand.velocity * dt;
      hand.angle += hand.turn * dt;
    }
    now = next;
    settle(discs, hands);
  }
  return (discs[0] - kGoals[0]).norm() + (discs[1] - kGoals[1]).norm();
}

// A straight push from behind: broadside on, along the line from object to goal, as far as the goal.
void straight_push(int object, std::vector<double>& x) {
  const Vec way = kGoals[static_cast<std::size_t>(object)] - kStarts[static_cast<std::size_t>(object)];
  const double distance = way.norm(), reach = kDiscRadius + kHandRadius;
  const Vec ahead = way * (1 / distance);
  const Vec from = kStarts[static_cast<std::size_t>(object)] - ahead * reach;  // it just touches
  const double seconds = 2;
  const Vec velocity = way * (1 / seconds);
  const double broadside = std::atan2(ahead.y, ahead.x) + std::numbers::pi / 2;
  for (const double value : {from.x, from.y, velocity.x, velocity.y, broadside, 0.0, seconds / kSecondsPerStep})
    x.push_back(value);
}

}  // namespace

Problem push_problem() {
  std::vector<Parameter> parameters;
  for (const int hand : {1, 2}) {
    const auto add = [&](const char* name, double low, double high) {
      parameters.push_back({fmt::format("{}{}", name, hand), Float{low, high}});
    };
    add("x", -5, 5);
    add("y", -5, 5);
    add("vx", -10, 10);
    add("vy", -10, 10);
    add("angle", 0, 2 * std::numbers::pi);
    add("turn", -5, 5);
    add("steps", 2, 30);
  }
  std::vector<double> at;
  straight_push(0, at);
  straight_push(1, at);
  return {.name = "push14",
          .space = Space(std::move(parameters)),
          .noise_variance = 0.01,
          .optimum = 0,  // no distance is less, and two straight pushes reach it
          .optimum_at = at,
          .f = push};
}

}  // namespace salvo
