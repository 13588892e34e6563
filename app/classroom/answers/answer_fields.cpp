// A control for each kind of answer.

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/classroom/answers/answer_words.h"
#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/answers/typed_fields.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/focus.h"
#include "widgets/base/ink.h"
#include "widgets/base/spoken.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/attention_words.h"

namespace headlight {

namespace {

// A choice: its words in as many lines as they need, checked in ink, right with ✓.
class ChoiceRow : public QAbstractButton {
 public:
  ChoiceRow(const QString& words, QWidget* parent) : QAbstractButton(parent) {
    setText(words);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAttribute(Qt::WA_Hover);
  }
  void set_right(bool right) {
    right_ = right;
    setAccessibleDescription(right ? AnswerWords::tr("right") : QString());
    update();
  }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override {
    const QFontMetrics metrics(font());
    return metrics.boundingRect(0, 0, std::max(20, width - 2 * space::kMedium - mark()), 4000, Qt::TextWordWrap, text())
               .height() +
           2 * space::kSmall;
  }
  QSize sizeHint() const override { return {160, heightForWidth(std::max(160, width()))}; }

 protected:
  void resizeEvent(QResizeEvent*) override { fit(); }
  // Letters may become larger while it stays as wide as it is.
  void changeEvent(QEvent* event) override {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
  }
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double pen = isChecked() ? 2 : 1;
    draw_box(painter, QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), radius::kButton,
             QPen(isChecked() ? t.ink : t.edge, pen), underMouse() && isEnabled() ? t.hover : t.paper);
    painter.setPen(isEnabled() || isChecked() || right_ ? t.ink : t.ink2);
    painter.setFont(font());
    painter.drawText(rect().adjusted(space::kMedium, 0, -space::kMedium - mark(), 0),
                     Qt::AlignVCenter | Qt::TextWordWrap, text());
    if (!right_) return;
    painter.setPen(t.good);
    painter.drawText(rect().adjusted(0, 0, -space::kMedium, 0), Qt::AlignVCenter | Qt::AlignRight, QStringLiteral("✓"));
  }

 private:
  void fit() {
    if (const int wanted = heightForWidth(width()); wanted != minimumHeight()) setFixedHeight(wanted);
    updateGeometry();
  }
  int mark() const { return QFontMetrics(font()).horizontalAdvance(QStringLiteral("✓")) + space::kTight; }
  bool right_ = false;
};

class ChoiceField : public AnswerField {
 public:
  ChoiceField(const StepWords& words, QWidget* parent) : AnswerField(parent) {
    auto* rows = column_in(this, space::kSmall);
    for (const LessonChoice& choice : words.choices) {
      auto* row = new ChoiceRow(from_utf8(plain_text(choice.words)), this);
      row->setObjectName(QStringLiteral("choice_") + QString::fromStdString(choice.id));
      rows->addWidget(row);
      rows_.emplace_back(choice.id, row);
      connect(row, &QAbstractButton::toggled, this, &AnswerField::changed);
    }
  }
  std::optional<ExpressionValue> value() const override {
    for (const auto& [id, row] : rows_)
      if (row->isChecked()) return ExpressionValue(id);
    return {};
  }
  void set(const ExpressionValue& value) override {
    for (const auto& [id, row] : rows_)
      if (value == ExpressionValue(id)) row->setChecked(true);
  }
  void reveal(const ExpressionValue& truth, bool) override {
    for (const auto& [id, row] : rows_) {
      row->setEnabled(false);
      row->set_right(truth == ExpressionValue(id));
    }
  }

 private:
  std::vector<std::pair<std::string, ChoiceRow*>> rows_;
};

