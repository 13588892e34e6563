// What the writers of files say, for the files of this folder.
#pragma once

#include <QCoreApplication>

namespace headlight {

struct ExportWords {
  Q_DECLARE_TR_FUNCTIONS(Export)
};

}  // namespace headlight
