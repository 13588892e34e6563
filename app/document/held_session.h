// The file of a session that nobody saved by hand, and the lock beside it that says that a window has it.
#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

namespace headlight {

class HeldSession {
 public:
  // Null where a living window has it, or where the folder cannot be written; `path` need not exist.
  static std::unique_ptr<HeldSession> take(const QString& path);
  ~HeldSession();  // lets go of it: the file stays
  HeldSession(const HeldSession&) = delete;
  HeldSession& operator=(const HeldSession&) = delete;

  const QString& path() const { return path_; }
  // Notes beside the file that it is being opened, until that has ended or this object has: should it be what ends the
  // program, it does so only once. False where nothing can be noted.
  bool begin_opening();
  void end_opening();
  // Notes that the program was asked to end, so that the next start does not speak of a defect.
  void note_asked();
  bool remove();  // the file and what stands beside it

  // Without taking it: whether no living window has it, and whether the program ended while it opened it.
  static bool is_abandoned(const QString& path);
  static bool ended_program(const QString& path);
  static bool was_asked(const QString& path);

 private:
  HeldSession(QString path, std::unique_ptr<QLockFile> lock);
  QString path_;
  std::unique_ptr<QLockFile> lock_;
  bool opening_ = false;
};

}  // namespace headlight
