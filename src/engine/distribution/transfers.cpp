// SPDX-License-Identifier: Apache-2.0
#include "transfers.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace rubato::engine {

/// Finds out who needs what and makes the messages.
class Transfers::Builder {
public:
    Builder(Transfers& transfers, const Interests& interests)
        : self_(transfers), plan_(transfers.plan_), interests_(interests),
          rank_(transfers.distribution_.processes().rank()),
          count_(transfers.distribution_.processes().count()) {}

    void build() {
        find_sides();
        find_consumers();
        self_.transfers_.resize(plan_.gets.size());
        for (const Block* block : {&plan_.first_guess, &plan_.initialization, &plan_.conditions,
                                   &plan_.watch, &plan_.event_watch})
            add(*block, Reach::all);
        for (const Procedure& procedure : plan_.procedures) {
            add(procedure.block, interests_.all_follow ? Reach::all : Reach::consumers);
            for (const Block* block : {&procedure.take_over, &procedure.exchange, &procedure.event,
                                       &procedure.event_guesses})
                add(*block, Reach::all);
        }
        open();
    }

private:
    enum class Reach : std::uint8_t { consumers, all };

    std::uint32_t owner_of(const unit::Unit* unit) const {
        return self_.distribution_.owner({self_.unit_of(unit)});
    }

    void find_sides() {
        for (const GetCall& call : plan_.gets)
            self_.owns_get_.push_back(owner_of(call.unit) == rank_);
        const bool follows_all = interests_.all_follow || (interests_.first_follows && rank_ == 0);
        for (const SetCall& call : plan_.sets)
            self_.follows_set_.push_back(follows_all || owner_of(call.unit) == rank_);
    }

    void consume(Storage storage, std::uint32_t slot, std::uint32_t consumer) {
        auto& consumers = consumers_[static_cast<std::size_t>(storage)];
        if (slot >= consumers.size()) consumers.resize(slot + std::size_t{1});
        auto& list = consumers[slot];
        if (std::ranges::find(list, consumer) == list.end()) list.push_back(consumer);
    }

    void find_consumers() {
        for (const SetCall& call : plan_.sets) {
            const std::uint32_t consumer = owner_of(call.unit);
            const auto add = [&](Storage storage, std::uint32_t slot) {
                consume(storage, slot, consumer);
                if (interests_.first_follows) consume(storage, slot, 0);
            };
            for (std::size_t i = 0; i < call.bulk.count; ++i)
                add(storage_of(call.bulk.type), call.sources[i]);
            if (!call.extras) continue;
            for (const ConvertedValue& value : call.extras->conversions)
                add(storage_of(value.change.from), value.slot);
        }
        for (const FixedPointLoop& loop : plan_.fixed_points) reach_all(loop.values);
    }

    /// What a loop starts from may have been read outside of it.
    void reach_all(const std::array<std::vector<LoopValue>, 4>& values) {
        for (std::size_t storage = 0; storage < values.size(); ++storage)
            for (const LoopValue& value : values[storage])
                for (std::uint32_t reader = 0; reader < count_; ++reader) {
                    consume(static_cast<Storage>(storage), value.now, reader);
                    consume(static_cast<Storage>(storage), value.before, reader);
                }
    }

    void add(const Block& block, Reach reach) {
        for (const Instruction& instruction : block) {
            switch (instruction.opcode) {
            case Opcode::get: add_gets(instruction, reach); break;
            case Opcode::fixed_point: add_loop(plan_.fixed_points[instruction.first]); break;
            case Opcode::negotiate: add_loop(plan_.negotiations[instruction.first]); break;
            case Opcode::section:
                for (const Section::Branch& branch : plan_.sections[instruction.first].branches)
                    add(branch.block, reach);
                break;
            default: break;
            }
        }
    }

    template <class Loop>
    void add_loop(const Loop& loop) {
        add(loop.iterate, Reach::all);
        add(loop.retry, Reach::all);
    }