// Tokens as keys that stay down; the same tokens can be clicked in the picture.
class TokensField : public AnswerField {
 public:
  TokensField(const LessonAnswer& answer, const AnswerFacts& facts, QWidget* parent)
      : AnswerField(parent), output_(answer.of_output) {
    new FlowLayout(this, space::kTight);
    for (const auto& [place, text] : answer.of_output ? facts.output : facts.source) {
      add_key(place, QStringLiteral("token_%1").arg(place),
              AnswerWords::visible(text).replace('&', QStringLiteral("&&")),
              text.trimmed().isEmpty() ? AnswerWords::tr("space") : text)
          ->setFont(Theme::instance().token_font());
    }
    Theme::instance().restyles(this, [this] {
      for (const auto& [place, key] : keys_) key->setFont(Theme::instance().token_font());
    });
    if (output_ || facts.blanks.empty()) return;
    // All of the padding is one key, as it is one column of the picture.
    blanks_ = facts.blanks;
    add_key(blanks_.front(), QStringLiteral("token_blanks"), padding_name(static_cast<int>(blanks_.size())),
            AnswerWords::tr("the padding behind the text"));
  }
  std::optional<ExpressionValue> value() const override {
    Places chosen{output_ ? Places::Of::output : Places::Of::source, {}, {}};
    for (const auto& [place, key] : keys_)
      if (key->isChecked() && !blanks_.empty() && place == blanks_.front())
        chosen.at.insert(chosen.at.end(), blanks_.begin(), blanks_.end());
      else if (key->isChecked())
        chosen.at.push_back(place);
    return chosen.empty() ? std::nullopt : std::optional<ExpressionValue>(chosen);
  }
  void set(const ExpressionValue& value) override {
    if (const auto* places = std::get_if<Places>(&value))
      for (const auto& [place, key] : keys_) key->setChecked(holds(*places, place));
  }
  void reveal(const ExpressionValue& truth, bool) override {
    const auto* places = std::get_if<Places>(&truth);
    for (const auto& [place, key] : keys_) {
      key->setEnabled(false);
      if (!places || !holds(*places, place)) continue;
      key->setText(key->text() + QStringLiteral(" ✓"));
      key->setAccessibleDescription(AnswerWords::tr("right"));
    }
  }
  void pick(std::optional<int> step, std::optional<int> token, bool) override {
    std::optional<int> wanted = output_ ? step : token;
    if (wanted && std::ranges::find(blanks_, *wanted) != blanks_.end()) wanted = blanks_.front();
    for (const auto& [place, key] : keys_)
      if (wanted == place && key->isEnabled()) key->toggle();
  }

 private:
  QToolButton* add_key(int place, const QString& name, const QString& text, const QString& spoken) {
    auto* key = new QToolButton(this);
    key->setObjectName(name);
    key->setText(text);
    key->setCheckable(true);
    key->setFocusPolicy(Qt::StrongFocus);
    key->setAccessibleName(spoken);
    layout()->addWidget(key);
    keys_.emplace_back(place, key);
    connect(key, &QToolButton::toggled, this, &AnswerField::changed);
    return key;
  }

  // The key of the padding stands for any of it.
  bool holds(const Places& places, int place) const {
    const auto in = [&](int each) { return std::ranges::find(places.at, each) != places.at.end(); };
    return !blanks_.empty() && place == blanks_.front() ? std::ranges::any_of(blanks_, in) : in(place);
  }
  bool output_;
  std::vector<int> blanks_;
  std::vector<std::pair<int, QToolButton*>> keys_;
};

// Squares that were clicked in the picture; each goes by a click on its name.
class CellsField : public AnswerField {
 public:
  CellsField(const LessonAnswer& answer, const AnswerFacts& facts, QWidget* parent)
      : AnswerField(parent),
        most_(answer.most),
        facts_(facts),
        flow_(new FlowLayout(this, space::kTight)),
        add_(new QToolButton(this)) {
    add_->setObjectName(QStringLiteral("add_square"));
    add_->setText(AnswerWords::tr("Add the chosen square"));
    add_->setFocusPolicy(Qt::StrongFocus);
    add_->setEnabled(false);
    flow_->addWidget(add_);
    connect(add_, &QToolButton::clicked, this, [this] {
      if (pending_) toggle(*pending_);
    });
  }
  std::optional<ExpressionValue> value() const override {
    return cells_.empty() ? std::nullopt : std::optional<ExpressionValue>(Places{Places::Of::cells, {}, cells_});
  }
  void set(const ExpressionValue& value) override {
    if (const auto* places = std::get_if<Places>(&value))
      for (const auto& cell : places->cells)
        if (std::ranges::find(cells_, cell) == cells_.end()) toggle(cell);
  }
  void reveal(const ExpressionValue&, bool) override {
    setEnabled(false);
    revealed_ = true;
  }
  void pick(std::optional<int> step, std::optional<int> token, bool clicked) override {
    if (!step || !token || revealed_) return;
    pending_ = {*step, *token};
    add_->setEnabled(true);
    if (clicked) toggle(*pending_);
  }

 private:
  void toggle(std::pair<int, int> cell) {
    if (const auto found = std::ranges::find(cells_, cell); found != cells_.end())
      cells_.erase(found);
    else if (static_cast<int>(cells_.size()) < most_)
      cells_.push_back(cell);
    for (QToolButton* each : names_) each->deleteLater();
    names_.clear();
    for (const auto& [step, token] : cells_) {
      auto* name = new QToolButton(this);
      name->setText(QStringLiteral("%1 → %2  ×")
                        .arg(AnswerWords::visible(facts_.step(step)), AnswerWords::visible(facts_.token(token))));
      name->setToolTip(AnswerWords::tr("Take this square back"));
      flow_->addWidget(name);
      name->show();
      names_.push_back(name);
      connect(name, &QToolButton::clicked, this, [this, at = std::pair(step, token)] { toggle(at); });
    }
    emit changed();
  }
  int most_;
  AnswerFacts facts_;
  FlowLayout* flow_;
  QToolButton* add_;
  std::optional<std::pair<int, int>> pending_;
  std::vector<std::pair<int, int>> cells_;
  std::vector<QToolButton*> names_;
  bool revealed_ = false;
};

