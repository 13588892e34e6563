// A text for the model: one line of large letters, up to three of normal ones when there is more to read, then it
// scrolls. It has no line breaks and no undo of its own: Enter and Tab are the window's, and so is Ctrl+Z.
#pragma once

#include <QPlainTextEdit>
#include <vector>

class QScrollBar;

namespace headlight {

// Undo belongs to the session: its keys are left to the window. Whether this was one of them.
bool left_to_window(QEvent* event);

class SourceField : public QPlainTextEdit {
  Q_OBJECT
 public:
  static constexpr int kMostLines = 3;
  explicit SourceField(QWidget* parent = nullptr);

  QString text() const;
  void setText(const QString& text);  // nothing is emitted; the cursor goes to the end
  void clear() { setText({}); }
  void insert(const QString& text);  // as if it was pasted
  int cursorPosition() const { return textCursor().position(); }
  void setCursorPosition(int position);
  bool hasSelectedText() const { return textCursor().hasSelection(); }
  void set_most(int characters) { most_ = characters; }
  // What the model does not know of this text: struck out where it is left out, else underlined.
  struct Part {
    int begin = 0, end = 0;
    bool left_out = true;
    bool operator==(const Part&) const = default;
  };
  void set_unread(const QString& text, std::vector<Part> parts);
  void set_characters(bool characters);  // that the model reads; else words, which need no fixed pitch
  // What stands inside of the field takes this much at its right; and the field is at least so high.
  void set_room(int right, int least_height);
  int lines() const { return lines_; }      // that are seen
  QScrollBar* bar() const { return bar_; }  // shown where there are more

 signals:
  void textEdited(const QString& text);  // by the person

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;

 private:
  void changed();
  void mark_unread();
  void fit();
  QString within(const QString& text, qsizetype room) const;

  QScrollBar* bar_;
  QString last_;
  int most_ = 20000, right_ = 0, least_ = 0, lines_ = 1;
  bool setting_ = false, fitting_ = false, characters_ = true;
  std::vector<Part> unread_;  // of the text that is there
};

}  // namespace headlight
