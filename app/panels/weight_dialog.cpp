#include "app/panels/weight_dialog.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QLabel>

#include "widgets/base/controls.h"

namespace headlight {

namespace {

struct WeightWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::WeightDialog)
};

}  // namespace

void ask_weight(QWidget* parent, double now, const std::function<void(double)>& done) {
  auto* dialog = new QInputDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::DoubleInput);
  dialog->setWindowTitle(WeightWords::tr("Set attention weight"));
  dialog->setLabelText(
      WeightWords::tr("New weight, from 0 to 1. The other weights of this step are scaled so that the sum stays "
                      "the same, and everything after it is computed again."));
  for (QLabel* label : dialog->findChildren<QLabel*>()) {
    make_running_text(label);
    label->setMinimumWidth(label->fontMetrics().averageCharWidth() * 52);
  }
  dialog->setDoubleRange(0, 1);
  dialog->setDoubleDecimals(4);
  dialog->setDoubleStep(0.05);
  dialog->setDoubleValue(now);
  QObject::connect(dialog, &QInputDialog::doubleValueSelected, dialog, done);
  dialog->open();
}

}  // namespace headlight