    /// Blocks may be used twice: the first use has added their messages.
    void add_gets(const Instruction& range, Reach reach) {
        if (range.count == 0 || !seen_.insert(range.first).second) return;
        places_.push_back({range, reach});
    }

    /// What each pair of processes exchanges there. A process makes the lists of its own messages
    /// only.
    void open() {
        std::ranges::sort(places_, {}, [](const Place& place) { return place.range.first; });
        for (const Place& place : places_) {
            auto transfer = std::make_unique<Transfer>();
            std::map<std::uint32_t, std::vector<Piece>> outgoing, incoming;
            for (std::uint32_t i = place.range.first; i < place.range.first + place.range.count;
                 ++i) {
                const GetCall& call = plan_.gets[i];
                const std::uint32_t owner = owner_of(call.unit);
                if (storage_of(call.bulk.type) == Storage::string)
                    transfer->texts.emplace_back(i, owner);
                else
                    add_pieces(call, owner, place.reach, outgoing, incoming);
            }
            transfer->messages = open(*transfer, outgoing, incoming);
            self_.transfers_[place.range.first] = std::move(transfer);
        }
    }

    using Pieces = std::map<std::uint32_t, std::vector<Piece>>;

    void add_pieces(const GetCall& call, std::uint32_t owner, Reach reach, Pieces& outgoing,
                    Pieces& incoming) const {
        with_type_of(storage_of(call.bulk.type), [&]<class T>() {
            T* const values = static_cast<T*>(call.bulk.data);
            const auto first = static_cast<std::uint32_t>(values - plan_.buffers.data<T>());
            for (std::uint32_t i = 0; i < call.bulk.count; ++i) {
                const Piece piece{reinterpret_cast<std::byte*>(values + i), sizeof(T)};
                if (owner != rank_) {
                    if (needs(rank_, storage_for<T>, first + i, reach))
                        append(incoming[owner], piece);
                    continue;
                }
                for_each_reader(storage_for<T>, first + i, reach,
                                [&](std::uint32_t reader) { append(outgoing[reader], piece); });
            }
        });
    }

    std::span<const std::uint32_t> consumers_of(Storage storage, std::uint32_t slot) const {
        const auto& consumers = consumers_[static_cast<std::size_t>(storage)];
        if (slot >= consumers.size()) return {};
        return consumers[slot];
    }
    bool needs(std::uint32_t reader, Storage storage, std::uint32_t slot, Reach reach) const {
        const auto consumers = consumers_of(storage, slot);
        return reach == Reach::all || std::ranges::find(consumers, reader) != consumers.end();
    }
    template <class Use>
    void for_each_reader(Storage storage, std::uint32_t slot, Reach reach, Use&& use) const {
        if (reach == Reach::all) {
            for (std::uint32_t reader = 0; reader < count_; ++reader)
                if (reader != rank_) use(reader);
            return;
        }
        for (const std::uint32_t reader : consumers_of(storage, slot))
            if (reader != rank_) use(reader);
    }

    /// Neighbours in memory are one piece.
    static void append(std::vector<Piece>& pieces, const Piece& piece) {
        if (!pieces.empty() && pieces.back().values + pieces.back().bytes == piece.values)
            pieces.back().bytes += piece.bytes;
        else
            pieces.push_back(piece);
    }

    static std::vector<MessageSize> sizes_of(const Pieces& pieces,
                                             std::vector<std::vector<Piece>>& lists) {
        std::vector<MessageSize> sizes;
        for (const auto& [process, list] : pieces) {
            std::size_t bytes = 0;
            for (const Piece& piece : list) bytes += piece.bytes;
            sizes.push_back({process, bytes});
            lists.push_back(list);
        }
        return sizes;
    }

    std::unique_ptr<Messages> open(Transfer& transfer, const Pieces& outgoing,
                                   const Pieces& incoming) const {
        const auto sent = sizes_of(outgoing, transfer.outgoing);
        const auto received = sizes_of(incoming, transfer.incoming);
        return self_.distribution_.processes().open(sent, received);
    }

