#include "app/window/learned_panel.h"

#include <QLabel>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "app/document/learned_texts.h"
#include "app/document/run_texts.h"
#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr std::size_t kMostTries = 5;
constexpr qsizetype kWordsShown = 24, kWordsTold = 400;
constexpr int kWrapped = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;

QFont told_font() { return Theme::instance().ui_font(); }

int wrapped_height(const QString& text, const QFont& font, int width) {
  return QFontMetrics(font).boundingRect(QRect(0, 0, std::max(width, 40), 10'000), kWrapped, text).height();
}

}  // namespace

TryRow::TryRow(const Learned::Text& text, QWidget* parent) : QAbstractButton(parent), pair_(text) {
  setText(from_utf8(text.text));
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
  retranslate();
}

void TryRow::set_output(const QString& output) {
  output_ = output;
  retranslate();
  updateGeometry();
  update();
}

void TryRow::retranslate() {
  setAccessibleName(text());
  setAccessibleDescription(output_.isEmpty() ? QString()
                           : !marked()       ? tr("The model writes %1.").arg(output_)
                           : is_right()
                               ? tr("The model writes %1, which is right.").arg(output_)
                               : tr("The model writes %1; right would be %2.").arg(output_, from_utf8(pair_.right)));
  setToolTip(marked() && !is_right() ? plain_tooltip(tr("Right would be %1").arg(from_utf8(pair_.right)))
                                     : plain_tooltip(tr("Try this text")));
}

int TryRow::beside() const {
  return pair_.right.empty() ? 0 : space::kSmall + QFontMetrics(strong_font()).horizontalAdvance(QChar(0x2713));
}

bool TryRow::one_line(int width) const {
  return text_width(text(), told_font()) + space::kLarge + text_width(output_, told_font()) <= width - beside();
}

int TryRow::heightForWidth(int width) const {
  const int line = QFontMetrics(told_font()).height() + space::kSmall;
  if (one_line(width)) return line;
  const int room = width - beside();
  return wrapped_height(text(), told_font(), room) +
         (output_.isEmpty() ? 0 : wrapped_height(output_, told_font(), room - space::kMedium)) + space::kSmall;
}

QSize TryRow::sizeHint() const { return {200, heightForWidth(200)}; }

void TryRow::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (underMouse() || isDown())
    draw_box(painter, QRectF(rect()).adjusted(-space::kSmall, 1, space::kSmall, -1), radius::kButton, QPen(Qt::NoPen),
             t.press);
  QFont link = told_font();
  link.setUnderline(true);
  const int room = width() - beside();
  const QColor& second = underMouse() || isDown() ? t.ink : t.ink2;
  QRect mark = rect();
  if (one_line(width())) {
    write(painter, QRect(0, 0, room, height()), kLeft, text(), link, t.ink);
    write(painter, QRect(0, 0, room, height()), kRight, output_, told_font(), t.ink);
  } else {
    const int high = wrapped_height(text(), told_font(), room);
    write(painter, QRect(0, space::kTight, room, high), kWrapped, text(), link, t.ink);
    const QRect below(space::kMedium, space::kTight + high, room - space::kMedium, height());
    write(painter, below, kWrapped, output_, told_font(), second);
    mark.setTop(space::kTight + high);
  }
  if (marked())
    write(painter, mark, kRight, is_right() ? QChar(0x2713) : QChar(0x2717), strong_font(),
          is_right() ? t.good : t.bad);
}

LearnedPanel::LearnedPanel(QWidget* parent)
    : QWidget(parent),
      title_(text_label(this)),
      sentence_(text_label(this)),
      words_(text_label(this)),
      said_(text_label(this)),
      line_(new QWidget(this)) {
  setObjectName(QStringLiteral("learned"));
  title_->setObjectName(QStringLiteral("learned_title"));
  said_->setObjectName(QStringLiteral("learned_strange"));
  line_->setFixedHeight(space::kHair);
  line_->setAutoFillBackground(true);
  line_->setBackgroundRole(QPalette::Midlight);
  set_ink(words_, &Tokens::ink2);
  for (QWidget* each : {title_, sentence_}) each->show();  // what is not shown has no place
  parts_ = {title_, sentence_, words_, line_, said_};
}

