// What the window shows below its bar: model, text and output on top, below them the picture with its names, its output
// and its caption, and slots below and beside it that open when something is asked for. Where there is too little
// height for all of them (a small window, large letters), each keeps what it needs to be read, and the rest is scrolled
// to.
#pragma once

#include <QSplitter>
#include <QWidget>

#include "app/stage/arrangement.h"

class QScrollArea;
class QVBoxLayout;

namespace headlight {

class NameRow;

class Stage : public QWidget {
  Q_OBJECT
 public:
  explicit Stage(QWidget* parent = nullptr);
  ~Stage() override;

  QSplitter* slot(Slot slot) const;
  NameRow* names() const { return names_; }
  void set_top(QWidget* top);          // model, text and output
  void set_strip(QWidget* strip);      // above the picture, where it does not show the text itself
  void set_column(QWidget* column);    // the output, beside the picture
  void set_caption(QWidget* caption);  // below the picture
  QWidget* picture() const { return main_; }
  // The page of the start: what it asks stands above everything, what it says of the model beside the picture, and what
  // it offers below. The names of the pictures are away while it is shown.
  void set_start(QWidget* question, QWidget* beside, QWidget* offers);
  void show_start(bool shown);

  // Shows the slots that have something in them, in these sizes; empty: as they begin.
  void fit(QList<int> across, QList<int> down);
  // What is put away while presenting; slots that have nothing in them are not seen anyhow.
  QList<QWidget*> around() const;

 signals:
  void resized();
  void moved(const QList<int>& across, const QList<int>& down);  // a person gave the slots other sizes

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void share_height();  // between the picture and what is below it
  void fit_rolls();
  void place_caption();
  void show_focus(QWidget* now);

  QSplitter *across_, *down_, *main_, *side_, *below_;
  QScrollArea *centre_roll_, *side_roll_;
  QWidget *centre_, *middle_;
  QVBoxLayout *rows_, *picture_rows_;
  NameRow* names_;
  QList<int> down_sizes_;
  bool rolls_ = false;
  void fit_start();
  QWidget *caption_ = nullptr, *question_ = nullptr, *offers_ = nullptr;
};

}  // namespace headlight
