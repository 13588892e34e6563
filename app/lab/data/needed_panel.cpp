#include "app/lab/data/needed_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/lab/data/needed_bars.h"
#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"

namespace headlight {

const std::vector<int>& NeededPanel::sizes() {
  static const std::vector<int> sizes = {60, 120, 240, 480};
  return sizes;
}

NeededPanel::NeededPanel(QWidget* parent)
    : QWidget(parent),
      title_(text_label(this, false)),
      about_(text_label(this)),
      bars_(new NeededBars(this)),
      measure_(new QPushButton(this)) {
  measure_->setObjectName(QStringLiteral("needed_measure"));
  set_ink(about_, &Tokens::ink2);
  auto* rows = column_in(this, space::kSmall);
  // The button stands above its bars: what is below them is out of sight on a laptop.
  auto* line = new QHBoxLayout;
  line->addWidget(title_, 1);
  line->addWidget(measure_);
  rows->addLayout(line);
  rows->addWidget(about_);
  rows->addWidget(bars_);
  connect(measure_, &QPushButton::clicked, this, [this] {
    if (progress_.isEmpty())
      emit measureWanted();
    else
      emit stopWanted();
  });
  const auto dress = [this] {
    title_->setFont(strong_font());
    about_->setFont(theme().ui_font(type::kSource));
  };
  dress();
  theme().restyles(this, dress);
  retranslates(this, [this] { retranslate(); });
  set_needed({});
}

void NeededPanel::set_needed(std::vector<std::pair<int, double>> needed) {
  constexpr double kNotYet = -1;
  measured_ = !needed.empty();
  if (needed.empty())
    for (const int size : sizes()) needed.emplace_back(size, kNotYet);
  bars_->set_shares(std::move(needed));
  retranslate();
  if (measured_) emit measured();
}

void NeededPanel::set_measuring(const QString& progress) {
  progress_ = progress;
  show_state();
}

void NeededPanel::set_possible(const QString& reason) {
  reason_ = reason;
  show_state();
}

void NeededPanel::show_state() {
  about_->setText(!progress_.isEmpty() ? progress_
                  : measured_          ? tr("right on sentences it never saw; measured")
                                       : tr("right on sentences it never saw; not measured yet"));
  measure_->setText(progress_.isEmpty() ? tr("Measure it") : tr("Stop measuring"));
  measure_->setEnabled(!progress_.isEmpty() || reason_.isEmpty());
  describe(measure_, measure_->text(),
           !reason_.isEmpty() ? reason_
                              : tr("Trains the same model on so many of these sentences, filled up from the word bank, "
                                   "and asks each the same ones that none of them saw. "
                                   "Fewer sentences are read more often, so that each reads as many in all."));
}

void NeededPanel::retranslate() {
  title_->setText(tr("How many are needed?"));
  show_state();
}

}  // namespace headlight