void LearnedPanel::set_model(std::shared_ptr<const ModelBundle> model, const std::string& like) {
  if (model == model_) return;
  model_ = std::move(model);
  const KeepKeyboard keyboard(this);
  for (TryRow* row : std::exchange(rows_, {})) {
    row->hide();
    row->deleteLater();
  }
  strange_run_.reset();
  asked_ = strange_ = false;
  parts_ = {title_, sentence_, words_, line_, said_};
  if (!model_) return;
  const Learned& learned = learned_by(model_->task);
  std::vector<Learned::Text> texts;
  if (learned.tries && !model_->stored) texts = learned.tries(like);
  if (texts.empty() && !model_->stored)
    for (const std::string& example : model_->examples) texts.push_back({example.substr(0, example.find('\n')), {}});
  std::erase_if(texts, [&](const Learned::Text& each) { return each.text.empty() || each.text == like; });
  if (texts.size() > kMostTries) texts.resize(kMostTries);
  if (learned.beyond && !texts.empty()) {
    texts.push_back(learned.beyond(like));
    strange_ = true;
  }
  for (const Learned::Text& each : texts) {
    auto* row = new TryRow(each, this);
    rows_.push_back(row);
    connect(row, &TryRow::clicked, this, [this, row] { emit tried(row->text()); });
    row->show();
  }
  parts_ = {title_, sentence_};
  parts_.insert(parts_.end(), rows_.begin(), rows_.end() - (strange_ ? 1 : 0));
  parts_.insert(parts_.end(), {words_, line_});
  if (strange_) parts_.push_back(rows_.back());
  parts_.push_back(said_);
  retranslate();
}

void LearnedPanel::ask() {
  if (std::exchange(asked_, true) || !model_ || rows_.empty()) return;
  std::vector<Request> requests;
  for (const TryRow* row : rows_) {
    Request request;
    request.model = model_;
    request.source = row->pair().text;
    request.capture.explain = false;
    requests.push_back(std::move(request));
  }
  emit runsWanted(requests);
}

void LearnedPanel::set_run(int index, std::shared_ptr<const Result> result) {
  if (index < 0 || index >= static_cast<int>(rows_.size()) || result->model != model_) return;
  TryRow* row = rows_[static_cast<std::size_t>(index)];
  if (row->pair().text != result->source) return;
  row->set_output(from_utf8(result->output).trimmed());
  if (strange_ && row == rows_.back()) {
    strange_run_ = std::move(result);
    say_strange();
  }
  emit outputsChanged();
}

QString LearnedPanel::sentence() const { return sentence_->text(); }
QString LearnedPanel::strange() const { return said_->text(); }

// Why it is none of what was learned, and how sure the model is all the same.
void LearnedPanel::say_strange() {
  QStringList said;
  if (strange_run_) {
    said = note_texts(*strange_run_).mid(0, 1);
    double least = 1;
    for (const OutputStep& step : strange_run_->steps) least = std::min(least, step.probability);
    // Where words are guessed, the others are read and not chosen.
    if (!strange_run_->steps.empty() && !guesses_hidden_words(*strange_run_))
      said << tr("It cannot say ‘I don’t know’: where it is least sure, it is %1 sure.").arg(percent(least));
  }
  //: Two sentences after each other.
  said_->setText(said.size() == 2 ? tr("%1 %2").arg(said[0], said[1]) : said.value(0));
  said_->setVisible(!said.isEmpty());
}

void LearnedPanel::retranslate() {
  title_->setFont(strong_font(type::kTitle));
  title_->setText(tr("What this model has learned"));
  setAccessibleName(title_->text());
  if (!model_) return;
  const QString learned = learned_text(*model_);
  //: A sentence, and what one can do with what stands below it.
  sentence_->setText(rows_.empty() ? learned : tr("%1 Try one:").arg(learned));
  const QStringList words = known_words(*model_);
  const bool more = words.size() > kWordsShown;
  words_->setVisible(!words.isEmpty());
  words_->setText(more ? tr("Its words: %1 …").arg(words.mid(0, kWordsShown).join(tr(", ")))
                       : tr("Its words: %1").arg(words.join(tr(", "))));
  words_->setToolTip(more ? wrapped_tooltip(words.mid(0, kWordsTold).join(tr(", "))) : QString());
  line_->setVisible(strange_);
  for (TryRow* row : rows_) row->retranslate();
  say_strange();
}

// The parts that are shown, below each other; `placed`: they are put there.
int LearnedPanel::height_of_parts(int width, bool placed) const {
  const int left = space::kLarge, room = width - 2 * left;
  int y = space::kMedium;
  for (QWidget* each : parts_) {
    if (each->isHidden()) continue;
    if (each == line_) y += space::kTight;
    const int high = each == line_               ? space::kHair
                     : each->hasHeightForWidth() ? each->heightForWidth(room)
                                                 : each->sizeHint().height();
    if (placed) each->setGeometry(left, y, room, high);
    y += high + space::kTight;
  }
  return y + space::kMedium - space::kTight;
}

void LearnedPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  height_of_parts(width(), true);
}

void LearnedPanel::fit(int width, int height) {
  const std::size_t tries = rows_.size() - (strange_ ? 1 : 0);
  for (TryRow* row : rows_) row->show();
  words_->setVisible(model_ && !known_words(*model_).isEmpty());
  const auto too_high = [&] { return height >= 0 && heightForWidth(width) > height; };
  const auto hide_tries = [&](std::size_t least) {
    for (std::size_t i = tries; i > least && too_high(); --i) rows_[i - 1]->hide();
  };
  hide_tries(2);
  if (too_high()) words_->hide();
  hide_tries(1);
  height_of_parts(width, true);
}

void LearnedPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, rect(), radius::kList, QPen(Qt::NoPen), tokens().desk);
}

}  // namespace headlight
