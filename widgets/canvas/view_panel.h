// The frame of most views: a bar of controls, a picture or a message that says why there is none, and a note below it.
#pragma once

#include <QWidget>

#include "widgets/canvas/result_view.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedLayout;

namespace headlight {

class AttentionChooser;
class Canvas;
class ViewBar;

// A list of choices that needs no more room than for some letters.
QComboBox* choice_box(QWidget* parent, int letters);
// Text as it is, in lines, muted, on the ground of a picture.
QLabel* plain_label(QWidget* parent);

class ViewPanel : public QWidget, public ResultView {
  Q_OBJECT
 public:
  QString message() const;  // why there is no picture; empty: there is one
  // What takes the keyboard when the panel gets it. (Not a focus proxy: with one, Tab would come back to the picture
  // from whatever stands behind it.)
  QWidget* keyboard_target() const { return keyboard_; }
  // The bar of controls above the picture, to stand elsewhere for a while, and back; null: there is none above it.
  QWidget* lent_bar() const { return lendable_ ? bar() : nullptr; }
  void set_bar_edge(int left);  // what stands in front of it
  int bar_width() const;        // that it asks for, without that
  void take_back_bar();
  // What a lesson asks for is told neither in the bar nor in the note, to nobody.
  void set_covered(bool covered);
  // Where the light falls when this view is presented: around what is chosen, with its labels. None: around the
  // pointer.
  virtual QList<QRectF> spots() const { return {}; }
  // The attention that is chosen in its bar, the zoom of its pictures, and what is its own.
  QVariantMap choices() const final;
  void set_choices(const QVariantMap& choices) final;
  QSize sizeHint() const override { return wanted_.isValid() ? wanted_ : QWidget::sizeHint(); }

 protected:
  ViewPanel(const ViewContext& context, QWidget* parent);

  enum class BarPlace { above, below };
  // To be called once, when the bar has its controls. The picture gets the keyboard; `wanted`: room for all of it.
  void build(QWidget* picture, QSize wanted = {}, BarPlace place = BarPlace::above);
  QWidget* bar() const;
  QHBoxLayout* bar_row();  // of the bar, for its controls
  // Shows the picture, or, where the message is not empty, that.
  void show_message(const QString& message);
  // Which of these it is: there is no run, it was not recorded, the model lacks what is shown.
  QString reason(const QString& no_run, const QString& lacking) const;
  void set_note(const QString& text);  // empty: there is none

  // Below a menu of the view's own: what every panel offers (the actions of the frame around it).
  void add_panel_actions(QMenu* menu) const;

  virtual QVariantMap own_choices() const { return {}; }
  virtual void set_own_choices(const QVariantMap&) {}
  virtual void retranslate() = 0;  // all texts, in the language that is now
  virtual Figure picture();        // as drawn(), asked for where there is one; of a canvas that is all of it
  Figure drawn() final;
  static Figure figure_of(const Canvas* canvas);

  void set_keyboard_target(QWidget* target) { keyboard_ = target; }

  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void showEvent(QShowEvent* event) override;

  Selection* const selection_;
  ViewRequests* const requests_;

 private:
  QList<AttentionChooser*> choosers() const;
  QList<Canvas*> canvases() const;

  void show_note();

  ViewBar* bar_;
  QWidget *picture_ = nullptr, *keyboard_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  QSize wanted_;
  QLabel *message_, *note_;
  QString note_text_;
  bool lendable_ = false, covered_ = false;
};

// Those of the frame around a panel, below a menu of the panel's own.
void add_frame_actions(const QWidget* panel, QMenu* menu);

}  // namespace headlight
