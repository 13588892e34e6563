// The word bank beside our sentences: which of its words take part, how many sentences are possible with them, and a
// button that makes some that are missing.
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "model/training/tasks/own/word_bank.h"

class QAbstractButton;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headlight {

class WordBankPanel : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMadeAtOnce = 20;

  explicit WordBankPanel(QWidget* parent = nullptr);
  void set_bank(std::shared_ptr<const WordBank> bank);
  const std::shared_ptr<const WordBank>& bank() const { return bank_; }
  // Words that are switched on.
  WordBank::Allowed allowed() const;
  void set_standing(std::size_t lines);  // that are used, of whatever kind
  void set_enabled(bool enabled);        // whether lines can be added now
  // A name of a bank, a slot or a language: translated where it is one of ours.
  static QString shown(const std::string& name);

 signals:
  void makeWanted(int count);
  void bankChosen(int built_in);  // of word_banks()
  void fileWanted();              // a bank of one's own

 private:
  void build_slots();
  void show_state();
  void retranslate();

  std::shared_ptr<const WordBank> bank_;
  std::vector<std::vector<QAbstractButton*>> chips_;
  std::vector<QLabel*> names_;
  std::size_t standing_ = 0;
  bool can_add_ = true;
  QLabel *title_, *about_, *count_, *marked_;
  QPushButton *choose_, *make_;
  QWidget* slots_ = nullptr;
  QVBoxLayout* rows_;
};

}  // namespace headlight
