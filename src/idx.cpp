// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "sys/unique_fd.hpp"

#include <forklift/datasets/idx.hpp>
#include <forklift/dtype.hpp>
#include <forklift/error.hpp>
#include <forklift/shape.hpp>

namespace forklift::datasets {
namespace {

// The bytes of a plain or gzipped file, in order. Owns the descriptor and zlib's state.
class ByteStream {
 public:
  explicit ByteStream(std::string path) : path_(std::move(path)) {
    // Opening a named pipe must not wait for a writer: it is refused below.
    fd_ = sys::UniqueFd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd_.is_open()) {
      throw SystemError("open", path_, errno);
    }
    struct stat status {};
    if (::fstat(fd_.get(), &status) != 0) {
      throw SystemError("fstat", path_, errno);
    }
    if (!S_ISREG(status.st_mode)) {
      fail(0, "a regular file", S_ISDIR(status.st_mode) ? "a folder" : "a file of another kind");
    }
    stored_bytes_ = static_cast<std::uint64_t>(status.st_size);
    refill();
    if (starts_gzip()) {
      // 15 is the largest window, 16 says that gzip's frame is expected.
      if (inflateInit2(&inflater_, 15 + 16) != Z_OK) {
        throw std::bad_alloc();
      }
      gzipped_ = true;
    }
  }
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream() {
    if (gzipped_) {
      static_cast<void>(inflateEnd(&inflater_));  // fails only for a state that was never made
    }
  }

  // As many bytes as there are, up to out.size().
  std::size_t read(std::span<std::byte> out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
      const auto rest = out.subspan(filled);
      const std::size_t count = gzipped_ ? inflate_some(rest) : copy_some(rest);
      if (count == 0) {
        break;
      }
      filled += count;
      offset_ += count;
    }
    return filled;
  }

  // Exactly out.size() bytes, which are `what`.
  void read_all(std::span<std::byte> out, const std::string& what) {
    const std::size_t count = read(out);
    if (count != out.size()) {
      fail(offset_,
           what,
           fmt::format("the end of the file after {} of {} bytes", count, out.size()));
    }
  }

  // An upper bound of the bytes in the stream.
  [[nodiscard]] std::uint64_t most_bytes() const noexcept {
    // Deflate makes at most 1032 bytes of one (a match of 258 bytes takes two bits).
    constexpr std::uint64_t kMostInflation = 1032;
    return gzipped_ ? stored_bytes_ * kMostInflation : stored_bytes_;
  }
  [[nodiscard]] std::uint64_t stored_bytes() const noexcept { return stored_bytes_; }
  // In the uncompressed stream.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

  [[noreturn]] void fail(std::uint64_t offset, std::string expected, std::string found) const {
    throw DataError(path_, offset, std::move(expected), std::move(found));
  }

