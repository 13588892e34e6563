#include "app/stage/stage.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

#include "app/stage/name_row.h"
#include "app/stage/panel_frame.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/tables/table_pane.h"

namespace headlight {

namespace {

// Lines of text that a picture needs to be one, and a panel below or beside it to be read.
constexpr int kLinesOfPicture = 12, kLinesOfPanel = 10;
// Of what is seen at once: the beginning of what is below shows that there is more.
constexpr double kPictureBeforeMore = 0.88;

// As high as there is room for; what does not find room is scrolled to. As wide as what is in it needs.
class Roll : public QScrollArea {
 public:
  explicit Roll(QWidget* of) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    viewport()->setAutoFillBackground(false);
    setWidget(of);
    of->setAutoFillBackground(false);
  }
  QSize sizeHint() const override { return widget()->sizeHint(); }
  QSize minimumSizeHint() const override { return {widget()->minimumSizeHint().width(), 60}; }
};

int count_seen(const QSplitter* slot) {
  int count = 0;
  for (int i = 0; i < slot->count(); ++i) count += slot->widget(i)->isHidden() ? 0 : 1;
  return count;
}
bool has_seen(const QSplitter* slot) { return count_seen(slot) > 0; }

// Of the panels of a slot that are seen; 0 where there is none.
int largest_of(const QSplitter* slot, int (PanelFrame::*size)() const) {
  int largest = 0;
  for (int i = 0; i < slot->count(); ++i)
    if (const auto* frame = qobject_cast<const PanelFrame*>(slot->widget(i)); frame && !frame->isHidden())
      largest = std::max(largest, (frame->*size)());
  return largest;
}
// What the tables that are open in a slot need to show numbers.
int height_of_tables(const QSplitter* slot) {
  int high = 0;
  for (int i = 0; i < slot->count(); ++i)
    if (const auto* frame = qobject_cast<const PanelFrame*>(slot->widget(i)); frame && !frame->isHidden())
      if (const TablePane* table = frame->host()->table()) high = std::max(high, table->least_size().height());
  return high;
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
      centre_roll_(new Roll(down_)),
      side_roll_(new Roll(side_)),
      centre_(new QWidget),
      middle_(new QWidget),
      names_(new NameRow(centre_)) {
  for (QWidget* ground : {centre_, middle_}) {
    ground->setAutoFillBackground(true);
    ground->setBackgroundRole(QPalette::Base);
  }
  row_in(middle_, 0)->addWidget(main_, 1);
  down_->addWidget(middle_);
  down_->addWidget(below_);
  picture_rows_ = column_in(centre_, 0);
  picture_rows_->addWidget(names_);
  picture_rows_->addWidget(centre_roll_, 1);
  across_->addWidget(centre_);
  across_->addWidget(side_roll_);
  across_->setStretchFactor(0, 1);
  across_->setStretchFactor(1, 0);
  down_->setStretchFactor(0, 1);
  down_->setStretchFactor(1, 0);
  rows_ = column_in(this, 0);
  rows_->addWidget(across_, 1);
  for (QWidget* each : std::initializer_list<QWidget*>{centre_roll_, side_roll_, main_}) each->installEventFilter(this);
  const auto tell = [this] { emit moved(across_->sizes(), down_->sizes()); };
  connect(across_, &QSplitter::splitterMoved, this, tell);
  connect(down_, &QSplitter::splitterMoved, this, tell);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { show_focus(now); });
}

// Panels that go take the keyboard with them.
Stage::~Stage() { disconnect(qApp, nullptr, this, nullptr); }

QSplitter* Stage::slot(Slot slot) const { return slot == Slot::main ? main_ : slot == Slot::side ? side_ : below_; }

void Stage::set_top(QWidget* top) { rows_->insertWidget(0, top); }

void Stage::set_strip(QWidget* strip) { picture_rows_->insertWidget(1, strip); }

void Stage::set_column(QWidget* column) { middle_->layout()->addWidget(column); }

void Stage::set_caption(QWidget* caption) {
  caption_ = caption;
  picture_rows_->addWidget(caption);
}

void Stage::set_start(QWidget* question, QWidget* beside, QWidget* offers) {
  question_ = question;
  offers_ = offers;
  rows_->insertWidget(0, question);
  middle_->layout()->addWidget(beside);
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

// Lines are no longer than one reads with ease.
void Stage::fit_start() {
  constexpr int kMost = 1400;
  const int side = offers_ && !offers_->isHidden() ? std::max(0, (width() - kMost) / 2) : 0;
  rows_->setContentsMargins(side, 0, side, 0);
}

void Stage::fit(QList<int> across, QList<int> down) {
  const bool side = has_seen(side_), below = has_seen(below_);
  side_->setVisible(side);
  side_roll_->setVisible(side);
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
  down_sizes_ = down;
  rolls_ = false;
  place_caption();
  fit_rolls();
  if (below && !rolls_) share_height();
}

void Stage::share_height() {
  const int given = std::max(static_cast<int>(0.42 * down_->height()), std::min(220, down_->height() / 2));
  down_->setSizes(down_sizes_.isEmpty() ? QList<int>{down_->height() - given, given} : down_sizes_);
}

// Too little height for all: each has what it needs, and the rest is scrolled to.
void Stage::fit_rolls() {
  const int line = QFontMetrics(Theme::instance().ui_font()).lineSpacing();
  const int beside = count_seen(side_) > 1 ? count_seen(side_) * kLinesOfPanel * line : 0;
  side_->setMinimumHeight(beside > side_roll_->height() ? beside : 0);
  const int room = centre_roll_->height();
  // What a person chooses above a picture is scrolled away rather than taken from it.
  const int above = largest_of(main_, &PanelFrame::above_picture);
  const bool more = has_seen(below_);
  const bool rolls =
      room > 0 && room < above + (kLinesOfPicture + (more ? kLinesOfPanel : 0)) * line && (more || above > room / 3);
  int picture = room;
  // What was asked for below is seen as well, however large the letters are. A narrow picture, whose controls stand
  // above it, needs more of the height.
  const int lines = largest_of(below_, &PanelFrame::lines_below), most = static_cast<int>(kPictureBeforeMore * room);
  if (more)
    picture = std::min(
        most, std::max(above > 0 ? room / 2 : 2 * room / 5, room - lines * line - space::kMedium - space::kSmall));
  if (above > room / 8) picture += above;
  if (more) picture = std::max(picture, std::min(most, height_of_tables(main_)));
  const int below = more ? std::max(kLinesOfPanel * line, room - 2 * line) : 0;
  down_->setMinimumHeight(rolls ? picture + below : 0);
  if (rolls && more) down_->setSizes({picture, below});
  if (rolls_ && !rolls && more) share_height();
  rolls_ = rolls;
}

// Words below a narrow picture would take its height: they stand below everything instead.
void Stage::place_caption() {
  if (!caption_) return;
  const double scale = Theme::instance().font_scale();
  const int centre = across_->sizes().value(0);
  const bool below_all = has_seen(side_) && centre < 480 * scale;
  QVBoxLayout* wanted = below_all ? rows_ : picture_rows_;
  QVBoxLayout* other = below_all ? picture_rows_ : rows_;
  if (other->indexOf(caption_) < 0) return;
  other->removeWidget(caption_);
  wanted->insertWidget(wanted == rows_ && offers_ ? rows_->indexOf(offers_) : -1, caption_);
}

// The keyboard goes where it is seen; a click is there already, and what it hits stays under it.
void Stage::show_focus(QWidget* now) {
  if (!now || QGuiApplication::mouseButtons() != Qt::NoButton) return;
  for (QScrollArea* roll : {centre_roll_, side_roll_})
    if (roll->verticalScrollBar()->maximum() > 0 && roll->widget()->isAncestorOf(now)) roll->ensureWidgetVisible(now);
}

QList<QWidget*> Stage::around() const { return {names_}; }

bool Stage::eventFilter(QObject* watched, QEvent* event) {
  const bool seen = QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::Resize && (watched == centre_roll_ || watched == side_roll_)) fit_rolls();
  // A table was opened.
  if (event->type() == QEvent::LayoutRequest && watched == main_ && rolls_ && height_of_tables(main_) > main_->height())
    fit_rolls();
  return seen;
}

void Stage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_start();
  place_caption();
  fit_rolls();
  emit resized();
}

}  // namespace headlight
