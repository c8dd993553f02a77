#!/bin/sh
# Makes .venv from a lock file, and installs the system packages that are missing (Debian and Ubuntu only).
#   .ci/setup.sh run    what the program needs
#   .ci/setup.sh dev    and what tests and checks need
# EXTRAS names extras of pyproject.toml to install as well, such as export or export,spectra.
# A stamp in .venv tells make when this has been done.
set -eu
cd "$(dirname "$0")/.."
venv=.venv

say() { printf '%s\n' "set-up: $*" >&2; }
fail() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

case ${1-} in
    run) lock=requirements.lock stamps=$venv/run.stamp ;;
    dev) lock=requirements-dev.lock stamps="$venv/run.stamp $venv/dev.stamp" ;;  # the larger lock holds the smaller
    *) fail "usage: .ci/setup.sh run|dev" ;;
esac

# 1. A Python: $PYTHON, else the system's own, else any that fits.
supported() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' 2>/dev/null; }
python=
for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
    if supported "$candidate"; then python=$candidate; break; fi
done
[ "$python" ] || fail "Python 3.11, 3.12, 3.13 or 3.14 is needed and none was found; PYTHON=/path/to/python names one."

# 2. System packages, asked for in one go so that a person without root types one command.
loads() { "$python" -c "import ctypes; ctypes.CDLL('$1')" 2>/dev/null; }
gl_driver() { find /usr/lib* -name '*_dri.so' -o -name 'libgallium-*.so' -o -name 'libEGL_nvidia.so.*' | grep -q .; }

packages=
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then  # Debian has them in a package of their own
    packages=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
fi
if [ "$(uname)" = Linux ]; then
    if ! loads libEGL.so.1 || ! loads libGL.so.1 || ! gl_driver; then
        packages="$packages libegl1 libgl1 libgl1-mesa-dri"
    fi
    if [ "$1" = dev ]; then  # window tests start a display and press keys on it
        has Xvfb || packages="$packages xvfb"
        has xdotool || packages="$packages xdotool"
        has openbox || packages="$packages openbox"
        has chromium || has google-chrome || packages="$packages chromium"  # tests open the page of a sea in it
        has weston || packages="$packages weston"
        has cc || has gcc || has clang || packages="$packages gcc libc6-dev"  # compiles transforms for the CPU
        has glslangValidator || packages="$packages glslang-tools"  # the reference compiler of shaders
        ls /usr/share/vulkan/icd.d/lvp_icd* >/dev/null 2>&1 || packages="$packages mesa-vulkan-drivers"  # below zink
    fi
fi

packages=${packages# }
if [ "$packages" ] && ! has apt-get; then
    say "this is not Debian or Ubuntu, and something seems to be missing that is called $packages there."
elif [ "$packages" ]; then
    install="apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $packages"
    if [ "$(id -u)" = 0 ]; then
        as_root='sh -c'
    elif has sudo && sudo -n true 2>/dev/null; then
        as_root='sudo -n sh -c'
    else
        as_root='su -c'
        ! has sudo || as_root='sudo sh -c'
        fail "root is needed once. Type this, then the same make again:
    $as_root '$install'"
    fi
    say "installing $packages"
    $as_root "$install" </dev/null >/dev/null || fail "apt-get could not install $packages"
fi

# 3. The virtual environment: kept where it works, rebuilt where it does not.
if ! supported $venv/bin/python || ! $venv/bin/python -m pip --version >/dev/null 2>&1; then
    say "making $venv with $("$python" --version)"
    "$python" -m venv --clear $venv
fi
say "installing the Python packages of $lock"
$venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r $lock
if [ "${EXTRAS-}" ]; then
    say "installing the extras $EXTRAS"
    wanted=$($venv/bin/python -c '
import sys, tomllib
extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]
for name in sys.argv[1].split(","):
    if name not in extras:
        sys.exit(f"there is no extra {name!r}; there are {chr(44).join(extras)}")
    print(*extras[name], sep="\n")' "$EXTRAS") || fail "EXTRAS=$EXTRAS can't be installed"
    pins=$(mktemp)
    sed -n 's/^\([a-z0-9][^ ;]*==[^ ;]*\).*/\1/p' requirements-dev.lock >"$pins"  # versions that the tests use, where known
    printf '%s\n' "$wanted" | $venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint "$pins" --requirement /dev/stdin
    rm -f "$pins"
fi
if [ "$1" = dev ] && [ -e .git ] && has git; then  # check messages of commits
    git config core.hooksPath .githooks || true
fi
# shellcheck disable=SC2086
touch $stamps
