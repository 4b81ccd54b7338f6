# shellcheck shell=bash
# Shared by ./demo and ./test: packages, builds, quiet steps. Sourced by bash from the repository root.

jobs=$(nproc 2>/dev/null || echo 2)
export CCACHE_BASEDIR=$PWD # build folders side by side share what is compiled alike

die() {
  printf '%s\n' "$@" >&2
  exit 1
}

# quietly LOG LABEL COMMAND…: one line while all is well, the log when it is not.
quietly() {
  local log=$1 label=$2 begin=$SECONDS
  shift 2
  mkdir -p "$(dirname "$log")"
  printf '%s … ' "$label"
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%ss\n' $((SECONDS - begin))
  else
    local status=$?
    printf 'failed\n'
    printf -- '--- the end of %s\n' "$log" >&2
    tail -n 60 "$log" >&2
    die "--- ${label}: failed with status $status; the whole log is in $PWD/$log"
  fi
}

# packages SECTION…: the names in those sections of packages.txt.
packages() {
  local section
  for section in "$@"; do
    awk -v want="[$section]" '/^\[/ { on = ($1 == want) } on && /^[a-z]/ { print $1 }' packages.txt
  done
}

is_debian_12() {
  [ -r /etc/os-release ] && (. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ])
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_packages SECTION…: installs what is missing, or says what is missing and stops.
install_packages() {
  if [ -n "${SALVO_NO_INSTALL:-}" ]; then
    return
  fi
  local missing=() name as_root=()
  for name in $(packages "$@"); do
    is_installed "$name" || missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return
  fi
  if ! is_debian_12; then
    die "Salvo installs its packages by itself on Debian 12 only, and this is another system." \
      "Please install what these Debian packages hold (packages.txt says what each is for):" \
      "  ${missing[*]}" \
      "then run SALVO_NO_INSTALL=1 $0"
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      die "These packages are missing, and installing them needs root or sudo. As root, run:" \
        "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    fi
    sudo -v || die "sudo was refused. As root, run:" \
      "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  quietly out/log/apt-update.log "Reading the package lists" "${as_root[@]}" apt-get update
  quietly out/log/apt-install.log "Installing ${missing[*]}" \
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}"
}

# build FOLDER LABEL [OPTION…] [-- TARGET…]: configures with the options and builds the targets, or everything.
build() {
  local folder=$1 label=$2 options=() targets=()
  shift 2
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || targets=(--target "${@:2}")
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  quietly "out/log/$folder-configure.log" "Configuring $label" cmake -G Ninja -S . -B "$folder" "${options[@]}"
  quietly "out/log/$folder-build.log" "Building $label" cmake --build "$folder" -j "$jobs" "${targets[@]}"
}
