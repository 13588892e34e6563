// What keys and the mouse mean in every painted view: one table, which the views obey and Help > Keyboard shows.
#pragma once

#include <QString>
#include <optional>
#include <span>

class QKeyEvent;

namespace headlight {

enum class CanvasCommand {
  left, right, up, down,      // the cursor: to the next one in that direction
  page_up, page_down,         // several rows
  row_first, row_last,        // the ends of its row
  first, last,                // the ends of everything
  previous, next,             // another one of what the view shows: a head, a cell, a step
  closer, farther, show_all,  // zoom
  open,
};

struct CanvasKey {
  int key = 0;
  bool control = false;
  CanvasCommand command = CanvasCommand::open;
};

struct CanvasKeyRow {
  const char* keys;                     // as they are written
  const char* what;                     // untranslated: see canvas_key_text()
  std::span<const CanvasKey> bindings;  // none: the mouse, and what views do themselves
};

std::span<const CanvasKeyRow> canvas_key_table();
QString canvas_key_text(const char* text);  // keys and meanings in the language of the interface
std::optional<CanvasCommand> canvas_command(const QKeyEvent& event);

}  // namespace headlight