 private:
  // The next stored bytes, once all before are used. False at the end of the file.
  bool refill() {
    ssize_t count = 0;
    do {
      count = ::read(fd_.get(), buffer_.data(), buffer_.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
      throw SystemError("read", path_, errno);
    }
    input_ = std::span(buffer_).first(static_cast<std::size_t>(count));
    return count > 0;
  }

  [[nodiscard]] bool starts_gzip() const noexcept {
    return input_.size() >= 2 && input_[0] == 0x1F && input_[1] == 0x8B;
  }

  std::size_t copy_some(std::span<std::byte> out) {
    if (input_.empty() && !refill()) {
      return 0;
    }
    const std::size_t count = std::min(out.size(), input_.size());
    std::ranges::copy(std::as_bytes(input_.first(count)), out.begin());
    input_ = input_.subspan(count);
    return count;
  }

  // At least one byte, or none at the end of the last gzip member, whose checksum is then right.
  std::size_t inflate_some(std::span<std::byte> out) {
    std::size_t count = 0;
    while (count == 0) {
      const bool at_end = input_.empty() && !refill();
      if (at_end && between_members_) {
        break;
      }
      if (at_end) {
        fail(offset_, "the rest of the gzip stream", "the end of the file");
      }
      if (between_members_) {
        static_cast<void>(inflateReset(&inflater_));  // fails only for a state that was never made
      }
      count = inflate_once(out.first(std::min(out.size(), buffer_.size())));
    }
    return count;
  }

  // What the bytes at hand give, perhaps nothing.
  std::size_t inflate_once(std::span<std::byte> out) {
    inflater_.next_in = input_.data();
    inflater_.avail_in = static_cast<uInt>(input_.size());
    inflater_.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
    inflater_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&inflater_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    const std::size_t count = out.size() - inflater_.avail_out;
    if (status != Z_OK && status != Z_STREAM_END) {
      const char* words = inflater_.msg != nullptr ? inflater_.msg : "no progress";
      fail(offset_ + count, "a sound gzip stream", fmt::format("damaged bytes ({})", words));
    }
    input_ = input_.last(inflater_.avail_in);
    between_members_ = status == Z_STREAM_END;
    return count;
  }

  std::string path_;
  sys::UniqueFd fd_;
  std::uint64_t stored_bytes_ = 0;
  std::uint64_t offset_ = 0;
  std::array<Bytef, std::size_t{1} << 16U> buffer_{};  // stored bytes as they were read
  std::span<Bytef> input_;                             // those of them that are not used yet
  z_stream inflater_{};
  bool gzipped_ = false;
  bool between_members_ = false;
};

struct Header {
  DType dtype = DType::u8;
  Shape shape;
};

DType dtype_of(const ByteStream& stream, std::uint8_t code) {
  switch (code) {
    case 0x08:
      return DType::u8;
    case 0x09:
      return DType::i8;
    case 0x0B:
      return DType::i16;
    case 0x0C:
      return DType::i32;
    case 0x0D:
      return DType::f32;
    case 0x0E:
      return DType::f64;
    default:
      stream.fail(2, "an idx element type (08, 09, 0b, 0c, 0d or 0e)", fmt::format("{:02x}", code));
  }
}

Header read_header(ByteStream& stream) {
  std::array<std::byte, 4> magic{};
  stream.read_all(magic, "an idx magic number of 4 bytes");
  if (magic[0] != std::byte{0} || magic[1] != std::byte{0}) {
    stream.fail(
        0,
        "an idx magic number (00 00, element type, number of dimensions)",
        fmt::format("{:02x}", fmt::join(std::bit_cast<std::array<std::uint8_t, 4>>(magic), " ")));
  }
  const DType dtype = dtype_of(stream, std::to_integer<std::uint8_t>(magic[2]));
  const auto dims = std::to_integer<std::size_t>(magic[3]);
  if (dims == 0 || dims > Shape::kMaxDims) {
    stream.fail(3, fmt::format("1 to {} dimensions", Shape::kMaxDims), std::to_string(dims));
  }

  std::array<std::int64_t, Shape::kMaxDims> sizes{};
  std::uint64_t elements = 1;  // with sizes of 0 left out: they must not hide absurd ones
  bool too_many = false;
  bool empty = false;
  for (std::size_t dim = 0; dim < dims; ++dim) {
    std::array<std::byte, 4> bytes{};
    stream.read_all(bytes, fmt::format("the sizes of {} dimensions", dims));
    for (const std::byte byte : bytes) {
      sizes[dim] = sizes[dim] * 256 + std::to_integer<std::int64_t>(byte);
    }
    empty = empty || sizes[dim] == 0;
    const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(sizes[dim], 1));
    too_many = __builtin_mul_overflow(elements, factor, &elements) || too_many;
  }
  const auto used = std::span<const std::int64_t>(sizes).first(dims);
  if (too_many || (!empty && elements > stream.most_bytes() / item_size(dtype))) {
    stream.fail(4,
                fmt::format("sizes that a file of {} bytes can hold", stream.stored_bytes()),
                fmt::format("[{}] elements of {}", fmt::join(used, ", "), name(dtype)));
  }
  return {dtype, Shape(used)};
}

// Elements in idx files are big-endian.
void to_native_order(const Tensor& tensor) {
  if constexpr (std::endian::native == std::endian::little) {
    const std::size_t width = item_size(tensor.dtype());
    const auto bytes = tensor.bytes();
    for (std::size_t at = 0; width > 1 && at < bytes.size(); at += width) {
      std::ranges::reverse(bytes.subspan(at, width));
    }
  }
}

}  // namespace

Tensor read_idx(const std::filesystem::path& file) {
  ByteStream stream(file.string());
  const auto [dtype, shape] = read_header(stream);

  Tensor out = Tensor::empty(shape, dtype);
  stream.read_all(out.bytes(), fmt::format("{} elements of {}", shape.text(), name(dtype)));
  // Asking for one more byte also makes zlib compare the checksum of the last gzip member.
  std::array<std::byte, 1> more{};
  const std::uint64_t end = stream.offset();
  if (stream.read(more) != 0) {
    stream.fail(
        end,
        fmt::format("the end of the file behind {} elements of {}", shape.text(), name(dtype)),
        "more bytes");
  }
  to_native_order(out);
  return out;
}

}  // namespace forklift::datasets
