// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace forklift::test {

/// A new folder that is removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "forklift-idx-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("mkdtemp(" + name + ") failed");
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;  // a folder left over fails no test
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// The bytes of an idx file: magic number, sizes (big-endian), `data` as it is.
inline std::string idx_bytes(std::uint8_t type,
                             std::initializer_list<std::uint32_t> sizes,
                             const std::string& data) {
  std::string bytes = {'\0', '\0', static_cast<char>(type), static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      bytes.push_back(static_cast<char>(size >> shift & 0xFFU));
    }
  }
  return bytes + data;
}

inline std::filesystem::path write_file(const std::filesystem::path& file,
                                        const std::string& bytes) {
  std::ofstream(file, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file;
}

/// `bytes` as one gzip stream.
inline std::string gzipped(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "stream.gz";
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> stream(gzopen(file.c_str(), "wb"), gzclose);
  if (stream == nullptr ||
      gzwrite(stream.get(), bytes.data(), static_cast<unsigned>(bytes.size())) !=
          static_cast<int>(bytes.size()) ||
      gzflush(stream.get(), Z_FINISH) != Z_OK) {
    throw std::runtime_error("gzip failed");
  }
  std::ostringstream packed;
  packed << std::ifstream(file, std::ios::binary).rdbuf();
  return packed.str();
}

}  // namespace forklift::test
