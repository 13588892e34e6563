// What somebody says in a chat: lines of text, as high as they need up to five lines, then it scrolls. It has no undo
// of its own.
#pragma once

#include <QPlainTextEdit>
#include <span>

namespace headlight {

class ChatField : public QPlainTextEdit {
  Q_OBJECT
 public:
  static constexpr int kMostLines = 5;
  static constexpr int kMostCharacters = 100'000;
  struct KeyRow {
    const char* keys;
    const char* what;  // untranslated: see key_text()
  };
  static std::span<const KeyRow> key_table();
  static QString key_text(const char* text) { return tr(text); }
  explicit ChatField(QWidget* parent = nullptr);

  void set_text(const QString& text);  // nothing is emitted; where it stands already, the cursor stays
  void set_growing(bool growing);      // until then it becomes no lower

 signals:
  void edited(const QString& text);
  void next_wanted();      // Enter
  void moved(int by);      // Alt+Up, Alt+Down
  void removal_wanted();   // Backspace in an empty one
  void neighbour(int by);  // Up in its first line, Down in its last one
  void fitted();           // its height is another

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  bool setting_ = false, growing_ = false;
};

}  // namespace headlight
