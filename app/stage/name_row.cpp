#include "app/stage/name_row.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

#include "app/parts.h"
#include "app/stage/panel_frame.h"
#include "app/stage/pictures_popup.h"
#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/view_panel.h"

namespace headlight {

namespace {

// A word with a sign behind it, written as the names beside it are; underlined when the picture is one of its own.
class MoreButton : public QToolButton {
 public:
  using QToolButton::QToolButton;
  QSize sizeHint() const override {
    return {width_of(text()) + fontMetrics().height() + 2 * space::kSmall,
            fontMetrics().height() + 2 * space::kSmall + 2};
  }
  QSize minimumSizeHint() const override { return sizeHint(); }
  int width_of(const QString& text) const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return QFontMetrics(bold).horizontalAdvance(text);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = tokens();
    QPainter painter(this);
    const bool front = property("front").toBool();
    QFont font = this->font();
    if (front) font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(front || underMouse() ? t.ink : t.ink2);
    const int side = fontMetrics().height();
    const QRect words = rect().adjusted(space::kSmall + 1, 0, -side - space::kTight, 0);
    draw_text(painter, words, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine), text());
    draw_sign(painter, QRectF(width() - side - 2, (height() - side) / 2., side, side), Sign::down, t.ink2);
    if (front) painter.fillRect(QRectF(words.left(), height() - 2, words.width(), 2), t.ink);
  }
};

}  // namespace

