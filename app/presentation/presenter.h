// Showing a model to a room: the whole screen, large letters, colours for a projector, and only what is talked about.
#pragma once

#include <QLayout>
#include <QList>
#include <QPointer>
#include <QRectF>
#include <QScreen>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/settings.h"
#include "widgets/base/theme.h"

class QKeyEvent;

namespace headlight {

class Spotlight;

// Knows only of a window: notes how that is, changes it, and puts it back, also when the window is closed; what this
// window does on a stage is Presentation's. While it is on, the keys of key_table() belong to it, as those of a
// presentation remote, in every window that belongs to this one. The window stands on the other screen, if there is
// one: the screen that it stood on is left to whoever presents.
class Presenter : public QObject {
  Q_OBJECT
 public:
  static constexpr double kLarger = 1.5;   // than before, at least
  static constexpr double kCapitals = 45;  // are at least this part of the height of the screen
  static constexpr double kSmallestFactor = 0.6, kLargestFactor = 2;

  enum class Act { none, forward, back, spotlight, black, white, vote, end };
  // What a key would be typed into: nothing, a field of whole numbers, or one that takes it.
  enum class Typing { nothing, number, text };
  // The keys of the remote, as Help > Keyboard shows them. `most`: where it still belongs to the remote.
  struct Key {
    int key = 0;
    Typing most = Typing::number;
  };
  struct KeyRow {
    const char* keys;
    const char* what;  // untranslated: see key_text()
    Act act;
    std::span<const Key> bindings;
  };
  static std::span<const KeyRow> key_table();
  static QString key_text(const char* text) { return tr(text); }

  explicit Presenter(QWidget* window);
  ~Presenter() override;

  // Where the light falls, in coordinates of the window; asked again and again while the spotlight is on. None: nothing
  // is faded.
  void set_spot(std::function<QList<QRectF>()> spot) { spot_ = std::move(spot); }

  // A key that whoever is on the stage has another use for.
  void set_left(std::function<bool(const QKeyEvent& key)> left) { left_ = std::move(left); }

  bool is_active() const { return active_; }
  bool is_spotlight_on() const { return light_.isActive(); }

  // How much larger than such capitals the type of the presentation is: its own choice, apart from that of the window.
  double factor() const { return factor_; }
  void set_factor(double factor);
  // Larger (1), smaller (-1) or as at first (0), while presenting; false: nobody is.
  bool change_type(int direction);

  // How the window is when nobody presents: what a session has to remember also meanwhile.
  std::optional<UserSettings::Layout> kept() const;  // nothing while nobody presents

  // How the panels of the window are arranged: noted at the start, and put back at the end.
  void set_layout(std::function<QByteArray()> save, std::function<void(const QByteArray&)> restore) {
    save_ = std::move(save);
    restore_ = std::move(restore);
  }

  // Puts away these parts of the window; `stage` gets the keyboard. `clear` hides the others, once it is noted how
  // everything was, and before the letters grow: what is hidden then need not be fitted to them.
  void start(QWidget* stage, const QList<QWidget*>& around, const std::function<void()>& clear = nullptr);
  void set_spotlight(bool on);
  // As if its key had been pressed; nothing while nobody presents.
  void act(Act act);
  // Of the screens that `taken` is not, the first; null: there is no other one.
  static QScreen* other_screen(const QScreen* taken);
  // Whether the room has a screen of its own.
  bool has_own_screen() const { return active_ && before_.screen && before_.screen != window_->screen(); }
  QScreen* screen_before() const { return before_.screen; }
  double type_before() const;  // the scale of letters at which whoever presents reads

 public slots:
  void stop();

 signals:
  void step(int direction);  // 1 or -1
  void voteWanted();
  void keyboardFree();  // what was typed is done: the keyboard is for the stage again
  void factorChanged(double factor);
  void hintChanged(const QString& hint);  // what the remote can do, for some seconds; then empty
  void activeChanged(bool active);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // How everything was.
  struct Before {
    QRect geometry, normal;  // `normal`: of a window that was as large as its screen
    Qt::WindowStates state;
    QPointer<QScreen> screen;
    QByteArray layout, saved_geometry;
    Theme::Mode mode = Theme::Mode::light;
    double font_scale = 1;
    QPointer<QWidget> focus;
  };
  struct Part {
    QPointer<QWidget> widget;
    bool was_visible = false;
  };

  static Act act_of(const QKeyEvent& event, const QWidget& widget);
  bool is_ours(const QWidget& widget) const;
  void fill(QScreen* screen);
  void go_back(bool moved);
  void free_after_enter(const QEvent& event, const QWidget* widget);
  bool take_key(QEvent* event, const QWidget& widget);
  void perform(Act act);
  double type_for(int height) const;  // of the window: the scale of the theme
  void grow_type();
  void bind_window(QLayout::SizeConstraint constraint);
  void arrange();
  void show_hint(bool shown);
  void raise_sheet();

  QWidget* window_;
  std::function<QList<QRectF>()> spot_;
  std::function<bool(const QKeyEvent&)> left_;
  std::function<QByteArray()> save_;
  std::function<void(const QByteArray&)> restore_;
  std::vector<Part> parts_;
  Before before_;
  QPointer<Spotlight> sheet_;
  QTimer light_, hint_time_, grow_, filled_;
  double factor_ = 1;
  bool active_ = false;
};

}  // namespace headlight
