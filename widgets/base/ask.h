// Questions of the window. None waits for its answer: each opens over the window of `parent`, deletes itself, and calls
// what it was given along. That is not called where the person thinks better of it, nor where `parent` is gone by then.
#pragma once

#include <QString>
#include <functional>

class QMessageBox;
class QWidget;

namespace headlight {

// Before something is lost: what goes, and that it cannot be brought back. Nothing goes by one key or click. What
// Ctrl+Z brings back does not ask.
struct Loss {
  QString question;  // "Discard this session? It cannot be brought back."
  QString what;      // that goes, by its name; empty: the question says it
  QString verb;      // on the button that does it
};
// `lose` is called after a yes; Enter and Escape mean no.
void ask_to_lose(QWidget* parent, const Loss& loss, std::function<void()> lose);
// The same for a file that is written over; `write` is called at once where there is none.
void before_writing(QWidget* parent, const QString& path, std::function<void()> write);

// Before work is left that no file has: saved first, or not.
QMessageBox* ask_to_save(QWidget* parent, const QString& question, const QString& what,
                         std::function<void(bool save)> leave);

struct TextQuestion {
  QString title, words, text;  // `text` stands there already
};
void ask_for_text(QWidget* parent, const TextQuestion& question, std::function<void(const QString&)> take);

struct NumberQuestion {
  QString title, words;
  double now = 0, least = 0, most = 1, step = 1;
};
void ask_for_number(QWidget* parent, const NumberQuestion& question, std::function<void(double)> take);

void tell(QWidget* parent, const QString& what, const QString& title = {});

}  // namespace headlight
