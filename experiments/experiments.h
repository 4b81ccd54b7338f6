#pragma once
#include "support/arguments.h"

namespace salvo::experiments {

// Each reads its own arguments, prints what it measures as it goes, and gives the status of the program: 0, or 1 when a goal
// was missed. What cannot be done is thrown.
int run_assumptions(Arguments& arguments);
int run_calibration(Arguments& arguments);
int run_choices(Arguments& arguments);
int run_classifiers(Arguments& arguments);
int run_costs(Arguments& arguments);
int run_drive(Arguments& arguments);
int run_exactness(Arguments& arguments);
int run_failures(Arguments& arguments);
int run_features(Arguments& arguments);
int run_fingerprints(Arguments& arguments);
int run_molecules(Arguments& arguments);
int run_pool(Arguments& arguments);
int run_prior(Arguments& arguments);
int run_quality(Arguments& arguments);
int run_recommendation(Arguments& arguments);
int run_speed(Arguments& arguments);
int run_starvation(Arguments& arguments);
int run_stochastic(Arguments& arguments);
int run_where(Arguments& arguments);

}  // namespace salvo::experiments
