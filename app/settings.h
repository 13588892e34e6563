// What the program remembers between starts. What belongs to the person (language, theme, size of the type, less
// motion, own arrangements) is here alone: no session and no lesson changes it.
#pragma once

#include <QByteArray>
#include <QList>
#include <QSettings>
#include <QString>
#include <QVariantMap>
#include <optional>

namespace headlight {

enum class ThemeChoice { system, light, dark };

// A file of text that a full disk does not destroy; the format of every QSettings of the program (platform.cpp).
QSettings::Format settings_format();

// Plain values over QSettings; a broken or missing value is simply absent.
class UserSettings {
 public:
  struct Layout {
    QByteArray geometry, state;
    bool operator==(const Layout&) const = default;
  };
  std::optional<Layout> layout() const;
  void set_layout(const Layout& layout);
  void forget_layout();

  ThemeChoice theme() const;
  void set_theme(ThemeChoice theme);
  bool less_motion() const;
  void set_less_motion(bool less);
  int first_number() const;  // of layers, heads and tokens: 1, or 0
  void set_first_number(int first);
  double font_scale() const;
  void set_font_scale(double scale);
  double presenting() const;  // Presenter::factor()
  void set_presenting(double factor);
  QString language() const;  // "en", "zh_CN"; at first the system's, if we speak it
  void set_language(const QString& language);
  QString lesson_language() const;  // empty: that of the window
  void set_lesson_language(const QString& language);
  bool start_page() const;  // at every start, not only at the first one
  void set_start_page(bool always);
  QVariantMap views() const;  // what was chosen in each view, as SessionState::views
  void set_views(const QVariantMap& views);
  // The newest report of a crash that the person was told of.
  QString report() const;
  void set_report(const QString& path);
  QString last_model() const;
  QString last_source() const;
  void set_last(const QString& model, const QString& source);
  // Where the last answer to a question of this kind lay (file_dialogs.h); empty: there was none.
  QString folder(const QString& kind) const;
  void set_folder(const QString& kind, const QString& folder);

  // What an exported picture gets besides itself.
  struct ExportOptions {
    bool title = false, caption = false, colours = false;
    bool operator==(const ExportOptions&) const = default;
  };
  ExportOptions export_options() const;
  void set_export_options(const ExportOptions& options);

  struct Recent {
    enum class Kind { model, session };
    Kind kind = Kind::model;
    QString path;  // of a folder, or of a session file
    QString name;  // for people
    bool operator==(const Recent&) const = default;
  };
  QList<Recent> recent() const;  // the newest first
  void set_recent(const QList<Recent>& recent);
};

}  // namespace headlight
