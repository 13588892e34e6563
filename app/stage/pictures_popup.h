// All pictures of a model as small ones of the run that is there: what opens below "More". A click, Enter or the key of
// a picture brings it to the front.
#pragma once

#include <QFrame>
#include <QTimer>
#include <memory>
#include <vector>

#include "app/stage/name_row.h"

class QScrollArea;

namespace headlight {

class AnalysedRun;
class PictureButton;
class SideRuns;
struct SmallView;
struct ViewRow;

class PicturesPopup : public QFrame {
  Q_OBJECT
 public:
  explicit PicturesPopup(QWidget* parent);
  ~PicturesPopup() override;
  // Makes the runs that a picture needs beside the one that is there.
  void set_side_runs(SideRuns* runs) { side_runs_ = runs; }
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
  void draw(PictureButton* button, const ViewRow& row);
  void choose(const QString& name);

  std::shared_ptr<const AnalysedRun> run_;
  QList<NameRow::Name> names_;
  std::vector<PictureButton*> buttons_;
  SideRuns* side_runs_ = nullptr;
  std::unique_ptr<SmallView> comparing_;  // waits for the run to compare with
  QScrollArea* scroll_;
  QWidget* out_of_sight_;
  QTimer drawing_;  // one picture after the other: the list is there at once
  std::size_t next_ = 0;
  int columns_ = 1;
};

}  // namespace headlight
