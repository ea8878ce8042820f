// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace rubato::test {

/// Joins threads of one process as if they were processes.
class ThreadProcesses {
public:
    explicit ThreadProcesses(std::uint32_t count) : count_(count), given_(count) {}

    class Member;

private:
    using Way = std::tuple<std::size_t, std::uint32_t, std::uint32_t>; ///< messages, from, to

    /// The last to come lets all go on.
    std::vector<std::string> gather(std::uint32_t rank, std::string_view own) {
        std::unique_lock lock(mutex_);
        throw_if_failed();
        given_[rank] = own;
        const std::size_t round = round_;
        if (++arrived_ == count_) {
            gathered_ = given_;
            arrived_ = 0;
            ++round_;
            changed_.notify_all();
        }
        changed_.wait(lock, [&] { return round_ != round || error_; });
        if (round_ == round) throw_if_failed();
        return gathered_;
    }
    void send(const Way& way, std::string message) {
        const std::lock_guard lock(mutex_);
        mail_[way].push_back(std::move(message));
        changed_.notify_all();
    }
    std::string receive(const Way& way) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !mail_[way].empty() || error_; });
        if (mail_[way].empty()) throw_if_failed();
        std::string message = std::move(mail_[way].front());
        mail_[way].pop_front();
        return message;
    }
    [[noreturn]] void fail(const std::exception_ptr& own) {
        {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = own;
            changed_.notify_all();
        }
        std::rethrow_exception(error_);
    }
    void throw_if_failed() const {
        if (error_) throw engine::OthersFailed("another thread has failed");
    }

    const std::uint32_t count_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t arrived_ = 0, round_ = 0;
    std::vector<std::string> given_, gathered_;
    std::map<Way, std::deque<std::string>> mail_;
    std::exception_ptr error_;
};

/// What one of the threads sees.
class ThreadProcesses::Member final : public engine::Processes {
public:
    Member(ThreadProcesses& all, std::uint32_t rank) : all_(all), rank_(rank) {}

    std::uint32_t rank() const override { return rank_; }
    std::uint32_t count() const override { return all_.count_; }
    std::string name_of(std::uint32_t rank) const override {
        return "thread " + std::to_string(rank);
    }
    std::unique_ptr<engine::Messages> open(std::span<const engine::MessageSize> outgoing,
                                           std::span<const engine::MessageSize> incoming) override {
        return std::make_unique<Mail>(all_, rank_, opened_++, outgoing, incoming);
    }
    void broadcast(std::uint32_t from, std::span<std::byte> bytes) override {
        if (bytes.empty()) return;
        const std::string own(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::string given = all_.gather(rank_, own).at(from);
        std::memcpy(bytes.data(), given.data(), bytes.size());
    }
    std::vector<std::string> gather(std::string_view own) override {
        return all_.gather(rank_, own);
    }
    std::vector<std::string> gather_everywhere(std::string_view own) override {
        return all_.gather(rank_, own);
    }
    void take_largest(std::span<double> numbers) override {
        const std::string own(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
        std::vector<double> other(numbers.size());
        for (const std::string& given : all_.gather(rank_, own)) {
            std::memcpy(other.data(), given.data(), given.size());
            for (std::size_t i = 0; i < other.size(); ++i)
                if (std::isnan(other[i]) || other[i] > numbers[i]) numbers[i] = other[i];
        }
    }
    [[noreturn]] void fail(std::exception_ptr own) override { all_.fail(own); }
    void save_at_failure(engine::UnsentRows*) override {}
    bool is_complete() const override { return !all_.error_; }
    void heed(const std::atomic<bool>*) override {}
    engine::ProcessTimes times() const override { return {}; }
    bool reports() const override { return rank_ == 0; }
    void end(int) override {}

private:
    class Mail final : public engine::Messages {
    public:
        Mail(ThreadProcesses& all, std::uint32_t rank, std::size_t number,
             std::span<const engine::MessageSize> outgoing,
             std::span<const engine::MessageSize> incoming)
            : all_(all), rank_(rank), number_(number) {
            for (const auto& [process, bytes] : outgoing) out_.emplace_back(process, bytes);
            for (const auto& [process, bytes] : incoming) in_.emplace_back(process, bytes);
        }
        std::span<std::byte> outgoing(std::size_t index) override {
            return std::as_writable_bytes(std::span(out_[index].text));
        }
        std::span<const std::byte> incoming(std::size_t index) const override {
            return std::as_bytes(std::span(in_[index].text));
        }
        void exchange() override {
            for (const Letter& letter : out_)
                all_.send({number_, rank_, letter.process}, letter.text);
            for (Letter& letter : in_) letter.text = all_.receive({number_, letter.process, rank_});
        }

    private:
        struct Letter {
            Letter(std::uint32_t with, std::size_t bytes) : process(with), text(bytes, '\0') {}
            std::uint32_t process;
            std::string text;
        };
        ThreadProcesses& all_;
        std::uint32_t rank_;
        std::size_t number_;
        std::vector<Letter> out_, in_;
    };

    ThreadProcesses& all_;
    std::uint32_t rank_;
    std::size_t opened_ = 0;
};

} // namespace rubato::test
