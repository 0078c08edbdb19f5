// SPDX-License-Identifier: MIT
#include "sys/pool_registry.hpp"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

// Both are constinit and trivially destroyed: usable before and after everything else of the host.
constinit std::mutex list_mutex;
constinit PoolRegistration* list_head = nullptr;  // guarded by list_mutex
constinit std::mutex set_up_mutex;
constinit std::atomic<bool> is_set_up{false};

// Held by the forking thread on both sides of every fork. Nothing else is ever locked under it and
// no callback runs under it, so its place among the host's handlers does not matter.
void lock_for_fork() {
  list_mutex.lock();
}
void unlock_after_fork() {
  list_mutex.unlock();
}

void hold_over_forks() {
  if (is_set_up.load(std::memory_order_acquire)) {  // Pairs with the store below.
    return;
  }
  const std::scoped_lock lock(set_up_mutex);
  if (is_set_up.load()) {
    return;
  }
  const int code = ::pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork);
  if (code != 0) {
    throw SystemError("pthread_atfork", "list of pools", code);
  }
  is_set_up.store(true);
}

}  // namespace

PoolRegistration::PoolRegistration(const void* key, InChild in_child, void* self)
    : key_(key),
      in_child_(in_child),
      self_(self) {
  PoolRegistry::add(*this);
}

PoolRegistration::~PoolRegistration() {
  PoolRegistry::remove(*this);
}

void PoolRegistry::add(PoolRegistration& entry) {
  hold_over_forks();
  const std::scoped_lock lock(list_mutex);
  entry.next_ = list_head;
  if (list_head != nullptr) {
    list_head->previous_ = &entry;
  }
  list_head = &entry;
}

void PoolRegistry::remove(PoolRegistration& entry) noexcept {
  const std::scoped_lock lock(list_mutex);
  unlink(entry);
}

// Nothing happens to an entry that a child has taken off already.
void PoolRegistry::unlink(PoolRegistration& entry) noexcept {
  if (entry.previous_ != nullptr) {
    entry.previous_->next_ = entry.next_;
  } else if (list_head == &entry) {
    list_head = entry.next_;
  }
  if (entry.next_ != nullptr) {
    entry.next_->previous_ = entry.previous_;
  }
  entry.previous_ = nullptr;
  entry.next_ = nullptr;
}

PoolRegistration* PoolRegistry::pop_other(const void* own_pool) noexcept {
  const std::scoped_lock lock(list_mutex);
  for (PoolRegistration* entry = list_head; entry != nullptr; entry = entry->next_) {
    if (own_pool == nullptr || entry->key_ != own_pool) {
      unlink(*entry);
      return entry;
    }
  }
  return nullptr;
}

void PoolRegistry::drop_others(const void* own_pool) noexcept {
  // One at a time and without the lock: a callback may destroy this and other registrations.
  while (PoolRegistration* const entry = pop_other(own_pool)) {
    entry->in_child_(entry->self_);
  }
}

std::uint64_t PoolRegistry::size() noexcept {
  const std::scoped_lock lock(list_mutex);
  std::uint64_t count = 0;
  for (const PoolRegistration* entry = list_head; entry != nullptr; entry = entry->next_) {
    ++count;
  }
  return count;
}

}  // namespace forklift::sys
