// The first band of the lab: the sentence that is tried, which can be typed over, and what the model of this moment
// makes of it: struck what is not right, bold what it is sure of.
#pragma once

#include <QWidget>
#include <vector>

#include "app/lab/lab_picture.h"

class QBoxLayout;
class QLabel;
class QLineEdit;

namespace headlight {

// The words of the output in one line, as many as there is room for. Left and right go from word to word.
class ProbeOutput : public PlaceCanvas<LabPlace> {
  Q_OBJECT
 public:
  explicit ProbeOutput(QWidget* parent = nullptr);
  // `note`: stands there instead, while there is nothing.
  void set_words(std::vector<LabPicture::Word> words, bool characters, const QString& note);
  const std::vector<LabPicture::Word>& words() const { return words_; }
  QString place_tooltip(const LabPlace& place) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
  void zoom(double, QPointF) override {}
  void show_all() override {}

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QRectF cursor_rect() const override;
  void forget() override {}
  QString name() const override;
  QString description() const override;
  LabPlace place_at(QPointF point) const override;
  bool is_pressable(const LabPlace&) const override { return false; }
  bool go(int right, int down) override;
  bool press_space() override { return false; }

 private:
  QFont font_of(const LabPicture::Word& word) const;
  std::vector<LabPicture::Word> words_;
  std::vector<QRectF> places_;  // of those that have room
  QString note_;
  bool characters_ = false;
  int cursor_ = -1;
};

class ProbeBand : public QWidget {
  Q_OBJECT
 public:
  ProbeBand(LabShown* shown, LabProbe* probe, QWidget* parent = nullptr);

  QLineEdit* field() const { return field_; }
  ProbeOutput* output() const { return output_; }
  QString said() const;  // the line above: what this text is, and whether an answer is still computed
  void set_output_shown(bool shown);
  void set_presenting(bool presenting);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void fit();
  void retranslate();

  LabShown* shown_;
  LabProbe* probe_;
  QBoxLayout* line_;
  QLabel *said_, *arrow_;
  QLineEdit* field_;
  ProbeOutput* output_;
  bool output_shown_ = true;
};

}  // namespace headlight
