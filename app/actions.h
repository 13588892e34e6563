// Every action of the program, in one table: its id, text, shortcut, tooltip, menu and icon.
#pragma once

#include <QAction>
#include <QHash>
#include <QIcon>
#include <QObject>
#include <QString>
#include <span>

class QMenuBar;

namespace headlight {

enum class MenuId { none, file, edit, view, arrange, colours, language, help };

struct ActionRow {
  const char* id;
  const char* text;      // with the mnemonic
  const char* shortcut;  // portable text, several separated by "; "; empty: none
  const char* tooltip;
  const char* icon;  // name in :/icons; empty: none
  MenuId menu = MenuId::none;
  bool checkable = false;
  bool separator_before = false;
};

// Keys that views use inside themselves; for the keyboard help.
struct ViewKeyRow {
  const char* keys;
  const char* what;
};

std::span<const ActionRow> action_table();
std::span<const ViewKeyRow> view_key_table();
QList<QKeySequence> shortcuts_of(const ActionRow& row);
QString translated_action(const char* source);
// Without its mnemonic, which in Chinese stands behind it in brackets, and without the dots of a dialog: for buttons.
QString plain_action_text(const QString& text);

// Owns one QAction for each row. Texts follow the language, icons follow the theme.
class Actions : public QObject {
  Q_OBJECT
 public:
  explicit Actions(QObject* parent = nullptr);

  QAction* operator[](const char* id) const;  // a wrong id is a defect and aborts
  void fill_menu(QMenu* menu, MenuId id) const;
  void retranslate();
  void recolour();

 private:
  QHash<QString, QAction*> actions_;
  QHash<QRgb, QHash<QString, QIcon>> icons_;  // drawn so far, by their colour
  QRgb ink_ = 0;                              // of those that are shown; 0: none are
};

// An icon of ours in the text colour of the theme.
QIcon themed_icon(const QString& name);

}  // namespace headlight
