// A canvas whose layout finds a place under each point: what is under the mouse lights up and says what it is, and a
// click chooses it.
#pragma once

#include "widgets/canvas/canvas.h"

namespace headlight {

// Place{}: there is nothing.
template <class Place, class Base = Canvas>
class PlaceCanvas : public Base {
 public:
  virtual QString place_tooltip(const Place& place) const = 0;

 protected:
  using Base::Base;
  virtual Place place_at(QPointF point) const = 0;
  virtual void press_place(const Place&) {}
  virtual void open_place(const Place&) {}  // pressed twice
  virtual void hover_changed() {}           // hovered() is another place
  // Whether a click does something there: the pointer says so.
  virtual bool is_pressable(const Place& place) const { return place != Place{}; }
  virtual Qt::CursorShape pointer(const Place& place) const {
    return is_pressable(place) ? Qt::PointingHandCursor : Qt::ArrowCursor;
  }

  const Place& hovered() const { return hovered_; }
  void set_hovered(const Place& place) {
    if (this->move_mark(hovered_, place)) hover_changed();
  }

  QString tooltip(QPointF point) const override { return place_tooltip(place_at(point)); }
  Qt::CursorShape hover(QPointF point) override {
    set_hovered(place_at(point));
    return pointer(hovered_);
  }
  void leave() override { set_hovered({}); }
  void press(QPointF point, Qt::KeyboardModifiers) override {
    if (const Place place = place_at(point); place != Place{}) press_place(place);
  }
  void open_at(QPointF point) override {
    if (const Place place = place_at(point); place != Place{}) open_place(place);
  }

 private:
  Place hovered_;
};

}  // namespace headlight