constexpr int kLowestBars = 150;  // pixels

// Bars that are drawn: how much of its attention lies on each token; what is left lies elsewhere. Or the points of a
// curve, each a share of its own.
class WeightsField : public AnswerField {
 public:
  WeightsField(const AnswerFacts& facts, bool curve, QWidget* parent)
      : AnswerField(parent), facts_(facts), curve_(curve) {
    setObjectName(QStringLiteral("answer_weights"));
    setProperty(kMarksItself, true);
    setFocusPolicy(Qt::StrongFocus);
    given_.assign(facts.over.at.size(), 0);
    setMinimumHeight(kLowestBars);
    setAccessibleName(AnswerWords::tr("Your answer"));
    describe_bar();
  }
  bool is_given() const override { return touched_; }
  std::optional<ExpressionValue> value() const override {
    int tokens = 0;
    for (const auto& [place, text] : facts_.source) tokens = std::max(tokens, place + 1);
    for (const int place : facts_.over.at) tokens = std::max(tokens, place + 1);
    NumberList row{{tokens}, std::vector<double>(static_cast<std::size_t>(tokens)), !curve_};
    for (std::size_t i = 0; i < given_.size(); ++i) row.values[static_cast<std::size_t>(facts_.over.at[i])] = given_[i];
    return row;
  }
  void set(const ExpressionValue& value) override {
    const auto* row = std::get_if<NumberList>(&value);
    if (!row) return;
    touched_ = true;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const auto place = static_cast<std::size_t>(facts_.over.at[i]);
      given_[i] = place < row->values.size() ? row->values[place] : 0;
    }
    emit changed();
    update();
  }
  void reveal(const ExpressionValue& truth, bool) override {
    if (const auto* row = std::get_if<NumberList>(&truth))
      for (const int place : facts_.over.at) truth_.push_back(row->values[static_cast<std::size_t>(place)]);
    revealed_ = true;
    setMinimumHeight(kLowestBars + legend());
    update();
  }
  bool compares() const override { return true; }
  QSize sizeHint() const override { return {240, kLowestBars + legend()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, QRectF(rect()).adjusted(1, 1, -1, -1), radius::kButton,
             hasFocus() ? QPen(t.ink, 2) : QPen(t.line, 1), t.paper);
    const auto count = bars();
    for (std::size_t i = 0; i < count; ++i) {
      const QRectF whole = bar(i);
      const double mine = i < given_.size() ? given_[i] : rest(given_);
      painter.setPen(Qt::NoPen);
      painter.setBrush(t.bed);
      painter.drawRect(whole);
      const double part = revealed_ ? 0.5 : 1;
      painter.setBrush(t.ink);
      painter.drawRect(
          QRectF(whole.left(), whole.bottom() - mine * whole.height(), part * whole.width(), mine * whole.height()));
      if (revealed_) {
        const double theirs = i < truth_.size() ? truth_[i] : rest(truth_);
        painter.setBrush(Theme::instance().weight(0.75));
        painter.drawRect(QRectF(whole.center().x(), whole.bottom() - theirs * whole.height(), 0.5 * whole.width(),
                                theirs * whole.height()));
      }
      painter.setPen(t.ink);
      QFont font = i < given_.size() ? Theme::instance().token_font() : Theme::instance().ui_font(type::kSource);
      font.setWeight(i == current_ && hasFocus() ? QFont::DemiBold : QFont::Normal);
      painter.setFont(font);
      if (!is_named(i)) continue;
      const QString name =
          i < given_.size() ? AnswerWords::visible(facts_.token(facts_.over.at[i])) : QStringLiteral("…");
      const double wide = QFontMetricsF(font).horizontalAdvance(name);
      const double left = std::clamp(whole.center().x() - wide / 2, 2.0, std::max(2.0, width() - 2 - wide));
      painter.drawText(QRectF(left, whole.bottom(), wide + 1, height() - whole.bottom() - 2), Qt::AlignCenter, name);
    }
    if (revealed_) paint_legend(painter);
  }
  void mousePressEvent(QMouseEvent* event) override { drag(event->position()); }
  void mouseMoveEvent(QMouseEvent* event) override { drag(event->position()); }
  void keyPressEvent(QKeyEvent* event) override {
    const int key = event->key();
    if (revealed_ || given_.empty()) return AnswerField::keyPressEvent(event);
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
      current_ = (current_ + (key == Qt::Key_Right ? 1 : given_.size() - 1)) % given_.size();
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
      put(current_, given_[current_] + (key == Qt::Key_Up ? 0.05 : -0.05));
    } else {
      return AnswerField::keyPressEvent(event);
    }
    describe_bar();
    Spoken::instance().say(this, accessibleDescription());
    update();
  }

 private:
  int legend() const { return QFontMetrics(Theme::instance().ui_font(type::kSource)).height() + space::kTight; }
  // Which half of a bar is whose.
  void paint_legend(QPainter& painter) const {
    painter.setFont(Theme::instance().ui_font(type::kSource));
    double x = space::kSmall;
    const auto name = [&](const QColor& colour, const QString& text) {
      const double side = 0.6 * legend();
      painter.fillRect(QRectF(x, space::kTight + 0.2 * side, side, side), colour);
      x += side + space::kTight;
      painter.setPen(tokens().ink);
      const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text);
      painter.drawText(QRectF(x, space::kTight, wide + 2, legend()), Qt::AlignLeft | Qt::AlignTop, text);
      x += wide + space::kMedium;
    };
    if (touched_) name(tokens().ink, AnswerWords::tr("you"));
    name(Theme::instance().weight(0.75), AnswerWords::tr("the model"));
  }
  QRectF bar(std::size_t i) const {
    const double line = QFontMetricsF(Theme::instance().token_font()).height() + 6;
    const double width = (this->width() - 16.) / static_cast<double>(bars());
    const int top = 8 + (revealed_ ? legend() : 0);
    return {8 + width * static_cast<double>(i) + 0.15 * width, static_cast<double>(top), 0.7 * width,
            height() - line - top - 2};
  }
  // Where numbers have no room beside each other, the first, the middle and the last say what the others are.
  bool is_named(std::size_t i) const {
    const QFontMetricsF metrics(Theme::instance().token_font());
    double widest = 0;
    for (const int place : facts_.over.at)
      widest = std::max(widest, metrics.horizontalAdvance(AnswerWords::visible(facts_.token(place))));
    const std::size_t last = bars() - 1;
    const bool room = widest + space::kSmall <= (width() - 16.) / static_cast<double>(bars());
    return !curve_ || room || i == 0 || i == last || 2 * i == last;
  }
  std::size_t bars() const { return given_.size() + (curve_ ? 0 : 1); }  // also what is left
  static double rest(const std::vector<double>& given) {
    double sum = 0;
    for (const double each : given) sum += each;
    return std::clamp(1 - sum, 0.0, 1.0);
  }
  void drag(QPointF point) {
    if (revealed_) return;
    for (std::size_t i = 0; i < given_.size(); ++i)
      if (const QRectF whole = bar(i); point.x() >= whole.left() && point.x() <= whole.right())
        put(i, (whole.bottom() - point.y()) / whole.height());
  }
  void put(std::size_t i, double value) {
    current_ = i;
    touched_ = true;
    given_[i] = 0;
    // All weights add up to one.
    given_[i] = std::clamp(std::round(value * 100) / 100, 0.0, curve_ ? 1.0 : rest(given_));
    describe_bar();
    emit changed();
    update();
  }
  void describe_bar() {
    if (current_ < given_.size())
      setAccessibleDescription(
          AnswerWords::tr("%1: %2 %. Left and right choose, up and down change.")
              .arg(facts_.token(facts_.over.at[current_]), AnswerWords::percent(given_[current_])));
  }
  AnswerFacts facts_;
  const bool curve_;
  std::vector<double> given_, truth_;
  std::size_t current_ = 0;
  bool touched_ = false, revealed_ = false;
};

}  // namespace

AnswerField* make_answer_field(const LessonStep& step, const StepWords& words, const AnswerFacts& facts,
                               QWidget* parent) {
  using Kind = LessonAnswer::Kind;
  switch (step.answer.kind) {
    case Kind::choice:
      return new ChoiceField(words, parent);
    case Kind::number:
      return make_number_field(step.answer, parent);
    case Kind::text:
      return make_text_field(step.answer, parent);
    case Kind::tokens:
      return new TokensField(step.answer, facts, parent);
    case Kind::cells:
      return new CellsField(step.answer, facts, parent);
    case Kind::weights:
    case Kind::curve:
      return new WeightsField(facts, step.answer.kind == Kind::curve, parent);
  }
  return nullptr;
}

}  // namespace headlight
