#include "widgets/text/switch_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "model/models/variant.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

struct SwitchWords {
  Q_DECLARE_TR_FUNCTIONS(SwitchWords)
};

// The core knows no Qt: its texts are translated in a context of their own.
QString text(const char* source) { return QCoreApplication::translate("Switch", source); }

QString plain(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? SwitchWords::tr("on") : SwitchWords::tr("off");
  if (value.is_number()) return short_number(value.get<double>());
  return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

QString switch_name(const Switch& one) { return text(one.name); }
QString switch_help(const Switch& one) { return text(one.help); }
QString choice_name(const SwitchChoice& choice) { return text(choice.name); }
QString choice_help(const SwitchChoice& choice) { return text(choice.help); }

QString value_in_words(const Switch& one, const Json& value) {
  for (const SwitchChoice& choice : one.choices)
    if (choice.value == value) return choice_name(choice);
  if (one.zero && value.is_number() && value.get<double>() == 0) return text(one.zero);
  return plain(value);
}

QString setting_in_words(const ModelBundle& bundle, const QString& key) {
  const std::string name = key.toStdString();
  const Json& config = bundle.model->config();
  const Json& trained = as_trained(bundle).model->config();
  if (!config.contains(name) || !trained.contains(name)) return key;
  const auto switches = switches_of(bundle);
  const auto found = std::ranges::find_if(switches, [&](const Switch& one) { return one.key == name; });
  const auto words = [&](const Json& value) {
    return found == switches.end() ? plain(value) : value_in_words(*found, value);
  };
  return SwitchWords::tr("%1: %2 → %3")
      .arg(found == switches.end() ? key : switch_name(*found), words(trained.at(name)), words(config.at(name)));
}

QString untrained_in_words(const ModelBundle& bundle) {
  if (bundle.untrained.empty()) return {};
  QStringList names;
  for (const std::string& parameter : bundle.untrained) {
    const QString name = QString::fromStdString(parameter);
    names << name.section(' ', 0, 0).section('.', -1) + ' ' + name.section(' ', 1);
  }
  return SwitchWords::tr(
             "Never trained: %1. This mechanism needs what the model never learned; random numbers stand there, so "
             "the output is noise. A mechanism has to be trained together with its weights.")
      .arg(names.join(QStringLiteral(", ")));
}

}  // namespace headlight
