#include "app/classroom/lesson_vote.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr double kBarOfRow = 0.62, kFilledOfBar = 0.72;  // heights

enum VoteColumn { kName, kMark, kBars, kHands };

}  // namespace

std::vector<LessonVote::Answer> LessonVote::answers_of(const LessonStep& step, const StepWords& words) {
  if (step.answer.kind != LessonAnswer::Kind::choice)
    return {{"right", tr("have it right")}, {"wrong", tr("have it otherwise")}};
  std::vector<Answer> answers;
  for (const LessonChoice& choice : words.choices) answers.push_back({choice.id, from_utf8(plain_text(choice.words))});
  return answers;
}

QString LessonVote::right_of(const LessonStep& step, const ExpressionValue& truth) {
  if (step.answer.kind != LessonAnswer::Kind::choice) return QStringLiteral("right");
  const auto* id = std::get_if<std::string>(&truth);
  return id ? from_utf8(*id) : QString();
}

std::array<QString, 2> LessonVote::rounds() { return {tr("first vote"), tr("after talking")}; }

LessonVote::LessonVote(const LessonStep& step, const StepWords& words, const Hands& counted, QWidget* parent)
    : QWidget(parent) {
  setObjectName(QStringLiteral("lesson_vote"));
  setAccessibleName(tr("Votes of the room"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(space::kTight);
  grid->setColumnStretch(kName, 3);
  grid->setColumnStretch(kBars, 4);
  add_head(grid);
  for (const Answer& each : answers_of(step, words)) add_row(grid, each, counted);
  add_foot(grid);
  Theme::instance().restyles(this, [this] { restyle(); });
  restyle();
  set_round(all_of(counted, 1) > 0 ? 1 : 0);
  describe();
}

void LessonVote::add_head(QGridLayout* grid) {
  legend_ = new QWidget(this);
  now_ = text_label(this);
  now_->setWordWrap(false);
  grid->addWidget(legend_, 0, kName, 1, kBars + 1);  // else it would take the room of the names
  grid->addWidget(now_, 0, kHands);
}

void LessonVote::add_row(QGridLayout* grid, const Answer& answer, const Hands& counted) {
  const int at = static_cast<int>(rows_.size()) + 1;
  Row row{answer.id, text_label(this), new QWidget(this), new QWidget(this), {}};
  row.name->setText(answer.words);
  row.name->setMinimumWidth(60);
  grid->addWidget(row.name, at, kName);
  grid->addWidget(row.mark, at, kMark);
  grid->addWidget(row.bars, at, kBars);
  const auto before = counted.find(QString::fromStdString(answer.id));
  for (int round = 0; round < 2; ++round) {
    const auto in_round = static_cast<std::size_t>(round);
    row.hands[in_round] = add_field(row, answer.words, round, before == counted.end() ? 0 : before->second[in_round]);
    grid->addWidget(row.hands[in_round], at, kHands);
  }
  rows_.push_back(row);
}

QSpinBox* LessonVote::add_field(const Row& row, const QString& name, int round, int hands) {
  auto* box = new QSpinBox(this);
  box->setObjectName(QStringLiteral("hands_%1_%2").arg(QString::fromStdString(row.id)).arg(round));
  box->setRange(0, kMostHands);
  box->setValue(hands);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  box->setAccessibleName(with_colon(name, rounds()[static_cast<std::size_t>(round)]));
  connect(box, &QSpinBox::valueChanged, this, [this] {
    describe();
    update();
    emit changed();
  });
  // One number after the other.
  const std::size_t next = rows_.size() + 1;
  connect(box->findChild<QLineEdit*>(), &QLineEdit::returnPressed, this, [this, next, round] {
    if (next >= rows_.size()) return;
    QSpinBox* below = rows_[next].hands[static_cast<std::size_t>(round)];
    below->setFocus(Qt::TabFocusReason);
    below->selectAll();
  });
  return box;
}

void LessonVote::add_foot(QGridLayout* grid) {
  foot_ = new QWidget(this);
  again_ = new QPushButton(foot_);
  again_->setObjectName(QStringLiteral("lesson_vote_again"));
  room_ = new QPushButton(tr("Another class"), foot_);
  room_->setObjectName(QStringLiteral("lesson_another_class"));
  room_->setToolTip(tr("Votes of each class are kept apart: this one begins without any"));
  QHBoxLayout* row = row_in(foot_, space::kSmall);
  row->addWidget(again_);
  row->addWidget(room_);
  row->addStretch(1);
  grid->addWidget(foot_, static_cast<int>(rows_.size()) + 1, kName, 1, kHands + 1);
  connect(again_, &QPushButton::clicked, this, [this] {
    set_round(1 - round_);
    focus_first();
  });
  connect(room_, &QPushButton::clicked, this, &LessonVote::roomWanted);
}

LessonVote::Hands LessonVote::hands() const {
  Hands found;
  for (const Row& row : rows_) found[QString::fromStdString(row.id)] = {row.hands[0]->value(), row.hands[1]->value()};
  return found;
}

void LessonVote::set_hands(const Hands& hands) {
  for (const Row& row : rows_)
    if (const auto found = hands.find(QString::fromStdString(row.id)); found != hands.end())
      for (std::size_t round = 0; round < 2; ++round) {
        const QSignalBlocker block(row.hands[round]);
        row.hands[round]->setValue(found->second[round]);
      }
  describe();
  update();
  emit changed();
}

void LessonVote::set_round(int round) {
  round_ = round;
  now_->setText(rounds()[static_cast<std::size_t>(round)]);
  again_->setText(round == 0 ? tr("Vote again") : tr("Back to the first vote"));
  show_fields();
}

void LessonVote::set_fields_shown(bool shown) {
  fields_ = shown;
  show_fields();
}

void LessonVote::show_fields() {
  now_->setVisible(fields_);
  foot_->setVisible(fields_);
  for (const Row& row : rows_)
    for (std::size_t round = 0; round < 2; ++round)
      row.hands[round]->setVisible(fields_ && static_cast<int>(round) == round_);
}

void LessonVote::focus_first() {
  if (rows_.empty() || !fields_) return;
  QSpinBox* first = rows_.front().hands[static_cast<std::size_t>(round_)];
  first->setFocus(Qt::OtherFocusReason);
  first->selectAll();
}

void LessonVote::reveal(const std::string& right) {
  right_ = right;
  restyle();
  describe();
  update();
}

void LessonVote::restyle() {
  const Theme& theme = Theme::instance();
  const QFontMetrics metrics(theme.ui_font());
  now_->setFont(theme.ui_font(type::kSource));
  // As paint_legend() writes it; else it would run into what stands beside it.
  const QFontMetricsF small(theme.ui_font(type::kSource));
  const double box = 1.6 * kBarOfRow * small.height() + space::kTight + 2 + space::kMedium;
  legend_->setMinimumWidth(static_cast<int>(
      std::ceil(2 * box + small.horizontalAdvance(rounds()[0]) + small.horizontalAdvance(rounds()[1]))));
  for (const Row& row : rows_) {
    row.name->setFont(row.id == right_ ? strong_font(type::kText) : theme.ui_font());
    row.mark->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("✓")) + space::kTight);
    row.bars->setMinimumSize(metrics.horizontalAdvance(QStringLiteral("999 → 999")) + space::kMargin,
                             metrics.lineSpacing() + space::kTight);
    // Three digits and what stands around them.
    for (QSpinBox* each : row.hands) each->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("00000")));
  }
}

