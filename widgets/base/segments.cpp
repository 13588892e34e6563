#include "widgets/base/segments.h"

#include <QComboBox>
#include <QEvent>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QTabBar>
#include <algorithm>

#include "widgets/base/style.h"

namespace headlight {

Segments::Segments(QWidget* parent) : QWidget(parent), bar_(new QTabBar(this)), list_(new QComboBox(this)) {
  bar_->setProperty(kLook, QByteArray("switch"));
  bar_->setDrawBase(false);
  bar_->setExpanding(false);
  bar_->setUsesScrollButtons(false);
  bar_->setElideMode(Qt::ElideNone);
  list_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list_->setMinimumContentsLength(8);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(bar_, &QTabBar::currentChanged, this, &Segments::choose);
  connect(list_, &QComboBox::activated, this, &Segments::choose);
  // Where none is chosen, also that which the bar takes for the one in front.
  connect(bar_, &QTabBar::tabBarClicked, this, [this](int at) {
    if (at >= 0 && at == bar_->currentIndex() && bar_->property(kNone).toBool()) choose(at);
  });
}

void Segments::set_choices(const QList<Choice>& choices) {
  if (choices == choices_) return;  // of every run, while somebody types
  choices_ = choices;
  const QSignalBlocker quiet(bar_);
  list_->clear();
  while (bar_->count() > choices.size()) bar_->removeTab(bar_->count() - 1);
  auto* items = qobject_cast<QStandardItemModel*>(list_->model());
  for (int i = 0; i < choices.size(); ++i) {
    const Choice& each = choices[i];
    if (i >= bar_->count()) bar_->addTab({});
    const QString& word = each.brief.isEmpty() ? each.text : each.brief;
    if (bar_->tabText(i) != word) bar_->setTabText(i, word);
    bar_->setTabToolTip(i, each.help);
    bar_->setTabEnabled(i, each.possible);
    list_->addItem(each.text);
    items->item(i)->setEnabled(each.possible);
    items->item(i)->setToolTip(each.help);
  }
  updateGeometry();
  fit();
}

void Segments::set_current(int at) {
  const QSignalBlocker quiet(bar_);
  bar_->setProperty(kNone, at < 0 || at >= bar_->count());
  if (at >= 0 && at < bar_->count()) bar_->setCurrentIndex(at);
  bar_->update();
  list_->setCurrentIndex(at);
}

void Segments::choose(int at) {
  set_current(at);
  emit chosen(at);
}

int Segments::current() const { return list_->currentIndex(); }

void Segments::set_words(const QString& name, const QString& help) {
  for (QWidget* each : {static_cast<QWidget*>(bar_), static_cast<QWidget*>(list_)}) {
    each->setAccessibleName(name);
    each->setAccessibleDescription(help);
    each->setToolTip(help);
  }
}

QSize Segments::sizeHint() const {
  const QSize bar = bar_->sizeHint(), list = list_->sizeHint();
  return {std::max(bar.width(), list.width()), std::max(bar.height(), list.height())};
}

QSize Segments::minimumSizeHint() const { return {list_->minimumSizeHint().width(), sizeHint().height()}; }

void Segments::fit() {
  const QSize wanted = bar_->sizeHint();
  const bool fits = wanted.width() <= width();
  const bool keyboard = bar_->hasFocus() || list_->hasFocus();
  bar_->setGeometry(0, 0, wanted.width(), wanted.height());
  list_->setGeometry(0, 0, width(), list_->sizeHint().height());
  if (fits != bar_->isHidden() && fits == list_->isHidden()) return;
  bar_->setVisible(fits);
  list_->setVisible(!fits);
  if (keyboard) (fits ? static_cast<QWidget*>(bar_) : list_)->setFocus(Qt::OtherFocusReason);
}

void Segments::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void Segments::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    updateGeometry();
    fit();
  }
}

}  // namespace headlight
