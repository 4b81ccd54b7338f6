add_library(salvo_flags INTERFACE)
target_compile_options(salvo_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${SALVO_WERROR}>:-Werror>)
if(SALVO_SANITIZE)
  target_compile_options(salvo_flags INTERFACE -fsanitize=${SALVO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(salvo_flags INTERFACE -fsanitize=${SALVO_SANITIZE})
else()
  # Study files, sheets, pools and databases come from others: a mistake of ours in reading them ends the program at once.
  target_compile_options(salvo_flags INTERFACE -fstack-protector-strong
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  target_link_options(salvo_flags INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()

set(salvo_folders "" CACHE INTERNAL "")

# salvo_folder(NAME USES…): the static library of src/NAME.
function(salvo_folder name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(salvo_${name} STATIC ${sources})
  target_include_directories(salvo_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(salvo_${name} PUBLIC ${ARGN} PRIVATE salvo_flags fmt::fmt nlohmann_json::nlohmann_json)
  target_include_directories(salvo_${name} SYSTEM PRIVATE ${RANDOM123_INCLUDE} ${TOMLPLUSPLUS_INCLUDE} ${Boost_INCLUDE_DIRS})
  set(salvo_folders ${salvo_folders} ${name} CACHE INTERNAL "")
endfunction()

# libsalvo: all folders in one library, for those who embed it.
function(salvo_library)
  set(objects)
  foreach(name ${salvo_folders})
    list(APPEND objects $<TARGET_OBJECTS:salvo_${name}>)
  endforeach()
  add_library(salvo ${objects})
  add_library(salvo::salvo ALIAS salvo)
  set_target_properties(salvo PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(salvo PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(salvo PUBLIC Eigen3::Eigen PRIVATE $<BUILD_INTERFACE:salvo_flags> $<BUILD_INTERFACE:salvo_openblas>
    $<INSTALL_INTERFACE:PkgConfig::OPENBLAS> SQLite::SQLite3 ZLIB::ZLIB ${RDKIT_LIBRARIES} dnnl ${CMAKE_DL_LIBS} fmt::fmt Threads::Threads)
endfunction()
