#pragma once
// Everything of Salvo.
#include <salvo/bench.h>
#include <salvo/diagnose.h>
#include <salvo/error.h>
#include <salvo/fourier.h>
#include <salvo/kernel.h>
#include <salvo/matrix.h>
#include <salvo/method.h>
#include <salvo/paths.h>
#include <salvo/plan.h>
#include <salvo/pool.h>
#include <salvo/pool_build.h>
#include <salvo/pool_model.h>
#include <salvo/problems.h>
#include <salvo/random.h>
#include <salvo/records.h>
#include <salvo/run.h>
#include <salvo/run_policy.h>
#include <salvo/space.h>
#include <salvo/sparse_gp.h>
#include <salvo/study.h>
#include <salvo/study_file.h>
#include <salvo/svgp.h>
#include <salvo/threads.h>

#include "text/csv.h"
#include "text/words.h"
