# Why each of these: docs/dependencies.md.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(SQLite3 3.37 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(PkgConfig REQUIRED)

# Salvo's own threads call OpenBLAS, each call on one thread. Its sequential build cannot be called from two at once.
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
if("${OPENBLAS_LIBRARY_DIRS}${OPENBLAS_LINK_LIBRARIES}" MATCHES "serial")
  message(WARNING "OpenBLAS is its sequential build (${OPENBLAS_LINK_LIBRARIES}): Salvo will use one thread. "
    "Install libopenblas-pthread-dev, or remove libopenblas-serial-dev, and configure afresh.")
endif()
find_path(OPENBLAS_INCLUDE cblas.h HINTS ${OPENBLAS_INCLUDE_DIRS} ${OPENBLAS_INCLUDEDIR} REQUIRED)
add_library(salvo_openblas INTERFACE)
target_link_libraries(salvo_openblas INTERFACE PkgConfig::OPENBLAS)
target_include_directories(salvo_openblas SYSTEM INTERFACE ${OPENBLAS_INCLUDE})
find_path(DNNL_INCLUDE oneapi/dnnl/dnnl.h REQUIRED)
find_library(DNNL_LIBRARY dnnl REQUIRED)  # linked by its name: it lies where the linker looks
find_path(RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)  # as headers: one library less for those who link libsalvo.a

# SMILES need RDKit; without it everything else works. It has no CMake package in Debian 12.
find_package(ZLIB REQUIRED)
option(SALVO_RDKIT "Read SMILES, when RDKit is there" ON)
if(SALVO_RDKIT)
  find_path(RDKIT_INCLUDE GraphMol/GraphMol.h PATH_SUFFIXES rdkit)
  set(RDKIT_LIBRARIES)
  foreach(name Fingerprints SmilesParse GraphMol DataStructs RDGeneral)
    find_library(RDKIT_${name} RDKit${name})
    list(APPEND RDKIT_LIBRARIES ${RDKIT_${name}})
    mark_as_advanced(RDKIT_${name})
  endforeach()
endif()
if(RDKIT_INCLUDE AND RDKIT_Fingerprints)
  message(STATUS "RDKit: ${RDKIT_INCLUDE}")
else()
  set(RDKIT_LIBRARIES)
  message(STATUS "RDKit: none, so this build cannot read SMILES")
endif()
