// What the model has learned to read: in a sentence, with texts to try and what the model itself writes of each, and
// with one that it never saw anything like.
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <memory>
#include <vector>

#include "model/decode/run.h"
#include "model/models/description.h"
#include "model/training/tasks/learned.h"

class QLabel;

namespace headlight {

// A text to try, what the model writes of it, and whether that is right where somebody can say.
class TryRow : public QAbstractButton {
  Q_OBJECT
 public:
  TryRow(const Learned::Text& text, QWidget* parent);
  void set_output(const QString& output);
  const Learned::Text& pair() const { return pair_; }
  QString output() const { return output_; }
  bool is_right() const { return output_.toStdString() == pair_.right; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  void retranslate();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool one_line(int width) const;
  bool marked() const { return !pair_.right.empty() && !output_.isEmpty(); }
  int beside() const;  // for the mark
  Learned::Text pair_;
  QString output_;
};

class LearnedPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LearnedPanel(QWidget* parent = nullptr);
  // The texts to try say what `like` says, where the model has learned that. Nothing is run until the panel is asked.
  void set_model(std::shared_ptr<const ModelBundle> model, const std::string& like);
  void ask();  // for the runs of the texts, once
  QString sentence() const;
  QString strange() const;  // what is said of the text that it never saw anything like
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return height_of_parts(width, false); }
  // As many texts as there is room for; negative: all of them.
  void fit(int width, int height);
  void retranslate();

  // Of SideRuns::serve().
  void set_run(int index, std::shared_ptr<const Result> result);
  void set_run_failed(int, const QString&) {}
  void set_models(const std::vector<ModelDescription>&) {}

 signals:
  void tried(const QString& text);
  void outputsChanged();  // the panel needs another height
  void runsWanted(const std::vector<headlight::Request>& requests);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void say_strange();
  int height_of_parts(int width, bool placed) const;
  std::shared_ptr<const ModelBundle> model_;
  std::vector<TryRow*> rows_;  // the last one is of the strange text, where there is one
  bool strange_ = false, asked_ = false;
  std::shared_ptr<const Result> strange_run_;
  std::vector<QWidget*> parts_;  // below each other, as far as they are shown
  QLabel *title_, *sentence_, *words_, *said_;
  QWidget* line_;
};

}  // namespace headlight
