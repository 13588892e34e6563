#include "app/window/stage.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/name_row.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

bool has_seen(const QSplitter* slot) {
  for (int i = 0; i < slot->count(); ++i)
    if (!slot->widget(i)->isHidden()) return true;
  return false;
}

QSplitter* make_slot(Qt::Orientation orientation, QWidget* parent) {
  auto* slot = new QSplitter(orientation, parent);
  slot->setChildrenCollapsible(false);
  return slot;
}

}  // namespace

Stage::Stage(QWidget* parent)
    : QWidget(parent),
      across_(make_slot(Qt::Horizontal, this)),
      down_(make_slot(Qt::Vertical, nullptr)),
      main_(make_slot(Qt::Horizontal, nullptr)),
      side_(make_slot(Qt::Vertical, nullptr)),
      below_(make_slot(Qt::Horizontal, nullptr)),
      centre_(new QWidget),
      middle_(new QWidget),
      names_(new NameRow(centre_)) {
  for (QWidget* ground : {centre_, middle_}) {
    ground->setAutoFillBackground(true);
    ground->setBackgroundRole(QPalette::Base);
  }
  auto* beside = new QHBoxLayout(middle_);
  beside->setContentsMargins(0, 0, 0, 0);
  beside->setSpacing(0);
  beside->addWidget(main_, 1);
  down_->addWidget(middle_);
  down_->addWidget(below_);
  picture_rows_ = new QVBoxLayout(centre_);
  picture_rows_->setContentsMargins(0, 0, 0, 0);
  picture_rows_->setSpacing(0);
  picture_rows_->addWidget(names_);
  picture_rows_->addWidget(down_, 1);
  across_->addWidget(centre_);
  across_->addWidget(side_);
  across_->setStretchFactor(0, 1);
  across_->setStretchFactor(1, 0);
  down_->setStretchFactor(0, 1);
  down_->setStretchFactor(1, 0);
  rows_ = new QVBoxLayout(this);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(0);
  rows_->addWidget(across_, 1);
  const auto tell = [this] { emit moved(across_->sizes(), down_->sizes()); };
  connect(across_, &QSplitter::splitterMoved, this, tell);
  connect(down_, &QSplitter::splitterMoved, this, tell);
}

QSplitter* Stage::slot(Slot slot) const { return slot == Slot::main ? main_ : slot == Slot::side ? side_ : below_; }

void Stage::set_top(QWidget* top) { rows_->insertWidget(0, top); }

void Stage::set_strip(QWidget* strip) {
  strip_ = strip;
  picture_rows_->insertWidget(1, strip);
}

void Stage::set_column(QWidget* column) {
  column_ = column;
  middle_->layout()->addWidget(column);
}

void Stage::set_caption(QWidget* caption) {
  caption_ = caption;
  picture_rows_->addWidget(caption);
}

void Stage::set_start(QWidget* question, QWidget* offers) {
  question_ = question;
  offers_ = offers;
  rows_->insertWidget(0, question);
  rows_->addWidget(offers);
  setBackgroundRole(QPalette::Base);
  show_start(false);
}

void Stage::show_start(bool shown) {
  question_->setVisible(shown);
  offers_->setVisible(shown);
  names_->setVisible(!shown);
  setAutoFillBackground(shown);
  fit_start();
}

// Broad margins, and lines that are no longer than one reads with ease.
void Stage::fit_start() {
  constexpr int kMost = 1400;
  const int side =
      offers_ && !offers_->isHidden() ? std::max(std::clamp((width() - 900) / 5, 0, 72), (width() - kMost) / 2) : 0;
  rows_->setContentsMargins(side, 0, side, 0);
}

void Stage::fit(QList<int> across, QList<int> down) {
  const bool side = has_seen(side_), below = has_seen(below_);
  side_->setVisible(side);
  below_->setVisible(below);
  const double scale = Theme::instance().font_scale();
  if (side) {
    if (across.isEmpty()) {
      const int wanted =
          std::clamp(static_cast<int>(0.295 * width()), static_cast<int>(320 * scale), static_cast<int>(440 * scale));
      const int given = std::min(wanted, width() / 2);
      across = {width() - given, given};
    }
    across_->setSizes(across);
  }
  if (below) {
    if (down.isEmpty()) {
      const int given = std::max(static_cast<int>(0.42 * down_->height()), std::min(220, down_->height() / 2));
      down = {down_->height() - given, given};
    }
    down_->setSizes(down);
  }
}

QList<QWidget*> Stage::around() const { return {names_}; }

void Stage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_start();
  emit resized();
}

}  // namespace headlight
