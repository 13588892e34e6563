#include "app/classroom/lesson_vote.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>

#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

LessonVote::LessonVote(const StepWords& words, const Hands& counted, QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lesson_vote"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setColumnStretch(3, 1);
  const std::array<QString, 2> rounds = {tr("first vote"), tr("second vote")};
  for (int round = 0; round < 2; ++round) {
    QLabel* title = text_label(this);
    title->setWordWrap(false);
    const auto style = [title] { title->setFont(Theme::instance().ui_font(type::kSource)); };
    Theme::instance().restyles(title, style);
    style();
    title->setText(rounds[static_cast<std::size_t>(round)]);
    grid->addWidget(title, 0, round + 1);
  }
  for (const LessonChoice& choice : words.choices) {
    const int at = static_cast<int>(rows_.size()) + 1;
    Row row{choice.id, new QWidget(this), {}};
    const QString name = from_utf8(plain_text(choice.words));
    QLabel* label = text_label(this);
    label->setText(name);
    label->setMinimumWidth(60);
    grid->addWidget(label, at, 0);
    for (int round = 0; round < 2; ++round) {
      auto* hands = new QSpinBox(this);
      hands->setObjectName(QStringLiteral("hands_%1_%2").arg(QString::fromStdString(choice.id)).arg(round));
      hands->setRange(0, 999);
      hands->setAccessibleName(with_colon(name, rounds[static_cast<std::size_t>(round)]));
      grid->addWidget(hands, at, round + 1);
      if (const auto before = counted.find(QString::fromStdString(choice.id)); before != counted.end())
        hands->setValue(before->second[static_cast<std::size_t>(round)]);
      connect(hands, &QSpinBox::valueChanged, this, [this] {
        update();
        emit changed();
      });
      row.hands[static_cast<std::size_t>(round)] = hands;
    }
    row.bars->setMinimumWidth(30);
    grid->addWidget(row.bars, at, 3);
    rows_.push_back(row);
  }
}

LessonVote::Hands LessonVote::hands() const {
  Hands found;
  for (const Row& row : rows_) found[QString::fromStdString(row.id)] = {row.hands[0]->value(), row.hands[1]->value()};
  return found;
}

void LessonVote::reveal(const std::string& right) {
  right_ = right;
  setAccessibleDescription(summary());
  update();
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

void LessonVote::paint_bars(QPainter& painter, const QRectF& place, const std::array<int, 2>& hands,
                            const std::array<int, 2>& all) {
  for (std::size_t round = 0; round < 2; ++round) {
    if (all[round] == 0) continue;
    const double share = hands[round] / static_cast<double>(all[round]);
    const QRectF bar(place.left(), place.top() + (0.12 + 0.4 * static_cast<double>(round)) * place.height(),
                     share * place.width(), 0.34 * place.height());
    painter.fillRect(bar, round == 0 ? tokens().edge : tokens().ink);
  }
}

// Nothing of what others think before all have said what they think themselves.
void LessonVote::paintEvent(QPaintEvent*) {
  if (right_.empty()) return;
  QPainter painter(this);
  const Hands hands = this->hands();
  const std::array<int, 2> all = {all_of(hands, 0), all_of(hands, 1)};
  for (const Row& row : rows_) {
    const QRectF place = row.bars->geometry();
    paint_bars(painter, place, hands.at(QString::fromStdString(row.id)), all);
    if (row.id != right_) continue;
    painter.setPen(tokens().good);
    painter.setFont(Theme::instance().ui_font());
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("✓"));
  }
}

}  // namespace headlight
