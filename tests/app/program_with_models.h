// The program as a process that finds two small models, for the tests of its commands.
#pragma once

#include <QTemporaryDir>
#include <QTest>

#include "tests/app/fixture.h"
#include "tests/app/program.h"

namespace headlight::testing {

// Beside QObject, a base of the class of a test; its slot initTestCase calls `make_models`.
struct ProgramWithModels {
  QTemporaryDir models_, scratch_;

  void make_models() {
    QVERIFY2(!program().isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
    small_model_folder(models_, "seq2seq");
  }
  Outcome headlight(const QStringList& arguments) const {
    return run_program(arguments, {{"HEADLIGHT_MODELS", models_.path()}, {"XDG_DATA_HOME", scratch_.filePath("data")}});
  }
};

}  // namespace headlight::testing