void LessonVote::describe() {
  const Hands hands = this->hands();
  const std::array<int, 2> all = {all_of(hands, 0), all_of(hands, 1)};
  QStringList said;
  for (const Row& row : rows_)
    said << with_colon(row.name->text(), counted(hands.at(QString::fromStdString(row.id)), all));
  if (const QString told = summary(); !told.isEmpty()) said << told;
  setAccessibleDescription(said.join(QLatin1Char('\n')));
}

QString LessonVote::summary(const Hands& hands, const QString& right) {
  const auto chosen = hands.find(right);
  if (chosen == hands.end()) return {};
  const int all = all_of(hands, 0), all_after = all_of(hands, 1);
  QString text;
  if (all > 0) text = tr("The room: %1 of %2 were right.").arg(chosen->second[0]).arg(all);
  if (all_after > 0)
    text += (text.isEmpty() ? QString() : QStringLiteral(" ")) +
            tr("Second vote: %1 of %2.").arg(chosen->second[1]).arg(all_after);
  return text;
}

int LessonVote::all_of(const Hands& hands, std::size_t round) {
  int all = 0;
  for (const auto& [id, each] : hands) all += each[round];
  return all;
}

int LessonVote::most_of(const Hands& hands) {
  int most = 0;
  for (const auto& [id, each] : hands) most = std::max({most, each[0], each[1]});
  return most;
}

