// Everything of the window by its name: Ctrl+K, and what is done with what was found.
#pragma once

#include <QObject>

#include "app/find/index.h"
#include "app/find/searched_window.h"

namespace headlight {

class FindPalette;

class Finder : public QObject {
  Q_OBJECT
 public:
  explicit Finder(SearchedWindow window);
  // What can be found is looked for now. Once more: it closes.
  void open();
  void close();
  FindPalette* palette() const { return palette_; }

 private:
  void go_to(const FindEntry& entry);
  void go_to_mechanism(const QString& id);
  void go_to_number(const FindEntry& entry);
  void go_to_token(const FindEntry& entry);
  void leave_start();

  SearchedWindow window_;
  FindPalette* palette_;
};

}  // namespace headlight
