// How the parts of a lesson are laid out: in a column at the side, or as a strip above the views.

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <algorithm>

#include "app/classroom/lesson_chart_picture.h"
#include "app/classroom/lesson_dots.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lesson_vote.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/tokens.h"

namespace headlight {

void LessonPanel::lay_out() {
  head_ = new QHBoxLayout;
  head_->addWidget(title_, 1);
  head_->addWidget(explore_, 0, Qt::AlignTop);
  head_->addWidget(close_, 0, Qt::AlignTop);
  below_head_ = new QHBoxLayout;
  below_head_->addStretch(1);
  body_ = new QWidget;
  left_ = new QWidget(body_);
  right_ = new QWidget(body_);
  columns_ = new QBoxLayout(QBoxLayout::TopToBottom, body_);
  columns_->setContentsMargins(0, 0, 0, 0);
  columns_->setSpacing(space::kSmall);
  columns_->addWidget(left_);
  columns_->addWidget(right_);
  columns_->addStretch(1);
  auto* words = column_in(left_, space::kSmall);
  words->addWidget(fallback_);
  for (LessonText* each : {text_, question_}) words->addWidget(each);
  after_ = new QWidget(right_);
  auto* said = column_in(after_, space::kSmall);
  for (QWidget* each : std::initializer_list<QWidget*>{mine_, truth_, distance_, reveal_, notes_, sources_})
    said->addWidget(each);
  words->addStretch(1);
  auto* rows = column_in(right_, space::kSmall);
  rows->addWidget(how_);
  answer_place_ = new QWidget(right_);
  answer_rows_ = column_in(answer_place_, 0);
  rows->addWidget(answer_place_);
  for (QWidget* each : std::initializer_list<QWidget*>{chart_, progress_, chart_note_, measure_, show_})
    rows->addWidget(each);
  auto* others = new QWidget(right_);
  auto* flow = new FlowLayout(others, space::kSmall, space::kSmall);
  for (QAbstractButton* each :
       std::initializer_list<QAbstractButton*>{unknown_, hint_, skip_, vote_button_, notes_button_, language_})
    flow->addWidget(each);
  rows->addWidget(others);
  rows->addWidget(hints_text_);
  rows->addWidget(after_);
  rows->addStretch(1);
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // Its room is kept while nothing scrolls (then nothing is drawn there): texts know their height only at the width
  // that they have, and a bar that comes and goes with it changes that width again, round and round.
  scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(body_);
  foot_ = new QHBoxLayout;
  foot_->addWidget(back_);
  foot_->addWidget(dots_, 1);
  foot_->addWidget(next_);
  QVBoxLayout* all = column_in(this, space::kSmall);
  all->setContentsMargins(space::kMargin, space::kMedium, space::kMargin, space::kMedium);
  all->addLayout(head_);
  all->addLayout(below_head_);
  all->addWidget(scroll_, 1);
  all->addLayout(foot_);
}

void LessonPanel::fit_buttons() {
  const int high = QFontMetrics(Theme::instance().ui_font()).height() + 2 * space::kSmall;
  for (QPushButton* each : {back_, next_, show_}) each->setMinimumHeight(high);
  fit_head();
}

// Beside the title, or below it where the title would be left too little: less than its longest word needs.
void LessonPanel::fit_head() {
  int word = 0;
  const QFontMetrics metrics(title_->font());
  for (const QString& each : title_->text().split(QLatin1Char(' ')))
    word = std::max(word, metrics.horizontalAdvance(each));
  const int most = metrics.horizontalAdvance(title_->text());
  const int room = width() - space::kMargin - space::kLarge - explore_->sizeHint().width() -
                   close_->sizeHint().width() - 2 * space::kMedium;
  const auto lines = [&](int width) {
    return metrics.boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, title_->text()).height() /
           metrics.lineSpacing();
  };
  const bool narrow = room < std::max(word, std::min(most, explore_->sizeHint().width()));
  const bool below = !strip_ && (narrow || lines(room) > 2);
  QHBoxLayout *to = below ? below_head_ : head_, *from = below ? head_ : below_head_;
  if (to->indexOf(explore_) >= 0) return;
  from->removeWidget(explore_);
  to->insertWidget(below ? 0 : head_->indexOf(close_), explore_, 0, Qt::AlignTop);
}

// Words alone have the whole width of a strip.
void LessonPanel::fit_columns() {
  fill_main();
  const auto is_there = [](const QWidget* each) { return each && !each->isHidden(); };
  bool any = hints_text_->has_words() || static_cast<QVBoxLayout*>(right_->layout())->indexOf(after_) >= 0;
  for (const QWidget* each :
       std::initializer_list<const QWidget*>{how_, field_, vote_, sliders_, chart_, progress_, chart_note_, measure_,
                                             show_, unknown_, hint_, skip_, vote_button_, notes_button_, language_})
    any = any || is_there(each);
  right_->setVisible((any || !strip_) && !finish_);
  if (strip_) emit heightChanged();
}

int LessonPanel::strip_height() const {
  body_->layout()->activate();
  const int body = body_->layout()->hasHeightForWidth()
                       ? body_->layout()->totalHeightForWidth(scroll_->viewport()->width())
                       : body_->sizeHint().height();
  const int head = presenting_ ? 0 : head_->sizeHint().height() + space::kSmall;
  return highest_ = std::max(highest_, head + body + 2 * space::kMedium + 2 * space::kSmall);
}

// What is told afterwards: in a strip beside the question, where nothing stands any more that was to be answered, else
// below it, which has room there; in a column below the answer.
void LessonPanel::place_after() {
  auto *words = static_cast<QVBoxLayout*>(left_->layout()), *rows = static_cast<QVBoxLayout*>(right_->layout());
  const bool answered = presenting_ && revealed_ && !vote_ && (!field_ || field_->isHidden());
  const bool asked = step_ && step_->asks();
  QVBoxLayout* place = strip_ && !(answered && asked) ? words : rows;
  if (place->indexOf(after_) >= 0) return;
  for (QVBoxLayout* each : {words, rows}) each->removeWidget(after_);
  place->insertWidget(place->count() - 1, after_);  // the stretch stays last
}

// A strip has no line to spare: the way through the steps stands beside the title.
void LessonPanel::set_strip(bool strip) {
  if (std::exchange(strip_, strip) != strip) {
    QHBoxLayout *from = strip ? foot_ : head_, *to = strip ? head_ : foot_;
    for (QWidget* each : std::initializer_list<QWidget*>{back_, dots_, next_}) from->removeWidget(each);
    to->insertWidget(strip ? 1 : 0, back_, 0, strip ? Qt::AlignTop : Qt::Alignment());
    to->insertWidget(strip ? 2 : 1, dots_, strip ? 0 : 1, strip ? Qt::AlignVCenter : Qt::Alignment());
    to->insertWidget(strip ? 3 : 2, next_, 0, strip ? Qt::AlignTop : Qt::Alignment());
  }
  fit_head();
  place_after();
  columns_->setDirection(strip ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  columns_->setStretch(2, strip ? 0 : 1);
  columns_->setStretchFactor(left_, strip ? 1 : 0);
  columns_->setStretchFactor(right_, strip ? 1 : 0);
  fit_columns();
}

}  // namespace headlight
