// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace rubato::unit {

/// In FMI 1.0 a variable may be the negative of another one, whose value reference it shares. Here
/// such a variable has a value reference of its own, which the FMU knows nothing of: a get or set
/// of several variables by their references can thus distinguish them.
class NegatedAliases {
public:
    /// The aliases are added in descending order of their references.
    void add(ValueRef alias, ValueRef of) { entries_.push_back({alias, of}); }

    bool empty() const { return entries_.empty(); }

    /// What `alias` is the negative of; nullopt: it is none of them.
    std::optional<ValueRef> find(ValueRef alias) const {
        const auto found =
            std::ranges::lower_bound(entries_, alias, std::ranges::greater{}, &Entry::alias);
        if (found == entries_.end() || found->alias != alias) return std::nullopt;
        return found->of;
    }

private:
    struct Entry {
        ValueRef alias = 0;
        ValueRef of = 0;
    };
    std::vector<Entry> entries_;
};

} // namespace rubato::unit
