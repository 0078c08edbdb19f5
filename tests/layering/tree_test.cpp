// SPDX-License-Identifier: MIT
// The rules over the files of this repository.
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "layering/file_rules.hpp"

#include <forklift/version.hpp>

namespace {

// Programs that fix the API are kept as their authors wrote them.
constexpr std::string_view kUnchangedCopies = "tests/acceptance/";

using Paths = std::set<std::string>;

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error("cannot read " + path.string());
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// C++ files below a folder of the repository, relative to its root.
Paths files_below(const std::string& folder) {
  const std::filesystem::path root = FORKLIFT_SOURCE_DIR;
  Paths paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".hpp" || extension == ".cpp")) {
      paths.insert(std::filesystem::relative(entry.path(), root).string());
    }
  }
  return paths;
}

template <typename Rule>
std::vector<std::string> faults_below(std::initializer_list<const char*> folders, Rule rule) {
  std::vector<std::string> faults;
  for (const char* folder : folders) {
    for (const std::string& path : files_below(folder)) {
      if (path.starts_with(kUnchangedCopies)) {
        continue;
      }
      const auto found = rule(path, read(std::filesystem::path(FORKLIFT_SOURCE_DIR) / path));
      faults.insert(faults.end(), found.begin(), found.end());
    }
  }
  return faults;
}

std::string one_a_line(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += text + '\n';
  }
  return all;
}

TEST(Tree, keeps_the_include_rules) {
  EXPECT_EQ(one_a_line(faults_below({"include", "src"}, layering::include_faults)), "");
}

TEST(Tree, has_files_of_the_agreed_form) {
  EXPECT_EQ(one_a_line(faults_below({"include", "src", "tests", "bench", "examples"},
                                    layering::form_faults)),
            "");
}

TEST(Tree, has_no_header_or_source_that_the_build_does_not_list) {
  Paths present = files_below("include");
  for (const std::string& path : files_below("src")) {
    if (path.ends_with(".cpp")) {
      present.insert(path);
    }
  }
  Paths listed;
  std::ifstream list(FORKLIFT_LISTED_FILES);
  for (std::string line; std::getline(list, line);) {
    listed.insert(line);
  }

  EXPECT_GT(listed.size(), 2U);
  EXPECT_EQ(present, listed);
}

TEST(Tree, has_one_version) {
  const std::string in_header = std::to_string(forklift::kVersionMajor) + '.' +
                                std::to_string(forklift::kVersionMinor) + '.' +
                                std::to_string(forklift::kVersionPatch);

  EXPECT_EQ(in_header, FORKLIFT_VERSION);
}

}  // namespace
