#include "app/classroom/answers/typed_fields.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/classroom/answers/answer_words.h"
#include "app/classroom/answers/typed_answer.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kMostTyped = 200;   // letters
constexpr int kLongSlider = 120;  // pixels: a hand finds a place on it

class NumberField : public AnswerField {
 public:
  NumberField(const LessonAnswer& answer, QWidget* parent)
      : AnswerField(parent), slider_(new QSlider(Qt::Horizontal, this)), box_(new QDoubleSpinBox(this)) {
    const int steps = static_cast<int>(std::round((answer.to - answer.from) / answer.step));
    slider_->setObjectName(QStringLiteral("answer_slider"));
    box_->setObjectName(QStringLiteral("answer_number"));
    slider_->setRange(0, steps);
    slider_->setAccessibleName(AnswerWords::tr("Your answer"));
    box_->setAccessibleName(AnswerWords::tr("Your answer"));
    box_->setRange(answer.from, answer.to);
    box_->setSingleStep(answer.step);
    box_->setDecimals(decimals_of(answer.step));
    if (!answer.unit.empty()) box_->setSuffix(QStringLiteral(" ") + from_utf8(answer.unit));
    slider_->setMinimumWidth(kLongSlider);
    auto* row = row_in(this, space::kSmall);
    row->addWidget(slider_, 1);
    row->addWidget(box_);
    box_->setValue((answer.from + answer.to) / 2);
    slider_->setValue(steps / 2);
    connect(slider_, &QSlider::valueChanged, this,
            [this, answer](int at) { take(answer.from + at * answer.step, true); });
    connect(box_, &QDoubleSpinBox::valueChanged, this, [this, answer](double value) {
      const QSignalBlocker block(slider_);
      slider_->setValue(static_cast<int>(std::round((value - answer.from) / answer.step)));
      take(value, false);
    });
  }
  std::optional<ExpressionValue> value() const override { return ExpressionValue(box_->value()); }
  bool is_given() const override { return given_; }
  void set(const ExpressionValue& value) override {
    if (const double* number = std::get_if<double>(&value)) take(*number, true);
  }
  void reveal(const ExpressionValue&, bool) override { setEnabled(false); }

 private:
  void take(double value, bool box) {
    given_ = true;
    if (box) {
      const QSignalBlocker block(box_);
      box_->setValue(value);
    }
    emit changed();
  }
  QSlider* slider_;
  QDoubleSpinBox* box_;
  bool given_ = false;
};

// Each letter that was typed: underlined where it is right, struck where it is not; a gap where one is missing.
class LetterMarks : public QWidget {
 public:
  LetterMarks(std::vector<TypedLetter> letters, QWidget* parent) : QWidget(parent), letters_(std::move(letters)) {
    setObjectName(QStringLiteral("letter_marks"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(AnswerWords::tr("Your answer"));
    QStringList said;
    for (const TypedLetter& each : letters_) {
      const QString letter = AnswerWords::visible(each.letter);
      said << (each.kind == TypedLetter::Kind::right   ? AnswerWords::tr("%1 right").arg(letter)
               : each.kind == TypedLetter::Kind::wrong ? AnswerWords::tr("%1 wrong").arg(letter)
                                                       : AnswerWords::tr("%1 missing").arg(letter));
    }
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    setToolTip(AnswerWords::tr("Underlined: right. Struck out: wrong. A gap: a letter is missing there."));
  }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override {
    const int rows = (static_cast<int>(letters_.size()) + in_row(width) - 1) / in_row(width);
    return std::max(1, rows) * static_cast<int>(std::ceil(cell().height()));
  }
  QSize sizeHint() const override {
    return {static_cast<int>(std::ceil(cell().width() * static_cast<double>(letters_.size()))),
            heightForWidth(std::max(1, width()))};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setFont(font_now());
    const QSizeF size = cell();
    const int columns = in_row(width());
    for (std::size_t i = 0; i < letters_.size(); ++i) {
      const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
      const QRectF place(QPointF(column * size.width(), row * size.height()), size);
      const TypedLetter& letter = letters_[i];
      const QRectF under(place.left() + 1, place.bottom() - kLine - 1, place.width() - 2, kLine);
      if (letter.kind == TypedLetter::Kind::missing) {
        painter.fillRect(under.adjusted(2, 0, -2, 0), t.ink2);
        continue;
      }
      const bool right = letter.kind == TypedLetter::Kind::right;
      painter.setPen(right ? t.ink : t.ink2);
      painter.drawText(place, Qt::AlignCenter, AnswerWords::visible(letter.letter));
      painter.fillRect(right ? under : QRectF(under.left(), place.center().y() - 1, under.width(), kLine),
                       right ? t.good : t.bad);
    }
  }

 private:
  static constexpr double kLine = 2;
  static QFont font_now() { return Theme::instance().token_font(type::kQuestion); }
  QSizeF cell() const {
    const QFontMetricsF metrics(font_now());
    double wide = metrics.horizontalAdvance(QLatin1Char('0'));
    for (const TypedLetter& each : letters_) wide = std::max(wide, metrics.horizontalAdvance(each.letter));
    return {wide + 3, metrics.height() + 2 * kLine};
  }
  int in_row(int width) const { return std::max(1, static_cast<int>(width / cell().width())); }
  std::vector<TypedLetter> letters_;
};

class TextField : public AnswerField {
 public:
  TextField(const LessonAnswer& answer, QWidget* parent) : AnswerField(parent), line_(new QLineEdit(this)) {
    line_->setObjectName(QStringLiteral("answer_text"));
    line_->setMaxLength(std::max(answer.longest, kMostTyped));  // an answer of another form is an answer, too
    Theme::instance().restyles(line_, [this] { line_->setFont(Theme::instance().token_font(type::kQuestion)); });
    line_->setFont(Theme::instance().token_font(type::kQuestion));
    line_->setAccessibleName(AnswerWords::tr("Your answer"));
    column_in(this, 0)->addWidget(line_);
    connect(line_, &QLineEdit::textChanged, this, &AnswerField::changed);
  }
  std::optional<ExpressionValue> value() const override {
    return line_->text().trimmed().isEmpty() ? std::nullopt
                                             : std::optional<ExpressionValue>(line_->text().toStdString());
  }
  void set(const ExpressionValue& value) override {
    if (const auto* text = std::get_if<std::string>(&value)) line_->setText(from_utf8(*text));
  }
  void reveal(const ExpressionValue& truth, bool given) override {
    line_->setReadOnly(true);
    const auto* right = std::get_if<std::string>(&truth);
    if (!given || !right) return;
    line_->hide();
    const bool same = is_same_answer(line_->text(), from_utf8(*right));
    layout()->addWidget(new LetterMarks(typed_letters(line_->text(), same ? line_->text() : from_utf8(*right)), this));
  }
  bool compares() const override { return true; }

 private:
  QLineEdit* line_;
};

}  // namespace

int decimals_of(double step) {
  int decimals = 0;
  for (; decimals < 6 && std::abs(step - std::round(step)) > 1e-9; step *= 10) ++decimals;
  return decimals;
}

AnswerField* make_number_field(const LessonAnswer& answer, QWidget* parent) { return new NumberField(answer, parent); }
AnswerField* make_text_field(const LessonAnswer& answer, QWidget* parent) { return new TextField(answer, parent); }

}  // namespace headlight
