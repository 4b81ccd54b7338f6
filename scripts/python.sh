# shellcheck shell=bash
# Python environments for ./test, tests/python/run, python/wheel and experiments/peers. Sourced after common.sh.

python=${SALVO_PYTHON_COMMAND:-python3}

# environment FOLDER FILE…: a virtual environment with what these requirement files list, pinned by version and hash where
# there is a file of the same name in locked/ beside one (scripts/lock_python). Does nothing when that is so.
# A subshell: what fails in it ends it alone.
environment() (
  folder=$1 lists=()
  shift
  for file in "$@"; do
    [ ! -e "$(dirname "$file")/locked/$(basename "$file")" ] || file=$(dirname "$file")/locked/$(basename "$file")
    lists+=("$file")
  done
  version=$("$python" -VV 2>&1) || die "$python does not run: $version" "SALVO_PYTHON_COMMAND names another."
  done=$folder/ready-$({ printf '%s\n' "$version" && cat "${lists[@]}"; } | cksum | cut -d' ' -f1)
  if [ -e "$done" ] && "$folder/bin/python" -c ''; then
    exit
  fi
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    die "The Python package needs Python 3.10 or newer, and $python is $version." "SALVO_PYTHON_COMMAND names another."
  if [ "$("$folder/bin/python" -VV 2>&1)" != "$version" ]; then
    "$python" -m venv --clear "$folder" || die "$python -m venv failed: on Debian it needs the package python3-venv."
  fi
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 2 "${lists[@]/#/--requirement=}" || die \
    "pip could not install what these files list: $*" \
    "It comes from PyPI, or from where pip's configuration says. Where there is no network," \
    "SALVO_NO_PYTHON=1 ./test tests everything but the Python package."
  touch "$done"
)

# install_salvo FOLDER: this package into that environment, by pip, in a build folder that is kept.
install_salvo() {
  local options=()
  if command -v ccache >/dev/null; then
    options+=(--config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-build-isolation \
    --no-deps --force-reinstall --config-settings=build-dir="build-pip-{wheel_tag}" "${options[@]}" .
}
