// SPDX-License-Identifier: MIT
#include "sys/mapping.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leak_counter.hpp"
#include "sys/mem_fd.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

using test_support::run_in_child;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

std::int64_t num_blocks(const UniqueFd& fd) {
  struct stat status {};
  EXPECT_EQ(::fstat(fd.get(), &status), 0);
  return status.st_blocks;
}

bool is_mapped_here(const void* address) {
  unsigned char resident = 0;
  return ::mincore(const_cast<void*>(address), kPage, &resident) == 0;
}

TEST(Mapping, is_empty_by_default) {
  const Mapping mapping;

  EXPECT_FALSE(mapping.is_mapped());
  EXPECT_EQ(mapping.data(), nullptr);
  EXPECT_EQ(mapping.size(), 0U);
}

TEST(Mapping, is_aligned_however_often_it_is_made) {
  const UniqueFd fd = make_mem_fd("test", 3 * kMebibyte + 5);

  for (const std::size_t alignment :
       {std::size_t{kPage}, kMappingAlignment, 64 * kMappingAlignment}) {
    for (int i = 0; i < 20; ++i) {
      const Mapping odd = Mapping::anonymous(kPage, kPage);  // Moves the next place.
      const Mapping shared = Mapping::shared(fd, 3 * kMebibyte + 5, alignment);
      const Mapping anonymous = Mapping::anonymous(3 * kMebibyte + 5, alignment);
      EXPECT_EQ(std::bit_cast<std::uintptr_t>(shared.data()) % alignment, 0U);
      EXPECT_EQ(std::bit_cast<std::uintptr_t>(anonymous.data()) % alignment, 0U);
      EXPECT_EQ(shared.size(), 3 * kMebibyte + 5);
    }
  }
}

TEST(Mapping, leaves_no_address_space_behind) {
  const UniqueFd fd = make_mem_fd("test", kMebibyte);
  const auto before = test_support::count_holdings().num_maps;

  for (int i = 0; i < 200; ++i) {
    const Mapping shared = Mapping::shared(fd, kMebibyte);
    const Mapping anonymous = Mapping::anonymous(kMebibyte + 1);
  }

  EXPECT_LT(test_support::count_holdings().num_maps, before + 50);
}

TEST(Mapping, far_larger_than_memory_costs_nothing) {
  constexpr std::uint64_t kBytes = std::uint64_t{64} << 30;
  const UniqueFd fd = make_mem_fd("test", kBytes);

  const Mapping mapping = Mapping::shared(fd, kBytes);
  mapping.data()[kBytes - 1] = std::byte{1};

  EXPECT_EQ(num_blocks(fd), 8);
}

TEST(Mapping, is_the_same_memory_in_a_child) {
  const UniqueFd fd = make_mem_fd("test", kPage);
  const Mapping shared = Mapping::shared(fd, kPage);
  const Mapping anonymous = Mapping::anonymous(kPage);

  const int status = run_in_child([&] {
    shared.data()[7] = std::byte{42};
    anonymous.data()[7] = std::byte{42};
    return 0;
  });

  EXPECT_EQ(status, 0);
  EXPECT_EQ(shared.data()[7], std::byte{42});
  EXPECT_EQ(anonymous.data()[7], std::byte{0});
}

TEST(Mapping, outlives_its_descriptor) {
  UniqueFd fd = make_mem_fd("test", kPage);
  const Mapping mapping = Mapping::shared(fd, kPage);

  fd.reset();
  mapping.data()[0] = std::byte{1};

  EXPECT_EQ(mapping.data()[0], std::byte{1});
}

TEST(Mapping, gives_back_whole_pages_and_only_those) {
  const UniqueFd fd = make_mem_fd("test", 8 * kPage);
  Mapping mapping = Mapping::shared(fd, 8 * kPage);
  for (std::uint64_t i = 0; i < 8; ++i) {
    mapping.data()[i * kPage] = std::byte{1};
  }
  ASSERT_EQ(num_blocks(fd), 8 * 8);

  mapping.give_back(kPage + 1, 3 * kPage);  // Pages 2 and 3 lie wholly inside.

  EXPECT_EQ(num_blocks(fd), 6 * 8);
  EXPECT_EQ(mapping.data()[kPage], std::byte{1});
  EXPECT_EQ(mapping.data()[2 * kPage], std::byte{0});
  EXPECT_EQ(mapping.data()[4 * kPage], std::byte{1});
}

