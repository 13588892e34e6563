// The program as a process, without a display and without the desktop's settings.
#pragma once

#include <QFileInfo>
#include <QProcess>

namespace headlight::testing {

struct Outcome {
  int status = -1;  // 128 and the number of the signal, as in a shell
  QString out, error;
};

using Variables = QList<QPair<QString, QString>>;

inline void prepare(QProcess& process, const Variables& variables) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
  for (const auto& [name, value] : variables) environment.insert(name, value);
  process.setProcessEnvironment(environment);
}

inline Outcome finished(QProcess& process) {
  if (!process.waitForFinished(120000)) return {-1, {}, process.errorString()};
  const bool signalled = process.exitStatus() == QProcess::CrashExit;
  return {(signalled ? 128 : 0) + process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

inline QString program() { return qEnvironmentVariable("HEADLIGHT_BINARY"); }

inline Outcome run_program(const QStringList& arguments, const Variables& variables = {}, const QString& folder = {}) {
  QProcess process;
  prepare(process, variables);
  if (!folder.isEmpty()) process.setWorkingDirectory(folder);
  process.start(QFileInfo(program()).absoluteFilePath(), arguments);
  return finished(process);
}

// What a message has to be, whatever is wrong: one line that is not too long.
inline bool is_one_line(const QString& error) {
  return error.startsWith("headlight: ") && error.endsWith('\n') && error.count('\n') == 1 &&
         error.toUtf8().size() <= 500;
}

}  // namespace headlight::testing
