// SPDX-License-Identifier: MIT
// Semantics 6.2 and 6.3.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/error.hpp>

namespace forklift {
namespace {

static_assert(std::is_base_of_v<std::runtime_error, Error> &&
              std::is_base_of_v<Error, InvalidOptions>);
static_assert(std::is_base_of_v<Error, TensorError> && std::is_base_of_v<Error, StateError>);
static_assert(std::is_base_of_v<Error, TimeoutError> && std::is_base_of_v<Error, SystemError>);
static_assert(std::is_base_of_v<SystemError, ResourceError> && std::is_base_of_v<Error, DataError>);
static_assert(std::is_base_of_v<Error, WorkerError> && std::is_base_of_v<Error, WorkerDied>);
static_assert(std::is_nothrow_copy_constructible_v<InvalidOptions>);

TEST(SystemError, names_call_object_and_errno) {
  const SystemError error("open", "/nowhere", ENOENT);

  EXPECT_STREQ(error.what(), "open(/nowhere) failed: ENOENT (No such file or directory)");
  EXPECT_EQ(error.operation(), "open");
  EXPECT_EQ(error.object(), "/nowhere");
  EXPECT_EQ(error.code(), ENOENT);
}

TEST(SystemError, has_a_text_for_a_number_that_is_no_errno) {
  EXPECT_STREQ(SystemError("call", "it", 12345).what(),
               "call(it) failed: errno 12345 (unknown error)");
}

TEST(ResourceError, names_needed_available_and_knob) {
  const ResourceError error("a batch", 100, 50, "max_ring_bytes");

  EXPECT_STREQ(error.what(), "a batch needs 100 but only 50 are available; change max_ring_bytes");
  EXPECT_EQ(error.object(), "a batch");
  EXPECT_EQ(error.needed(), 100U);
  EXPECT_EQ(error.available(), 50U);
  EXPECT_EQ(error.knob(), "max_ring_bytes");
  EXPECT_EQ(error.code(), ENOMEM);
}

TEST(ResourceError, shows_the_call_that_failed) {
  const ResourceError error("fork", "worker 3 of 4", EAGAIN, 4, 3, "ulimit -u");

  EXPECT_STREQ(error.what(),
               "worker 3 of 4 needs 4 but only 3 are available; change ulimit -u (fork: EAGAIN "
               "(Resource temporarily unavailable))");
  EXPECT_EQ(error.operation(), "fork");
}

TEST(DataError, names_file_and_offset) {
  const DataError error("images", 16, "60000 images", "10");

  EXPECT_STREQ(error.what(), "'images' at byte 16: expected 60000 images, found 10");
  EXPECT_EQ(error.file(), "images");
  EXPECT_EQ(error.offset(), 16U);
  EXPECT_EQ(error.expected(), "60000 images");
  EXPECT_EQ(error.found(), "10");
}

TEST(WorkerError, names_type_place_and_sample) {
  const WorkerError error({.type = "std::out_of_range",
                           .message = "no such row",
                           .stage = "",
                           .worker_id = 1,
                           .batch_index = 4,
                           .epoch = 2,
                           .dataset_index = 17,
                           .position = 3});

  EXPECT_STREQ(error.what(),
               "Caught std::out_of_range in DataLoader worker process 1, batch 4 of epoch 2, "
               "dataset index 17 (position 3 in the batch). Original message: no such row");
  EXPECT_EQ(error.original_type(), "std::out_of_range");
  EXPECT_EQ(error.original_message(), "no such row");
  EXPECT_EQ(error.worker_id(), 1U);
  EXPECT_EQ(error.batch_index(), 4U);
  EXPECT_EQ(error.epoch(), 2U);
  EXPECT_EQ(error.dataset_index(), 17U);
}

TEST(WorkerError, names_the_stage_of_a_worker_that_could_not_start) {
  WorkerError::Record record;
  record.type = "int";
  record.message = "m";
  record.stage = "open";

  EXPECT_STREQ(WorkerError(record).what(),
               "Caught int in open in DataLoader worker process 0, batch 0 of epoch 0. Original "
               "message: m");
}

TEST(WorkerError, speaks_of_the_loading_thread_without_workers) {
  WorkerError::Record record;
  record.kind.reset();

  EXPECT_NE(std::string(WorkerError(record).what()).find("in the loading thread, batch 0"),
            std::string::npos);
  EXPECT_FALSE(WorkerError(record).dataset_index().has_value());
}

TEST(WorkerDied, names_signal_batch_and_sample) {
  WorkerDied::Record record;
  record.worker_id = 2;
  record.pid = 99;
  record.signal = SIGSEGV;
  record.indices = {5, 6};
  record.sample = 6;
  record.batch_index = 1;
  record.hint = "Look there.";
  const WorkerDied error(record);

  EXPECT_STREQ(error.what(),
               "DataLoader worker 2 (pid 99) was killed by signal 11 (SIGSEGV, Segmentation fault) "
               "before finishing batch 1, dataset indices 5 6; it was in the sample of dataset "
               "index 6. Look there.");
  EXPECT_EQ(error.signal(), SIGSEGV);
  EXPECT_EQ(error.dataset_indices().size(), 2U);
  EXPECT_EQ(error.dataset_index(), 6U);
}

TEST(WorkerDied, tells_an_exit_from_a_lost_status) {
  WorkerDied::Record record;
  EXPECT_STREQ(WorkerDied(record).what(),
               "DataLoader worker 0 (pid 0) exited unexpectedly; its status was taken by another "
               "part of the program while it was idle.");
  record.exit_status = 0;
  EXPECT_STREQ(WorkerDied(record).what(),
               "DataLoader worker 0 (pid 0) exited unexpectedly with status 0 while it was idle.");
  EXPECT_EQ(WorkerDied(record).exit_status(), 0);
}

TEST(WorkerDied, shows_the_first_indices_of_a_large_batch) {
  WorkerDied::Record record;
  record.indices.resize(1000);
  std::iota(record.indices.begin(), record.indices.end(), std::size_t{0});

  const WorkerDied error(record);
  EXPECT_NE(std::string(error.what()).find("12 13 14 15 and 984 more."), std::string::npos);
  EXPECT_EQ(error.dataset_indices().size(), 1000U);
}

}  // namespace
}  // namespace forklift