    struct Place {
        Instruction range;
        Reach reach;
    };

    Transfers& self_;
    Plan& plan_;
    const Interests interests_;
    const std::uint32_t rank_, count_;
    std::array<std::vector<std::vector<std::uint32_t>>, 4> consumers_; ///< by storage and slot
    std::set<std::uint32_t> seen_;
    std::vector<Place> places_;
};

Transfers::Transfers(Distribution& distribution, Plan& plan,
                     std::span<const std::unique_ptr<unit::Unit>> units, const Interests& interests)
    : distribution_(distribution), plan_(plan) {
    for (std::uint32_t u = 0; u < units.size(); ++u) numbers_.emplace(units[u].get(), u);
    Builder(*this, interests).build();
}

void Transfers::read(const Instruction& gets, Time now) {
    announce(share_, now);
    {
        const Distribution::Silence silence(distribution_);
        for (std::uint32_t i = gets.first; i < gets.first + gets.count; ++i)
            if (owns_get_[i]) plan_.gets[i].unit->get(plan_.gets[i].bulk);
    }
    exchange(gets);
}

void Transfers::exchange(const Instruction& gets) {
    if (gets.count == 0 || !transfers_[gets.first]) return; // only recorded: gathered in batches
    Transfer& transfer = *transfers_[gets.first];
    for (std::size_t m = 0; m < transfer.outgoing.size(); ++m) {
        std::byte* to = transfer.messages->outgoing(m).data();
        for (const Piece& piece : transfer.outgoing[m]) {
            std::memcpy(to, piece.values, piece.bytes);
            to += piece.bytes;
        }
    }
    transfer.messages->exchange();
    for (std::size_t m = 0; m < transfer.incoming.size(); ++m) {
        const std::byte* from = transfer.messages->incoming(m).data();
        for (const Piece& piece : transfer.incoming[m]) {
            std::memcpy(piece.values, from, piece.bytes);
            from += piece.bytes;
        }
    }
    for (const auto& [get, owner] : transfer.texts) {
        for (std::string& text : plan_.gets[get].bulk.as<std::string>()) {
            std::size_t size = text.size();
            Processes& processes = distribution_.processes();
            processes.broadcast(owner, std::as_writable_bytes(std::span(&size, 1)));
            text.resize(size);
            processes.broadcast(owner, std::as_writable_bytes(std::span(text)));
        }
    }
}

void Transfers::begin_ends(std::span<const UnusualEnd> own) {
    own_ends_ = own;
    const bool stops = stop_ && stop_->load(std::memory_order_relaxed);
    std::array<double, 3> numbers = {own.empty() ? 0. : 1., stops ? 1. : 0., own_rows_ ? 1. : 0.};
    distribution_.processes().take_largest(numbers);
    has_ends_ = numbers[0] > 0;
    agreed_ = {agreed_.stop || numbers[1] > 0, agreed_.rows || numbers[2] > 0};
}

/// The first in the program has the largest of the negative numbers.
std::optional<UnusualEnd> Transfers::next_end() {
    if (!has_ends_) return std::nullopt;
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    Processes& processes = distribution_.processes();
    std::array<double, 1> who = {own_ends_.empty() ? nothing
                                                   : -static_cast<double>(own_ends_[0].step)};
    processes.take_largest(who);
    has_ends_ = who[0] != nothing;
    if (!has_ends_) return std::nullopt;
    const auto step = static_cast<std::uint32_t>(-who[0]);
    std::array<double, 2> how = {nothing, nothing};
    if (!own_ends_.empty() && own_ends_[0].step == step) {
        how = {own_ends_[0].result.reached.seconds, static_cast<double>(own_ends_[0].result.end)};
        own_ends_ = own_ends_.subspan(1);
    }
    processes.take_largest(how);
    return UnusualEnd{step, {Time{how[0]}, static_cast<unit::StepEnd>(how[1])}};
}

} // namespace rubato::engine
