// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>

namespace rubato::test {

/// What the user is told when `call` fails with the given type of error; "" when it does not fail.
/// Any other exception passes through and fails the test.
template <class ErrorType, class Call>
std::string error_of(Call&& call) {
    try {
        call();
    } catch (const ErrorType& error) {
        return error.what();
    }
    return "";
}

} // namespace rubato::test
