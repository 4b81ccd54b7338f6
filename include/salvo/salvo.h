#pragma once
// Everything of Salvo.
#include <salvo/csv.h>
#include <salvo/error.h>
#include <salvo/kernel.h>
#include <salvo/matrix.h>
#include <salvo/method.h>
#include <salvo/paths.h>
#include <salvo/pool.h>
#include <salvo/problems.h>
#include <salvo/random.h>
#include <salvo/records.h>
#include <salvo/run.h>
#include <salvo/space.h>
#include <salvo/sparse_gp.h>
#include <salvo/study.h>
#include <salvo/study_file.h>
#include <salvo/threads.h>
