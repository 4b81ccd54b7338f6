#pragma once
#include "arguments.h"

namespace salvo::app {

// `salvo plan STUDY.toml`: what a run of it will cost. Returns the exit code.
int plan_study(const Common& common, const PlanArgs& args);

}  // namespace salvo::app
