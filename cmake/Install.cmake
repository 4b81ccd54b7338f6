# cmake --install: the command, the library with its headers, and what others need to find and use it.
include(CMakePackageConfigHelpers)
set(salvo_cmakedir ${CMAKE_INSTALL_LIBDIR}/cmake/salvo)

if(TARGET salvo_app)
  install(TARGETS salvo_app RUNTIME COMPONENT app)
  set_target_properties(salvo_app PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS salvo EXPORT salvoTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/salvo TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(EXPORT salvoTargets NAMESPACE salvo:: DESTINATION ${salvo_cmakedir})

# find_package(salvo)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/salvoConfig.cmake.in ${PROJECT_BINARY_DIR}/salvoConfig.cmake
  INSTALL_DESTINATION ${salvo_cmakedir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/salvoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/salvoConfig.cmake ${PROJECT_BINARY_DIR}/salvoConfigVersion.cmake
  DESTINATION ${salvo_cmakedir})

# pkg-config salvo: paths from where the file lies, so that the installed tree may be moved; whoever links the
# static library links what it uses as well.
file(RELATIVE_PATH salvo_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(NOT BUILD_SHARED_LIBS)
  set(salvo_pc_requires ", openblas, sqlite3, zlib, fmt")
  string(REPLACE ";" " " salvo_pc_libs " -ldnnl -ldl -pthread ${RDKIT_LIBRARIES}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/salvo.pc.in ${PROJECT_BINARY_DIR}/salvo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/salvo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN "*.db*" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/docs/salvo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Completions come from the built command itself, so they know every option it has.
if(TARGET salvo_app AND NOT CMAKE_CROSSCOMPILING)
  set(dir ${PROJECT_BINARY_DIR}/completions)
  file(MAKE_DIRECTORY ${dir})
  add_custom_command(OUTPUT ${dir}/salvo ${dir}/_salvo ${dir}/salvo.fish
    COMMAND salvo_app completion bash > ${dir}/salvo
    COMMAND salvo_app completion zsh > ${dir}/_salvo
    COMMAND salvo_app completion fish > ${dir}/salvo.fish
    DEPENDS salvo_app VERBATIM)
  add_custom_target(salvo_completions ALL DEPENDS ${dir}/salvo ${dir}/_salvo ${dir}/salvo.fish)
  install(FILES ${dir}/salvo DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${dir}/_salvo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${dir}/salvo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
