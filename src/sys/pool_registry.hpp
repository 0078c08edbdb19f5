// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forklift::sys {

/// The list of live pools of this process.
///
/// A worker inherits by fork the descriptors and mappings of every pool, not of its own alone. The
/// list lets the child drop the others'. It is constinit, has no destructor, and its lock is held
/// across every fork of the process (pthread_atfork), the host's included: a child always finds the
/// list whole and the lock free.
///
/// Owner:  each pool owns its entry, in place, hence not movable.
/// Thread: any.
class PoolRegistration {
 public:
  /// What a child does to a pool that is not its own: close and unmap, no more. It may destroy the
  /// registration.
  using InChild = void (*)(void* self) noexcept;

  /// `key` names the pool; `in_child(self)` runs in children. Errors: SystemError, without memory.
  PoolRegistration(const void* key, InChild in_child, void* self);
  PoolRegistration(const PoolRegistration&) = delete;
  PoolRegistration& operator=(const PoolRegistration&) = delete;
  ~PoolRegistration();

 private:
  friend class PoolRegistry;

  const void* key_;
  InChild in_child_;
  void* self_;
  PoolRegistration* previous_ = nullptr;
  PoolRegistration* next_ = nullptr;
};

/// The list itself; only functions.
class PoolRegistry {
 public:
  /// In a new child: takes every pool but `own_pool` (a key, or null) off the list and has its
  /// callback run. `own_pool` stays, for the children of this child.
  static void drop_others(const void* own_pool) noexcept;
  /// Pools on the list.
  [[nodiscard]] static std::uint64_t size() noexcept;

 private:
  friend class PoolRegistration;

  static void add(PoolRegistration& entry);
  static void remove(PoolRegistration& entry) noexcept;
  static PoolRegistration* pop_other(const void* own_pool) noexcept;
  static void unlink(PoolRegistration& entry) noexcept;
};

}  // namespace forklift::sys
