// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/distributed/link.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <map>
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
    void subscribe(const std::vector<distributed::LinkAttribute>& attributes) override {
        const std::lock_guard lock(hub_.mutex_);
        subscribed_ = attributes;
    }
    void publish(const std::vector<distributed::LinkAttribute>& attributes) override {
        const std::lock_guard lock(hub_.mutex_);
        published_ = attributes;
        hub_.changed_.notify_all();
    }
    std::string missing_instance() const override {
        const std::lock_guard lock(hub_.mutex_);
        for (const auto& wanted : subscribed_)
            if (std::ranges::none_of(hub_.members_, [&](const Member* member) {
                    return std::ranges::any_of(member->published_, [&](const auto& each) {
                        return each.object_class == wanted.object_class &&
                               each.instance == wanted.instance;
                    });
                }))
                return wanted.instance;
        return {};
    }
    void update(double time, const std::vector<distributed::LinkValue>& values) override {
        const std::lock_guard lock(hub_.mutex_);
        require_hub();
        const bool is_over = how_ == distributed::Advance::complete && has_advanced_;
        if (time < time_ || (is_over && time == time_) || is_advancing_)
            throw distributed::LinkError("InvalidLogicalTime");
        for (const auto& value : values)
            for (Member* const other : hub_.members_)
                other->receive(time, published_.at(value.attribute), value.bytes);
    }
    /// Those up to the granted time, in the order of their time stamps.
    bool take_update(distributed::LinkUpdate& update) override {
        const std::lock_guard lock(hub_.mutex_);
        if (updates_.empty() || updates_.begin()->first > time_) return false;
        update = {updates_.begin()->second, false};
        updates_.erase(updates_.begin());
        return true;
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
    void receive(double time, const distributed::LinkAttribute& attribute,
                 const std::string& bytes) {
        for (std::size_t i = 0; i < subscribed_.size(); ++i)
            if (subscribed_[i].instance == attribute.instance &&
                subscribed_[i].attribute == attribute.attribute)
                updates_.insert({time, {i, bytes}});
    }
    double bound() const { return is_advancing_ ? requested_ : time_; }
    void grant() {
        if (!is_advancing_) return;
        for (const Member* const other : hub_.members_)
            if (other->bound() < requested_) return;
        time_ = requested_;
        has_advanced_ = true;
        is_advancing_ = false;
    }

    MemoryHub& hub_;
    std::deque<std::string> inbox_;
    double time_ = 0, requested_ = 0;
    distributed::Advance how_ = distributed::Advance::available;
    bool is_advancing_ = false, has_advanced_ = false;
    std::vector<distributed::LinkAttribute> subscribed_, published_;
    std::multimap<double, distributed::LinkValue> updates_; ///< by time stamp
};

inline std::unique_ptr<distributed::Link> MemoryHub::open() {
    return std::make_unique<Member>(*this);
}

} // namespace rubato::test
