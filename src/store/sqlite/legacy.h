#pragma once
#include "store/sqlite/sqlite.h"

namespace salvo {

// Versions up to 4 kept a study's options and what was learned in columns. They become documents, number by number, so that an
// old study goes on exactly as it would have.
void move_to_documents(Database& database);

}  // namespace salvo
