# What an installed Headlight consists of, and the .deb that is made of it ('./package' does both).
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR})

install(TARGETS headlight RUNTIME)
set(own_libraries "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/headlight")
set_target_properties(headlight PROPERTIES BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$<$<BOOL:${HEADLIGHT_LEVELS}>:${own_libraries}>")
install(DIRECTORY sample_models/ DESTINATION ${share}/headlight/models PATTERN "*.sh" EXCLUDE PATTERN "*.py" EXCLUDE
  PATTERN .gitignore EXCLUDE)
foreach(kind lessons recordings texts)
  install(DIRECTORY resources/${kind}/ DESTINATION ${share}/headlight/${kind})
endforeach()
install(FILES resources/icons/headlight.svg DESTINATION ${share}/icons/hicolor/scalable/apps)
install(FILES resources/package/headlight.desktop DESTINATION ${share}/applications)
install(FILES resources/package/headlight.xml DESTINATION ${share}/mime/packages)
install(FILES resources/package/headlight.metainfo.xml DESTINATION ${share}/metainfo)
execute_process(COMMAND gzip -9n INPUT_FILE ${PROJECT_SOURCE_DIR}/resources/package/changelog
  OUTPUT_FILE ${CMAKE_BINARY_DIR}/changelog.gz)
install(FILES README.md resources/package/copyright ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs PATTERN "*.md" PATTERN "*.json")

# The manual page and what shells complete: the program says both itself.
set(pages ${CMAKE_BINARY_DIR}/pages)
set(page_commands COMMAND ${CMAKE_COMMAND} -E make_directory ${pages})
foreach(page man bash zsh fish)
  list(APPEND page_commands COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:headlight> describe ${page} > ${pages}/${page})
endforeach()
add_custom_command(OUTPUT ${pages}/man.gz ${page_commands} COMMAND gzip -9nf < ${pages}/man > ${pages}/man.gz
  DEPENDS headlight VERBATIM COMMENT "Writing the manual page and the completions of shells")
add_custom_target(headlight_pages DEPENDS ${pages}/man.gz)
install(FILES ${pages}/man.gz RENAME headlight.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${pages}/bash RENAME headlight DESTINATION ${share}/bash-completion/completions OPTIONAL)
install(FILES ${pages}/zsh RENAME _headlight DESTINATION ${share}/zsh/vendor-completions OPTIONAL)
install(FILES ${pages}/fish RENAME headlight.fish DESTINATION ${share}/fish/vendor_completions.d OPTIONAL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME headlight)
set(CPACK_PACKAGE_VENDOR Headlight)
set(CPACK_PACKAGE_CONTACT "Headlight <maintainers@headlight.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "attention models, step by step, with every number")
set(CPACK_PACKAGE_DESCRIPTION "Headlight runs attention models on an ordinary computer and shows every number
of them while one types: alignment, heads, queries and keys, the whole model
as one picture.

It has trained models and lessons, trains small models in the window, and
opens models of other libraries, GGUF files among them.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# As Debian does where one source is built for several of its releases: 0.1.0~deb12u1 comes before 0.1.0~deb13u1, and both before a
# 0.1.0 of its own.
cmake_host_system_information(RESULT HEADLIGHT_DISTRIBUTION QUERY DISTRIB_ID)
cmake_host_system_information(RESULT HEADLIGHT_RELEASE QUERY DISTRIB_VERSION_ID)
string(REGEX REPLACE "^debian$" "deb" HEADLIGHT_DISTRIBUTION "${HEADLIGHT_DISTRIBUTION}")
if(HEADLIGHT_RELEASE)
  set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}~${HEADLIGHT_DISTRIBUTION}${HEADLIGHT_RELEASE}u1")
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(HEADLIGHT_LEVELS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
endif()
# Type and Chinese; pictures as SVG are drawn by a plugin; files of text that no font has take long.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-dejavu-core, libqt6svg6")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-noto-cjk, fonts-noto-core, qt6-translations-l10n, qt6-wayland")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
