// The panels of the window as docks: where they stand, which of them the model has something for, and the layout of the
// first start. It knows no panel by its class.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <functional>
#include <memory>
#include <vector>

#include "app/window/view_table.h"

class QMenu;

namespace headlight {

class PanelHost;
class TablePane;
struct ModelBundle;

class WindowPanels : public QObject {
  Q_OBJECT
 public:
  explicit WindowPanels(QMainWindow* window);
  // In the order of the tabs; `view` is null for a panel of numbers. Once all are there: reset_layout().
  void add(const ViewRow& row, QWidget* widget, ResultView* view = nullptr);
  // What stands above the panels, as one reads it, and where the keyboard stops on its way through the window.
  void set_top(const QList<QWidget*>& in_order, const QList<QWidget*>& stops);

  void take(const std::shared_ptr<const AnalysedRun>& run);  // shows it in every view
  // Hides the panels that the model of this run has nothing for, and shows those that it has something for.
  void offer_what_there_is(const AnalysedRun& run);
  // What is exported: the view that has the keyboard, else the picture in front.
  struct Picture {
    QWidget* view = nullptr;
    bool has_keyboard = false;
    QString name;                                                            // of a file, without ending
    std::function<Figure()> figure;                                          // throws UsageError where there is nothing
    void write(const QString& path) const { write_figure(figure(), path); }  // throws FileError, UsageError
  };
  Picture picture() const;
  // The view with this name ("heads"); null where there is none.
  Picture picture(const QString& name) const;
  // Opens the numbers of a view as a table beside it, or closes them: of the view that has the keyboard, else of the
  // picture in front.
  void toggle_table();
  void set_table_shown(const QString& name, bool shown);
  TablePane* table_pane(const QString& name) const;  // null: none is open
  // Of the menu of every panel that has none of its own, and below the entries of those that have.
  void set_panel_actions(const QList<QAction*>& actions);
  // Brings a panel to the front; false where the model has nothing to show in it.
  bool raise(const QString& name);
  // Panels that the model has nothing for are hidden, whatever the user wants; a layout that is kept says what is
  // wanted.
  QByteArray save_state() const;
  void restore_state(const QByteArray& state);
  void retranslate();
  void reset_layout();
  // One entry for each panel: whether it is there; or, with Alt and a digit, the way to it.
  void fill_menu(QMenu* menu) const;
  void fill_goto_menu(QMenu* menu) const;
  // Moves the keyboard to the panel behind the one that has it.
  void focus_next() const;
  // Tab goes as one reads: the fields, the tokens, the picture, then what is below and beside it.
  void set_tab_order() const;

 signals:
  void seen(const QString& name);  // a panel came to the front

 private:
  struct Panel {
    QString name;
    ViewRow::Place place = ViewRow::Place::picture;
    QDockWidget* dock = nullptr;
    const char *title = "", *help = "";
    bool (*offers)(const AnalysedRun&) = nullptr;  // null: every model
    QWidget* widget = nullptr;
    ResultView* view = nullptr;  // null: a panel of numbers
    PanelHost* host = nullptr;
    QAction* goto_action = nullptr;  // brings it to the front, with the keyboard
    bool offered = true, wanted = true;
  };

  const Panel* panel_in_use() const;  // null: the keyboard is in none
  const Panel* picture_in_front() const;
  static Picture picture_of(const Panel& panel);
  void offer(Panel& panel, bool offered);
  static bool give_keyboard(QWidget* panel);  // false where nothing takes it
  void show_what_is_seen();
  static void set_fonts(QDockWidget* dock);
  void apply_fonts();
  void set_sizes();
  bool is_narrow() const;
  bool is_low() const;
  std::vector<QDockWidget*> docks(ViewRow::Place place) const;
  QDockWidget* dock(const char* name) const;

  QMainWindow* window_;
  QList<QWidget*> top_, top_stops_;
  std::vector<Panel> panels_;
  std::shared_ptr<const ModelBundle> offered_for_;
  bool offers_known_ = false;  // of that model, by a result that is not empty
  bool fresh_ = false;         // reset_layout() was before the first result: sizes are set once more
  bool arranged_narrow_ = false, arranged_low_ = false;  // by reset_layout()
};

}  // namespace headlight
