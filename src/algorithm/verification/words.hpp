// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <string>
#include <unordered_map>

namespace rubato::algorithm::verification {

/// "set tentative msd2.x1"; loops by what they wait for.
std::string words_of(const Op& op, const scenario::System& system);

/// "msd1, msd2"; a dozen at most, then "and 7 more".
std::string listed(const std::vector<std::string>& names);

/// Where operations stand, for people: "operation 3 of the initialization", "operation 4.2 of the
/// step procedure \"main\"" (the second in the loop that is the fourth), "operation 4.retry.1",
/// "operation 5.body2.1".
class Places {
public:
    explicit Places(const Algorithm& algorithm) : algorithm_(algorithm) {}

    const std::string& of(const Op& op);

    /// "the initialization", "the step procedure \"main\"".
    std::string of_body(const Body& body) const;

private:
    void add(const Body& body, const std::string& prefix, const std::string& suffix);
    std::string name_of(const Procedure& procedure) const;
    std::string name_of_event(const Procedure& procedure) const;

    const Algorithm& algorithm_;
    std::unordered_map<const Op*, std::string> places_; ///< empty until first needed
};

} // namespace rubato::algorithm::verification
