#include "app/panels/weight_dialog.h"

#include <QCoreApplication>

#include "widgets/base/ask.h"

namespace headlight {

namespace {

struct WeightWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::WeightDialog)
};

}  // namespace

void ask_weight(QWidget* parent, double now, const std::function<void(double)>& done) {
  constexpr double kStep = 0.05;
  ask_for_number(parent,
                 {WeightWords::tr("Set attention weight"),
                  WeightWords::tr("New weight, from 0 to 1. The other weights of this step are scaled so that the sum "
                                  "stays the same, and everything after it is computed again."),
                  now, 0, 1, kStep},
                 done);
}

}  // namespace headlight
