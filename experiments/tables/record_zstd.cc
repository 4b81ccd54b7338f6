// Records what 57,600 settings of zstd make of a file: the bytes and the CPU seconds of each, one line a setting in the order of
// the loops below. Not built with Salvo: the table it wrote is kept (zstd.csv.gz), so that a benchmark can be repeated.
//   g++ -O2 -std=c++20 record_zstd.cc -o record_zstd -lzstd
//   tar --sort=name --mtime=2026-01-01 --owner=0 --group=0 -cf sample.tar src/model src/sample docs/math.md
//   for i in 0 … 15: ./record_zstd sample.tar 16 $i > part$i
#include <time.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: record_zstd FILE PARTS PART\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const int parts = std::atoi(argv[2]), part = std::atoi(argv[3]);
  std::vector<char> out(ZSTD_compressBound(text.size()));
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  int row = 0;
  for (const int strategy : {1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const int window : {12, 15, 18, 21})
      for (const int hash : {8, 12, 16, 20})
        for (const int chain : {8, 12, 16, 20})
          for (const int search : {1, 2, 4, 6, 8})
            for (const int match : {3, 4, 5, 6, 7})
              for (const int target : {4, 16, 64, 256}) {
                if (row++ % parts != part) continue;
                ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
                ZSTD_CCtx_setParameter(context, ZSTD_c_strategy, strategy);
                ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window);
                ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, hash);
                ZSTD_CCtx_setParameter(context, ZSTD_c_chainLog, chain);
                ZSTD_CCtx_setParameter(context, ZSTD_c_searchLog, search);
                ZSTD_CCtx_setParameter(context, ZSTD_c_minMatch, match);
                ZSTD_CCtx_setParameter(context, ZSTD_c_targetLength, target);
                std::size_t bytes = 0;
                double seconds = std::numeric_limits<double>::infinity();
                for (int repeat = 0; repeat < 3; ++repeat) {
                  const double begin = cpu_seconds();
                  bytes = ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
                  seconds = std::min(seconds, cpu_seconds() - begin);
                }
                if (ZSTD_isError(bytes)) {
                  std::fprintf(stderr, "row %d: %s\n", row - 1, ZSTD_getErrorName(bytes));
                  return 1;
                }
                std::printf("%d,%zu,%.0f\n", row - 1, bytes, seconds * 1e6);
              }
  ZSTD_freeCCtx(context);
}