TEST(Mapping, gives_back_the_last_page_though_it_is_not_full) {
  const UniqueFd fd = make_mem_fd("test", kPage + 10);
  Mapping mapping = Mapping::shared(fd, kPage + 10);
  mapping.data()[kPage] = std::byte{1};

  mapping.give_back(kPage, 10);

  EXPECT_EQ(num_blocks(fd), 0);
}

TEST(Mapping, gives_back_private_pages) {
  Mapping mapping = Mapping::anonymous(4 * kPage);
  mapping.data()[0] = std::byte{1};

  mapping.give_back(0, 4 * kPage);

  EXPECT_EQ(mapping.data()[0], std::byte{0});
}

TEST(Mapping, populates_pages_and_keeps_what_is_in_them) {
  const UniqueFd fd = make_mem_fd("test", 16 * kPage);
  Mapping mapping = Mapping::shared(fd, 16 * kPage);
  mapping.data()[5 * kPage] = std::byte{9};

  if (!mapping.populate_write(4 * kPage + 1, 4 * kPage)) {
    GTEST_SKIP() << "the kernel has no MADV_POPULATE_WRITE";
  }

  EXPECT_EQ(num_blocks(fd), 5 * 8);
  EXPECT_EQ(mapping.data()[5 * kPage], std::byte{9});
}

TEST(Mapping, populating_past_the_end_of_the_file_is_refused_without_a_signal) {
  const UniqueFd fd = make_mem_fd("test", kPage);
  Mapping mapping = Mapping::shared(fd, 4 * kPage);

  EXPECT_FALSE(mapping.populate_write(0, 4 * kPage));
}

TEST(Mapping, kept_out_of_children_is_left_alone_by_their_copy) {
  Mapping mapping = Mapping::anonymous(kPage, kPage);
  mapping.dont_fork();
  std::byte* const place = mapping.data();
  *place = std::byte{3};

  const int status = run_in_child([&] {
    if (is_mapped_here(place)) {
      return 1;
    }
    void* const other = ::mmap(place,
                               kPage,
                               PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
                               -1,
                               0);
    if (other != place) {
      return 2;
    }
    mapping.reset();
    return is_mapped_here(place) && !mapping.is_mapped() ? 0 : 3;
  });

  EXPECT_EQ(status, 0);
  EXPECT_EQ(*place, std::byte{3});
}

TEST(Mapping, forgets_without_unmapping) {
  Mapping mapping = Mapping::anonymous(kPage);
  std::byte* const place = mapping.data();

  mapping.forget();

  EXPECT_FALSE(mapping.is_mapped());
  EXPECT_TRUE(is_mapped_here(place));
  ::munmap(place, kPage);
}

TEST(Mapping, moves_its_range) {
  Mapping from = Mapping::anonymous(kPage);
  std::byte* const place = from.data();

  Mapping to(std::move(from));
  Mapping last;
  last = std::move(to);

  EXPECT_EQ(last.data(), place);
  EXPECT_TRUE(is_mapped_here(place));
  last.reset();
  EXPECT_FALSE(is_mapped_here(place));
}

TEST(Mapping, past_the_address_space_limit_is_an_error_that_names_it) {
  const int status = run_in_child([] {
    rlimit limit{};
    static_cast<void>(::getrlimit(RLIMIT_AS, &limit));
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    limit.rlim_cur = pages * kPage + 512 * kMebibyte;
    static_cast<void>(::setrlimit(RLIMIT_AS, &limit));
    try {
      const Mapping mapping = Mapping::anonymous(1024 * kMebibyte);
      return 1;
    } catch (const ResourceError& error) {
      const bool is_right = error.needed() >= 1024 * kMebibyte &&
                            error.available() < 1024 * kMebibyte &&
                            error.knob().find("ulimit -v") != std::string::npos;
      return is_right ? 0 : 2;
    }
  });

  EXPECT_EQ(status, 0);
}

TEST(Mapping, of_nothing_or_of_everything_is_an_error) {
  EXPECT_THROW(static_cast<void>(Mapping::anonymous(0)), SystemError);
  EXPECT_THROW(static_cast<void>(Mapping::anonymous(~std::uint64_t{0})), SystemError);
  EXPECT_THROW(static_cast<void>(Mapping::shared(UniqueFd(), kPage)), SystemError);
}

}  // namespace
}  // namespace forklift::sys
