// The words of a lesson as a widget: as high as they need, links by mouse and keyboard.
#pragma once

#include <QTextBrowser>
#include <functional>

#include "app/lessons/rich_text.h"

namespace headlight {

// What stands in place of a value; nothing where it is not known: its paragraph is left out.
using LessonValue = std::function<std::optional<std::string>(const TextSpan&)>;

// Writes a text into a document, in the colours of the theme; the words as they stand there.
QString write_words(QTextDocument& document, const RichText& text, const LessonValue& value, double size,
                    bool strong = false, bool* links = nullptr);

class LessonText : public QTextBrowser {
  Q_OBJECT
 public:
  using Value = LessonValue;
  explicit LessonText(QWidget* parent = nullptr);
  // A paragraph whose value is not known is left out.
  void set_words(const RichText& text, const Value& value, double size, bool strong = false);
  bool has_words() const { return !plain_.isEmpty(); }
  QString words() const { return plain_; }
  QSize sizeHint() const override { return {200, 40}; }
  QSize minimumSizeHint() const override { return {40, 10}; }

 signals:
  void followed(const QString& target);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fill();
  void fit();
  RichText text_;
  Value value_;
  double size_ = 1;
  bool strong_ = false;
  QString plain_;
};

}  // namespace headlight
