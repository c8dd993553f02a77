#!/usr/bin/env bash
# Build Mesa's no-op devices for Intel and AMD, with which python -m tools.registers compiles:
#
#     tools/build_shims.sh FOLDER
#
# The drivers are those of the system (Debian: libgl1-mesa-dri). A shim takes the place of the kernel's driver and knows
# nothing of Mesa's version. AMD's came with Mesa 24.0. Needs a C++ compiler, ninja, bison, flex, pkg-config, and libdrm's
# headers (Debian: g++ ninja-build bison flex pkg-config libdrm-dev zlib1g-dev libexpat1-dev). A source that lies in
# FOLDER already, as from `apt-get source mesa`, is not fetched.
set -euo pipefail
VERSION=25.0.7
mkdir -p "$1" && cd "$1"
[ -d venv ] || { python3 -m venv venv && venv/bin/pip --quiet install "meson>=1.4" mako packaging pyyaml setuptools; }
export PATH="$PWD/venv/bin:$PATH"
[ -d "mesa-$VERSION" ] || curl --fail --location --silent "https://archive.mesa3d.org/mesa-$VERSION.tar.xz" | tar xJ

# A driver for AMD must be among those to build, though none is built: r300 needs the fewest libraries.
[ -f shims/build.ninja ] || meson setup shims "mesa-$VERSION" -Dtools=drm-shim,intel -Dgallium-drivers=r300 -Dvulkan-drivers= \
  -Dbuildtype=plain -Doptimization=1 -Dllvm=disabled -Ddraw-use-llvm=false -Dplatforms= -Dglx=disabled -Degl=disabled \
  -Dgbm=disabled -Dopengl=false -Dgles1=disabled -Dgles2=disabled -Dvalgrind=disabled -Dlibunwind=disabled \
  -Dlmsensors=disabled -Dzstd=disabled -Dshader-cache=disabled -Dxmlconfig=disabled
ninja -C shims src/intel/tools/libintel_noop_drm_shim.so src/amd/drm-shim/libamdgpu_noop_drm_shim.so
