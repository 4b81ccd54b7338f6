# cmake -DOUTPUT=… -DSTYLE=file -DLIBRARY=file -DSCRIPTS=a,b,… -P Embed.cmake: what a page of HTML carries, as strings of C++.
file(READ ${LIBRARY} library)
file(READ ${STYLE} style)
string(REPLACE "," ";" scripts ${SCRIPTS})
set(script "\"use strict\";\n")
foreach(path ${scripts})
  file(READ ${path} part)
  string(APPEND script "${part}")
endforeach()
file(WRITE ${OUTPUT} "#include \"plot/assets.h\"\n\nnamespace salvo::app::plot {\n
const std::string_view kPageLibrary = R\"salvo_page(${library})salvo_page\";\n
const std::string_view kPageStyle = R\"salvo_page(${style})salvo_page\";\n
const std::string_view kPageScript = R\"salvo_page(${script})salvo_page\";\n
}  // namespace salvo::app::plot\n")
