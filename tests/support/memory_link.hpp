// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/distributed/link.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rubato::test {

/// Links threads of one process as an RTI links federates.
class MemoryHub {
public:
    class Member;

    std::unique_ptr<distributed::Link> open();
    /// Nobody can send or wait any more.
    void end() {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Member*> members_;
    bool has_ended_ = false;
};

class MemoryHub::Member final : public distributed::Link {
public:
    explicit Member(MemoryHub& hub) : hub_(hub) {
        const std::lock_guard lock(hub_.mutex_);
        hub_.members_.push_back(this);
    }
    ~Member() override { leave(); }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    void send(const char* bytes, std::size_t size) override {
        const std::lock_guard lock(hub_.mutex_);
        require_hub();
        for (Member* const other : hub_.members_)
            if (other != this) other->inbox_.emplace_back(bytes, size);
        hub_.changed_.notify_all();
    }
    void wait(double seconds) override {
        std::unique_lock lock(hub_.mutex_);
        const bool was_advancing = is_advancing_;
        hub_.changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
            return !inbox_.empty() || is_advancing_ != was_advancing || hub_.has_ended_;
        });
        require_hub();
    }
    bool take(std::string& frame) override {
        const std::lock_guard lock(hub_.mutex_);
        if (inbox_.empty()) return false;
        frame = std::move(inbox_.front());
        inbox_.pop_front();
        return true;
    }
    void request(double time, distributed::Advance how) override {
        const std::lock_guard lock(hub_.mutex_);
        require_hub();
        if (time < time_ || is_advancing_) throw distributed::LinkError("InvalidLogicalTime");
        requested_ = time;
        how_ = how;
        is_advancing_ = true;
        for (Member* const member : hub_.members_) member->grant();
        hub_.changed_.notify_all();
    }
    bool is_advancing() const override {
        const std::lock_guard lock(hub_.mutex_);
        return is_advancing_;
    }
    void leave() override {
        const std::lock_guard lock(hub_.mutex_);
        if (std::erase(hub_.members_, this) == 0) return;
        for (Member* const member : hub_.members_) member->grant();
        hub_.changed_.notify_all();
    }

    /// Logical time, and how it was reached.
    double time() const { return time_; }
    distributed::Advance how() const { return how_; }

private:
    void require_hub() const {
        if (hub_.has_ended_) throw distributed::LinkError("the RTI has ended");
    }
    double bound() const { return is_advancing_ ? requested_ : time_; }
    void grant() {
        if (!is_advancing_) return;
        for (const Member* const other : hub_.members_)
            if (other->bound() < requested_) return;
        time_ = requested_;
        is_advancing_ = false;
    }

    MemoryHub& hub_;
    std::deque<std::string> inbox_;
    double time_ = 0, requested_ = 0;
    distributed::Advance how_ = distributed::Advance::available;
    bool is_advancing_ = false;
};

inline std::unique_ptr<distributed::Link> MemoryHub::open() {
    return std::make_unique<Member>(*this);
}

} // namespace rubato::test
