// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/unit/validation.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace rubato::unit {

/// Where reading puts the rules that an FMU breaks.
class Findings {
public:
    void add(Rule rule, Location where, std::string message, std::string hint = {});
    void add(Finding finding) { all_.push_back(std::move(finding)); }

    const std::vector<Finding>& all() const { return all_; }

    /// Throws an InputError with all findings that keep the FMU from being used, if there are any.
    void throw_if_refused(Strictness strictness) const;

    /// One line for each rule that was broken: how often, where first, and what was made of it.
    void summarize(std::string_view file, Log& log) const;

private:
    std::vector<Finding> all_;
};

/// A finding after which nothing more can be read.
class Refusal : public InputError {
public:
    explicit Refusal(Finding finding);
    const Finding& finding() const { return finding_; }

private:
    Finding finding_;
};

} // namespace rubato::unit
