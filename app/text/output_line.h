// The output behind the arrow, as large as there is room for: in one line, else smaller, else in up to three lines; and
// what the changes of the person made of it, struck out and written anew.
#pragma once

#include <QFont>
#include <QWidget>
#include <vector>

#include "app/text/changed_output.h"

namespace headlight {

class OutputLine : public QWidget {
  Q_OBJECT
 public:
  explicit OutputLine(QWidget* parent);
  void set_text(const QString& text, int most);  // pixels of the line
  void forget() { most_ = -1; }                  // the letters are others
  void set_characters(bool characters);          // that the model writes; else words
  void set_parts(std::vector<OutputPart> parts);
  void set_spaced(bool spaced) { spaced_ = spaced; }  // parts are words; before set_parts()
  const std::vector<OutputPart>& parts() const { return parts_; }
  QString text() const { return text_; }
  // What is told of it instead while a lesson asks for it; null: itself.
  void set_closed(const QString& closed);
  QString told() const { return closed_.isNull() ? text_ : closed_; }
  bool characters() const { return characters_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void fit();
  double text_width_whole() const;
  QFont font_of(const OutputPart& part) const;
  double gap(std::size_t at) const;
  double parts_width() const;
  void paint_parts(QPainter& painter) const;

  std::vector<OutputPart> parts_;
  bool spaced_ = false, shows_parts_ = false, characters_ = true;
  QString text_, closed_;
  QFont font_;
  int width_ = 0, most_ = -1;
};

}  // namespace headlight