QString LessonVote::counted(const std::array<int, 2>& hands, const std::array<int, 2>& all) {
  return all[1] == 0   ? QString::number(hands[0])
         : all[0] == 0 ? QString::number(hands[1])
                       : QStringLiteral("%1 → %2").arg(hands[0]).arg(hands[1]);
}

void LessonVote::paint_bars(QPainter& painter, const QRectF& place, const std::array<int, 2>& hands, int most,
                            bool right) {
  if (most == 0) return;
  const Tokens& t = tokens();
  const auto bar = [&](int count, double high) {
    QRectF rect(place.left(), 0, count * place.width() / most, high);
    rect.moveCenter(QPointF(rect.center().x(), place.center().y()));
    return rect;
  };
  if (hands[1] > 0)
    draw_box(painter, bar(hands[1], kFilledOfBar * place.height()), radius::kCell, QPen(Qt::NoPen),
             right ? t.good : t.ink2);
  if (hands[0] > 0)
    draw_box(painter, bar(hands[0], place.height()), radius::kCell, QPen(t.ink2, Theme::instance().line(1.5)));
}

void LessonVote::paint_legend(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont font = Theme::instance().ui_font(type::kSource);
  const QFontMetricsF metrics(font);
  const double high = kBarOfRow * metrics.height(), wide = 1.6 * high;
  double x = legend_->x();
  const double middle = legend_->geometry().center().y() + 0.5;
  painter.setFont(font);
  for (std::size_t round = 0; round < 2; ++round) {
    const QRectF box(x, middle - high / 2, wide, high);
    round == 0 ? draw_box(painter, box, radius::kCell, QPen(t.ink2, Theme::instance().line(1.5)))
               : draw_box(painter, box, radius::kCell, QPen(Qt::NoPen), t.ink2);
    painter.setPen(t.ink2);
    const QString name = rounds()[round];
    const QRectF words(x + wide + space::kTight, middle - metrics.height() / 2, metrics.horizontalAdvance(name) + 2,
                       metrics.height());
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, name);
    x = words.right() + space::kMedium;
  }
}

void LessonVote::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_legend(painter);
  const Hands hands = this->hands();
  const std::array<int, 2> all = {all_of(hands, 0), all_of(hands, 1)};
  const int most = most_of(hands);
  for (const Row& row : rows_) {
    const std::array<int, 2>& mine = hands.at(QString::fromStdString(row.id));
    const bool right = !right_.empty() && row.id == right_;
    const QFont font = right ? strong_font(type::kText) : Theme::instance().ui_font();
    const double number = QFontMetricsF(font).horizontalAdvance(QStringLiteral("999 → 999")) + space::kSmall;
    QRectF place = row.bars->geometry();
    place.setRight(std::max(place.left() + 1, place.right() - number));
    const double line = QFontMetricsF(font).height();
    place = QRectF(place.left(), place.center().y() - kBarOfRow * line / 2, place.width(), kBarOfRow * line);
    paint_bars(painter, place, mine, most, right);
    painter.setFont(font);
    painter.setPen(tokens().ink);
    if (most > 0) {
      const double end = place.left() + std::max(mine[0], mine[1]) * place.width() / most;
      painter.drawText(QRectF(end + space::kSmall, place.center().y() - line / 2, number, line),
                       Qt::AlignVCenter | Qt::AlignLeft, counted(mine, all));
    }
    if (!right) continue;
    painter.setPen(tokens().good);
    painter.drawText(row.mark->geometry(), Qt::AlignCenter, QStringLiteral("✓"));
  }
}

}  // namespace headlight
