// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

namespace {

using rubato::model::Declaration;

constexpr std::size_t most = 256;

/// y is what a table has for u.
struct Lookup {
    std::uint64_t entries = 1;
    std::array<std::int64_t, most> from = {};
    std::array<std::int64_t, most> to = {};
    std::int64_t u = 0;
    std::int64_t y = 0;

    static void declare(Declaration<Lookup>& model) {
        model.description("looks up an integer in a table: y = to[i] where from[i] = u");
        model.structural(&Lookup::entries, "n", "number of entries of the table");
        model.parameter(&Lookup::from, "from", "", "values of u").shaped_by(&Lookup::entries);
        model.parameter(&Lookup::to, "to", "", "values of y").shaped_by(&Lookup::entries);
        model.input(&Lookup::u, "u", "", "what is looked up");
        model.output(&Lookup::y, "y", "", "what the table has for it").fed_by(&Lookup::u);
    }

    void outputs() {
        for (std::size_t i = 0; i < entries; ++i) {
            if (from[i] != u) continue;
            y = to[i];
            return;
        }
        throw std::runtime_error("the table has no entry for u = " + std::to_string(u));
    }
};

} // namespace

RUBATO_MODEL(lookup, Lookup)
