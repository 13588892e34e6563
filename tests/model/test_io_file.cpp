// Reading and writing files: each way in which a disk can fail, with its message.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/io/file.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_io_file {

using namespace headlight::testing;

class TestIoFile : public QObject {
  Q_OBJECT

  static QString reading(const fs::path& path, std::uint64_t limit = 1000) {
    return message_of<FileError>([&] { read_file(path, limit); });
  }
  static QString writing(const fs::path& path, const std::string& bytes = "new") {
    return message_of<FileError>([&] { write_file_atomically(path, bytes); });
  }
  static QString text(const std::string& start, const fs::path& path, const std::string& end) {
    return QString::fromStdString(start + path.string() + end);
  }

 private slots:
  void reads_a_file() {
    Folder folder;
    const std::string bytes = std::string("a\0b", 3) + std::string(3'000'000, 'x');
    put_file(folder / "f", bytes);
    QVERIFY(read_file(folder / "f", 4'000'000) == bytes);
  }
  void reads_an_empty_file() {
    Folder folder;
    put_file(folder / "f", "");
    QVERIFY(read_file(folder / "f", 0).empty());
  }
  void missing_file() {
    Folder folder;
    QCOMPARE(reading(folder / "no"), text("cannot read ", folder / "no", ": there is no such file or folder"));
  }
  void folder_instead_of_a_file() {
    Folder folder;
    QCOMPARE(reading(folder.path()), text("cannot read ", folder.path(), ": it is a folder, not a file"));
  }
  void pipe_instead_of_a_file() {
    Folder folder;
    QCOMPARE(mkfifo((folder / "pipe").c_str(), 0600), 0);
    QCOMPARE(reading(folder / "pipe"), text("cannot read ", folder / "pipe", ": it is not a regular file"));
  }
  void file_above_the_limit() {
    Folder folder;
    put_file(folder / "f", std::string(1001, 'x'));
    QCOMPARE(reading(folder / "f"),
             text("cannot read ", folder / "f", ": it has 1,001 bytes, at most 1,000 bytes are expected here"));
  }
  void file_cut_off_while_it_is_read() {
    Folder folder;
    put_file(folder / "f", std::string(100, 'x'));
    const FileReader file(folder / "f");
    fs::resize_file(folder / "f", 40);
    std::string to(100, '\0');
    QCOMPARE(
        message_of<FileError>([&] { file.read(0, to.data(), 100); }),
        text("cannot read ", folder / "f", ": the file ends 60 bytes too early; was it changed while it was read?"));
  }
  void chunks_cover_the_range() {
    std::string bytes(2 * ChunkReader::kChunk + 5, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
    ChunkReader chunks([&](std::uint64_t at, void* to, std::size_t n) { std::memcpy(to, bytes.data() + at, n); }, 3,
                       bytes.size());
    std::string got;
    for (std::string_view piece = chunks.next(); !piece.empty(); piece = chunks.next()) {
      QVERIFY(piece.size() <= ChunkReader::kChunk);
      got += piece;
    }
    QVERIFY(got == bytes.substr(3));
  }

  void writes_a_new_file() {
    Folder folder;
    write_file_atomically(folder / "f", "new");
    QCOMPARE(get_file(folder / "f"), std::string("new"));
    QCOMPARE(folder.names(), std::vector<std::string>{"f"});
  }
  void replaces_a_file_and_keeps_its_permissions() {
    Folder folder;
    put_file(folder / "f", "old and longer");
    chmod((folder / "f").c_str(), 0640);
    write_file_atomically(folder / "f", "new");
    QCOMPARE(get_file(folder / "f"), std::string("new"));
    struct stat info {};
    stat((folder / "f").c_str(), &info);
    QCOMPARE(info.st_mode & 07777u, 0640u);
  }
  void writes_through_a_symbolic_link() {
    Folder folder;
    put_file(folder / "real", "old");
    fs::create_symlink("real", folder / "link");
    write_file_atomically(folder / "link", "new");
    QVERIFY(fs::is_symlink(folder / "link"));
    QCOMPARE(get_file(folder / "real"), std::string("new"));
  }
  void writes_what_a_dangling_link_points_at() {
    Folder folder;
    fs::create_directory(folder / "in");
    fs::create_symlink("in/second", folder / "link");
    fs::create_symlink("real", folder / "in/second");
    write_file_atomically(folder / "link", "new");
    QVERIFY(fs::is_symlink(folder / "link") && fs::is_symlink(folder / "in/second"));
    QCOMPARE(get_file(folder / "in/real"), std::string("new"));
  }
  // Under a name that is written, a stranger's link may lead to any file of yours.
  void does_not_write_through_the_link_of_another() {
    if (::geteuid() != 0) QSKIP("only the superuser may give a link to somebody else");
    Folder folder;
    put_file(folder / "real", "old");
    fs::create_symlink("real", folder / "link");
    QCOMPARE(::lchown((folder / "link").c_str(), 12345, 12345), 0);
    QCOMPARE(writing(folder / "link"),
             text("cannot write ", folder / "link", ": it is a symbolic link that somebody else made"));
    QCOMPARE(get_file(folder / "real"), std::string("old"));
  }
  void links_in_a_circle() {
    Folder folder;
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    QCOMPARE(writing(folder / "a"), text("cannot write ", folder / "a", ": too many symbolic links"));
  }
  void writes_into_a_pipe_that_is_read() {
    Folder folder;
    QCOMPARE(mkfifo((folder / "pipe").c_str(), 0600), 0);
    const int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
    write_file_atomically(folder / "pipe", "new");
    char got[8] = {};
    QCOMPARE(read(reader, got, sizeof got), ssize_t{3});
    QCOMPARE(std::string(got), std::string("new"));
    close(reader);
    QVERIFY(fs::is_fifo(folder / "pipe"));
    QCOMPARE(folder.names(), std::vector<std::string>{"pipe"});
  }
  void a_pipe_that_nobody_reads_is_refused_at_once() {
    Folder folder;
    QCOMPARE(mkfifo((folder / "pipe").c_str(), 0600), 0);
    QCOMPARE(writing(folder / "pipe"), text("cannot write ", folder / "pipe", ": nobody reads from it"));
    QVERIFY(fs::is_fifo(folder / "pipe"));
  }
  void devices_stay_devices() {
    Folder folder;
    write_file_atomically("/dev/null", "new");
    fs::create_symlink("/dev/null", folder / "link");
    write_file_atomically(folder / "link", "new");
    QVERIFY(fs::is_character_file("/dev/null") && fs::is_symlink(folder / "link"));
  }
  // As /dev/stdout behind a shell's >>: what the file holds already stays, and what comes later goes into it, too.
  void writes_where_an_open_descriptor_stands() {
    if (!fs::is_directory("/proc/self/fd")) QSKIP("there is no /proc");
    Folder folder;
    put_file(folder / "f", "old ");
    const int descriptor = open((folder / "f").c_str(), O_WRONLY | O_APPEND);
    fs::create_symlink("/proc/self/fd/" + std::to_string(descriptor), folder / "link");
    write_file_atomically(folder / "link", "new");
    write_file_atomically("/proc/self/fd/" + std::to_string(descriptor), " newer");
    QCOMPARE(::write(descriptor, " newest", 7), ssize_t{7});
    close(descriptor);
    QCOMPARE(get_file(folder / "f"), std::string("old new newer newest"));
    QCOMPARE(folder.names(), (std::vector<std::string>{"f", "link"}));
  }
  void a_file_needs_a_name() {
    Folder folder;
    QCOMPARE(writing(""), QString("cannot write : the name of the file is missing"));
    QCOMPARE(writing(folder / "no/"), text("cannot write ", folder / "no/", ": the name of the file is missing"));
  }
  void a_protected_file_is_not_replaced() {
    if (geteuid() == 0) QSKIP("the superuser may write everywhere");
    Folder folder;
    put_file(folder / "f", "old");
    chmod((folder / "f").c_str(), 0444);
    QCOMPARE(writing(folder / "f"), text("cannot write ", folder / "f", ": permission denied"));
    QCOMPARE(get_file(folder / "f"), std::string("old"));
  }
  void a_writer_that_is_given_up_leaves_nothing() {
    Folder folder;
    put_file(folder / "f", "old");
    {
      FileWriter writer(folder / "f");
      writer.write(std::string(3'000'000, 'x'));
      QCOMPARE(folder.names().size(), std::size_t{2});
    }
    QCOMPARE(get_file(folder / "f"), std::string("old"));
    QCOMPARE(folder.names(), std::vector<std::string>{"f"});
  }
  // A child writes halfway and is killed; meanwhile another one is still at work.
  void what_a_killed_program_left_goes_with_the_next_file() {
    Folder folder;
    const pid_t child = fork();
    if (child == 0) {
      FileWriter writer(folder / "f");
      const StagingFolder staging(folder.path());
      write_file_atomically(staging.path() / "frame", "new");
      writer.write(std::string(3'000'000, 'x'));
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(folder.names().size(), std::size_t{2});
    {
      FileWriter living(folder / "g");  // removes them
      living.write("new");
      QCOMPARE(folder.names().size(), std::size_t{1});
      remove_unfinished(folder.path());
      QCOMPARE(folder.names().size(), std::size_t{1});
      living.commit();
    }
    QCOMPARE(folder.names(), std::vector<std::string>{"g"});
    put_file(folder / ".headlight-notes", "of somebody");
    remove_unfinished(folder.path());
    QCOMPARE(folder.names(), (std::vector<std::string>{".headlight-notes", "g"}));
  }
  void a_folder_is_locked_by_one_at_a_time() {
    Folder folder;
    {
      const FolderLock first(folder.path());
      QVERIFY(!first.held_by_another());
      QVERIFY(FolderLock(folder.path()).held_by_another());
    }
    QVERIFY(!FolderLock(folder.path()).held_by_another());
    QVERIFY(folder.names().empty());
    QCOMPARE(message_of<FileError>([&] { FolderLock{folder / "no"}; }),
             text("cannot open the folder ", folder / "no", ": there is no such file or folder"));
  }
  void the_last_part_of_a_path() {
    Folder folder;
    fs::create_directory(folder / "date");
    QCOMPARE(last_part(folder / "date"), std::string("date"));
    QCOMPARE(last_part(folder / "date/"), std::string("date"));
    QCOMPARE(last_part(folder / "date/."), std::string("date"));
    QCOMPARE(last_part(folder / "new/"), std::string("new"));
  }
  void writes_a_file_with_a_very_long_name() {
    Folder folder;
    const std::string name(255, 'n');
    write_file_atomically(folder / name, "new");
    QCOMPARE(get_file(folder / name), std::string("new"));
  }
  void missing_folder() {
    Folder folder;
    QCOMPARE(writing(folder / "no" / "f"),
             text("cannot write ", folder / "no" / "f", ": there is no such file or folder"));
  }
  void folder_that_is_a_file() {
    Folder folder;
    put_file(folder / "f", "old");
    QCOMPARE(writing(folder / "f" / "g"),
             text("cannot write ", folder / "f" / "g", ": a part of the path is a file, not a folder"));
    QCOMPARE(get_file(folder / "f"), std::string("old"));
  }
  void target_that_is_a_folder() {
    Folder folder;
    QCOMPARE(writing(folder.path()), text("cannot write ", folder.path(), ": it is a folder, not a file"));
  }
  void read_only_folder() {
    // Even the superuser cannot make files here.
    if (!fs::is_directory("/proc/self")) QSKIP("there is no /proc");
    const QString message = writing("/proc/self/headlight");
    QVERIFY2(message.startsWith("cannot write /proc/self/headlight: "), qPrintable(message));
  }
  void read_only_folder_of_an_ordinary_user() {
    if (geteuid() == 0) QSKIP("the superuser may write everywhere");
    Folder folder;
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    const QString message = writing(folder / "f");
    fs::permissions(folder.path(), fs::perms::owner_all);
    QCOMPARE(message, text("cannot write ", folder / "f", ": permission denied"));
  }
  void disk_full() {
    if (!fs::is_character_file("/dev/full")) QSKIP("there is no /dev/full");
    QCOMPARE(writing("/dev/full"), QString("cannot write /dev/full: no space left on the disk"));
    QVERIFY(fs::is_character_file("/dev/full"));
  }
  void disk_full_keeps_the_old_file_and_leaves_nothing() {
    Folder folder;
    put_file(folder / "f", "old");
    QString message;
    {
      const FileSizeLimit limit(4096);
      message = writing(folder / "f", std::string(5'000'000, 'x'));
    }
    QCOMPARE(message, text("cannot write ", folder / "f", ": the file would be larger than this system allows"));
    QCOMPARE(get_file(folder / "f"), std::string("old"));
    QCOMPARE(folder.names(), std::vector<std::string>{"f"});
  }
  void writer_that_throws_keeps_the_old_file_and_leaves_nothing() {
    Folder folder;
    put_file(folder / "f", "old");
    const QString message = message_of<FormatError>([&] {
      write_file_atomically(folder / "f", [](FileWriter& file) {
        file.write(std::string(3'000'000, 'x'));
        throw FormatError("stop");
      });
    });
    QCOMPARE(message, QString("stop"));
    QCOMPARE(get_file(folder / "f"), std::string("old"));
    QCOMPARE(folder.names(), std::vector<std::string>{"f"});
  }
  void folder_cannot_be_made() {
    Folder folder;
    put_file(folder / "f", "old");
    QCOMPARE(message_of<FileError>([&] { make_folder(folder / "f" / "g"); }),
             text("cannot make the folder ", folder / "f" / "g", ": a part of the path is a file, not a folder"));
    QCOMPARE(message_of<FileError>([&] { make_folder(folder / "f"); }),
             text("cannot make the folder ", folder / "f", ": a part of the path is a file, not a folder"));
  }
  void bytes_read_well() {
    QCOMPARE(bytes_text(1), std::string("1 byte"));
    QCOMPARE(bytes_text(999), std::string("999 bytes"));
    QCOMPARE(bytes_text(1000), std::string("1,000 bytes"));
    QCOMPARE(bytes_text(1234567), std::string("1,234,567 bytes"));
  }
};

HEADLIGHT_TEST(TestIoFile)

}  // namespace headlight::test_io_file

#include "test_io_file.moc"