NameRow::NameRow(QWidget* parent)
    : QWidget(parent),
      tabs_(new QTabBar(this)),
      more_(new MoreButton(this)),
      dots_(sign_button(this, Sign::more)),
      menu_(new QMenu(this)),
      pictures_(new PicturesPopup(this)) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  tabs_->setObjectName(QStringLiteral("pictures"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(false);
  tabs_->setElideMode(Qt::ElideNone);
  more_->setObjectName(QStringLiteral("more_pictures"));
  more_->setFocusPolicy(Qt::TabFocus);
  dots_->setPopupMode(QToolButton::InstantPopup);
  dots_->setMenu(menu_);
  QHBoxLayout* row = row_in(this, 0);
  const auto leave_room = [row] {
    // 16 pixels below their line a picture begins: a line of text leaves some of that above its capitals. Large letters
    // leave more, and pictures need it.
    constexpr int kAboveCapitals = 6;
    const int below = theme().font_scale() > 1.5 ? 0 : space::kLarge - kAboveCapitals;
    row->setContentsMargins(space::kMargin - space::kSmall, 0, space::kMargin, below);
  };
  leave_room();
  theme().restyles(this, leave_room);
  row->addWidget(tabs_);
  row->addWidget(more_);
  row->addStretch(1);
  row->addWidget(dots_);  // before it the controls of the picture
  const auto choose = [this](int at) {
    if (at >= 0 && at < names_.size() && names_[at].name != front_) emit chosen(names_[at].name);
  };
  connect(more_, &QToolButton::clicked, this, [this] { pictures_->open_below(more_, names_, front_); });
  connect(pictures_, &PicturesPopup::chosen, this, [this](const QString& name) {
    const auto found = std::ranges::find(names_, name, &Name::name);
    if (found != names_.end()) found->go_to->trigger();
  });
  connect(tabs_, &QTabBar::currentChanged, this, choose);
  connect(tabs_, &QTabBar::tabBarClicked, this, choose);  // also that which the bar takes for the one in front
  tabs_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(tabs_, &QTabBar::customContextMenuRequested, this,
          [this](const QPoint& at) { menu_->popup(tabs_->mapToGlobal(at)); });
  retranslate();
}

void NameRow::set_names(const QList<Name>& names, int few) {
  if (names == names_ && few == few_) return;
  names_ = names;
  few_ = few;
  shown_ = -1;
  fill();
}

void NameRow::set_front(const QString& name) {
  if (name == front_) return;
  front_ = name;
  shown_ = -1;
  fill();
}

void NameRow::set_run(std::shared_ptr<const AnalysedRun> run) { pictures_->set_run(std::move(run)); }

void NameRow::set_controls(ViewPanel* of) {
  if (controls_of_ && controls_of_ != of) {
    controls_of_->take_back_bar();
    controls_of_->set_bar_edge(space::kSmall);
  }
  controls_of_ = of;
  place_controls();
}

void NameRow::place_controls() {
  QWidget* bar = controls_of_ ? controls_of_->lent_bar() : nullptr;
  if (!bar) return;
  const int names = tabs_->sizeHint().width() + (more_->isHidden() ? 0 : more_->sizeHint().width());
  const int room = width() - space::kMargin - names - dots_->sizeHint().width() - space::kLarge;
  // While the names are away, so is what stands beside them.
  const bool fits = isHidden() || (controls_of_->bar_width() + space::kSmall <= room &&
                                   bar->sizeHint().height() <= 2 * tabs_->sizeHint().height());
  // Below the names it begins where they do.
  controls_of_->set_bar_edge(fits ? space::kSmall : space::kMargin);
  const bool here = bar->parentWidget() == this;
  if (fits == here) return;
  if (!fits) return controls_of_->take_back_bar();
  const bool shown = !bar->isHidden();
  auto* row = static_cast<QHBoxLayout*>(layout());
  row->insertWidget(row->count() - 1, bar);
  bar->setVisible(shown);
}

void NameRow::fill() {
  const auto front = std::ranges::find(names_, front_, &Name::name) - names_.begin();
  // As many as there is room for beside "More", or the name that stands there.
  auto* more = static_cast<MoreButton*>(more_);
  int widest = more->width_of(tr("More"));
  for (const Name& each : names_) widest = std::max(widest, more->width_of(each.title));
  int room = width() - space::kMargin - dots_->sizeHint().width() - widest - 2 * more_->height(), count = 0;
  for (; count < std::min(few_, static_cast<int>(names_.size())); ++count) {
    room -= more->width_of(names_[count].title) + 2 * space::kSmall + 2;
    if (room < 0 && count > 0) break;
  }
  if (names_.size() == count + 1 && room > 0) ++count;
  if (count != shown_) {
    shown_ = count;
    const QSignalBlocker block(tabs_);
    while (tabs_->count() > count) tabs_->removeTab(tabs_->count() - 1);
    for (int i = 0; i < count; ++i) {
      if (i >= tabs_->count()) tabs_->addTab({});
      if (tabs_->tabText(i) != names_[i].title) tabs_->setTabText(i, names_[i].title);
      tabs_->setTabToolTip(i, names_[i].help);
    }
    // A bar always has a tab in front; when the picture is none of its own, it is drawn as the others are.
    const bool among = front >= 0 && front < count;
    if (among) tabs_->setCurrentIndex(static_cast<int>(front));
    tabs_->setProperty(kNone, !among);
    more_->setProperty("front", !among && front < names_.size());
    more_->setText(!among && front >= 0 && front < names_.size() ? names_[front].title : tr("More"));
    more_->setVisible(count < names_.size());
    more_->updateGeometry();
    more_->update();
    tabs_->update();
  }
}

void NameRow::retranslate() {
  tabs_->setAccessibleName(tr("Pictures"));
  name_button(more_, tr("All pictures of this model, as small ones"));
  name_button(dots_, tr("What can be done with this picture"));
  shown_ = -1;
  fill();
}

// What the controls say can need more room.
bool NameRow::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest)
    QMetaObject::invokeMethod(
        this, [this] { place_controls(); }, Qt::QueuedConnection);
  return QWidget::event(event);
}

void NameRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fill();
  place_controls();
}

// A bar that was never seen does not know how wide its tabs are.
void NameRow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  shown_ = -1;
  fill();
  tabs_->updateGeometry();
  place_controls();
}

void NameRow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) shown_ = -1, fill();
  QWidget::changeEvent(event);
}

}  // namespace headlight
