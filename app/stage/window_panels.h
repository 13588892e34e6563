// The panels of the window: in which slot of the stage each stands, which of them the model has something for, and the
// arrangements between which a person switches. It knows no panel by its class.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/stage/arrangement.h"
#include "app/stage/view_table.h"

class QAction;
class QMainWindow;
class QMenu;

namespace headlight {

class PanelFrame;
class Stage;
class TablePane;
struct Capture;
struct ModelBundle;

class WindowPanels : public QObject {
  Q_OBJECT
 public:
  // The stage becomes the centre of the window.
  explicit WindowPanels(QMainWindow* window);
  // In the order of the names; `view` is null for a panel of numbers. Once all are there: reset_layout().
  void add(const ViewRow& row, QWidget* widget, ResultView* view = nullptr);
  // Where the keyboard stops above the panels, on its way from panel to panel.
  void set_top_stops(const QList<QWidget*>& stops);
  // Shown above pictures that do not show the text themselves; and beside the picture, where there is room. So the text
  // is there twice at most. Whether a picture has an axis of text says ViewRow::shows_text; a view that has one now and
  // then (HeadsView) says so by a property of that name. The column stands beside rows of outputs only.
  void set_strip(QWidget* strip);
  void set_column(QWidget* column);
  Stage* stage() const { return stage_; }

  void take(const std::shared_ptr<const AnalysedRun>& run);  // shows it in every view
  // Hides the panels that the model of this run has nothing for, and shows those that it has something for.
  void offer_what_there_is(const AnalysedRun& run);
  // What is exported: the view that has the keyboard, else the picture in front.
  struct Picture {
    QWidget* view = nullptr;
    bool has_keyboard = false;
    QString name;                                                            // of a file, without ending
    QString caption;                                                         // what it shows
    std::function<Figure()> figure;                                          // throws UsageError where there is nothing
    void write(const QString& path) const { write_figure(figure(), path); }  // throws FileError, UsageError
  };
  Picture picture() const;
  // The view with this name ("heads"); null where there is none.
  Picture picture(const QString& name) const;
  QString front() const;  // the picture in front
  // Opens the numbers of a view as a table beside it, or closes them: of the view that has the keyboard, else of the
  // picture in front.
  void toggle_table();
  void set_table_shown(const QString& name, bool shown);
  TablePane* table_pane(const QString& name) const;  // null: none is open
  // Of the menu of every panel that has none of its own, and below the entries of those that have.
  void set_panel_actions(const QList<QAction*>& actions, const QList<QAction*>& places);

  // Brings a panel to the front, in the slot that is its own; false where the model has nothing to show in it.
  bool raise(const QString& name);
  // The same with the keyboard, as its key does; says so where there is nothing to show (lacking()).
  void go_to(const QString& name);
  QKeySequence key_of(const QString& name) const;
  // Presenting: the pictures, with the steps of an output where they stand below, or this panel alone. Panels that are
  // brought to the front meanwhile take the place of the picture.
  void show_on_stage(const QString& name);
  void leave_stage() { on_stage_ = false; }
  bool is_on_stage() const { return on_stage_; }
  void focus_panel(const QString& name, Qt::FocusReason reason = Qt::ShortcutFocusReason) const;
  bool is_seen(const QString& name) const;
  // What the panels of the arrangement read of a run; nothing: everything.
  std::optional<Capture> read() const;
  bool is_offered(const QString& name) const;
  PanelFrame* frame(const QString& name) const;  // null: there is no such panel
  void put_away(const QString& name);
  // The panel in use, or the picture in front: into another slot, or into a window of its own.
  void move_beside();
  void move_below();
  void take_out();
  void set_out(const QString& name, bool out);
  bool is_out(const QString& name) const;
  QList<QWidget*> windows() const;  // of panels that were taken out

  // The ways to work, and saved ones.
  QStringList arrangements() const;
  QString arrangement() const { return arrangements_.current; }
  void arrange(const QString& name);  // also Arrangements::kStart
  void save_arrangement(const QString& name);
  QByteArray save_state() const;
  void restore_state(const QByteArray& state);
  void restore_session(const QByteArray& state);
  void keep_front() { front_was_chosen_ = true; }  // that was restored, when the first run arrives
  void reset_layout();                             // this arrangement as it was, every panel back in the window
  void retranslate();

  void fill_goto_menu(QMenu* menu) const;
  // Moves the keyboard to the panel behind the one that has it.
  void focus_next() const;

 signals:
  void seen(const QString& name);      // a panel came to the front
  void closed(const QString& name);    // by a person
  void arranged();                     // another arrangement, or other panels in this one
  void lacking(const QString& title);  // a key asked for a panel that has nothing to show of this model
  void presentWanted(const QString& name);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Panel {
    QString name;
    ViewRow::Place place = ViewRow::Place::picture;
    PanelFrame* frame = nullptr;
    const char *title = "", *help = "";
    bool shows_text = false;
    bool (*offers)(const AnalysedRun&) = nullptr;  // null: every model
    std::vector<std::string> (*sites)() = nullptr;
    QWidget* widget = nullptr;
    ResultView* view = nullptr;       // null: a panel of numbers
    QAction* goto_action = nullptr;   // brings it to the front, with the keyboard
    QAction* lacks_action = nullptr;  // in its place, with its key, where there is nothing to show
    bool offered = true;
    bool is_picture() const { return place == ViewRow::Place::picture; }
  };

  const Panel* panel(const QString& name) const;
  const Panel* panel_in_use() const;  // null: the keyboard is in none
  QString name_in_use() const;        // of that, else of the picture in front
  const Panel* picture_in_front() const;
  static Picture picture_of(const Panel& panel);
  Arrangement& edit();
  Arrangement now() const { return arrangements_.get(arrangements_.current); }
  QStringList shown(Slot slot) const;  // panels of a slot that are seen, in order
  void set_front(const QString& name);
  void remove(const QString& name);
  void show_alone(const QString& name);
  void move_to(const QString& name, Slot slot);
  void apply();
  QList<QWidget*> fill(Slot slot, const QStringList& names);  // those that were not there
  void fit_around();
  void fill_frame_menu(const Panel& panel);
  // False where nothing takes it.
  static bool give_keyboard(QWidget* panel, Qt::FocusReason reason = Qt::ShortcutFocusReason);
  void name_pictures();

  QMainWindow* window_;
  Stage* stage_;
  QList<QWidget*> top_stops_;
  QWidget *strip_ = nullptr, *column_ = nullptr;
  QList<QAction*> panel_actions_, places_;
  std::vector<Panel> panels_;
  Arrangements arrangements_;
  QStringList first_pictures_;
  std::shared_ptr<const ModelBundle> offered_for_;
  QHash<QString, QStringList> covered_;  // what a panel at the side took the place of, by its name
  bool offers_known_ = false;
  bool offered_chat_ = false;  // of a text made of messages            // of that model, by a result that is not empty
  bool applying_ = false, on_stage_ = false, front_was_chosen_ = false;
};

}  // namespace headlight
