// The names of the pictures above the picture: the few that tell most of this model, the rest behind "More", and a menu
// of what can be done with the picture in front.
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>
#include <memory>

class QMenu;
class QTabBar;
class QToolButton;

namespace headlight {

class AnalysedRun;
class PicturesPopup;
class ViewPanel;

class NameRow : public QWidget {
  Q_OBJECT
 public:
  struct Name {
    QString name, title, help;
    QAction* go_to = nullptr;
    bool operator==(const Name&) const = default;
  };
  explicit NameRow(QWidget* parent = nullptr);
  // The first `few` have a place in the row as far as there is room; it never reorders itself.
  void set_names(const QList<Name>& names, int few);
  void set_front(const QString& name);
  // The controls of the picture in front stand at the right, where there is room for them; null: it has none.
  void set_controls(ViewPanel* of);
  // What the small pictures behind "More" show.
  void set_run(std::shared_ptr<const AnalysedRun> run);
  QTabBar* tabs() const { return tabs_; }
  QToolButton* more() const { return more_; }
  PicturesPopup* pictures() const { return pictures_; }
  QMenu* menu() const { return menu_; }
  void retranslate();

 signals:
  void chosen(const QString& name);

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void fill();
  void place_controls();

  QPointer<ViewPanel> controls_of_;
  QList<Name> names_;
  int few_ = 4, shown_ = -1;
  QString front_;
  QTabBar* tabs_;
  QToolButton *more_, *dots_;
  QMenu* menu_;
  PicturesPopup* pictures_;
};

}  // namespace headlight
