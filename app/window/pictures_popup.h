// All pictures of a model as small ones of the run that is there: what opens below "More". A click, Enter or the key of
// a picture brings it to the front.
#pragma once

#include <QFrame>
#include <QTimer>
#include <memory>
#include <vector>

#include "app/window/name_row.h"

class QScrollArea;

namespace headlight {

class AnalysedRun;
class PictureButton;

class PicturesPopup : public QFrame {
  Q_OBJECT
 public:
  explicit PicturesPopup(QWidget* parent);
  void open_below(QWidget* anchor, const QList<NameRow::Name>& names, const QString& front);
  // What the small pictures show; while it is open they follow.
  void set_run(std::shared_ptr<const AnalysedRun> run);
  QStringList shown() const;                    // names, in their order
  bool has_picture(const QString& name) const;  // it was drawn; not, where there is nothing to draw

 signals:
  void chosen(const QString& name);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void draw_next();
  void choose(const QString& name);

  std::shared_ptr<const AnalysedRun> run_;
  QList<NameRow::Name> names_;
  std::vector<PictureButton*> buttons_;
  QScrollArea* scroll_;
  QWidget* out_of_sight_;
  QTimer drawing_;  // one picture after the other: the list is there at once
  std::size_t next_ = 0;
  int columns_ = 1;
};

}  // namespace headlight
