// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/processes.hpp>
#include <rubato/files/reader_gone.hpp>

#include <stdexcept>

namespace rubato::distributed {

Failure Failure::of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const engine::OthersFailed&) {
        return {};
    } catch (const files::ReaderGone& fault) {
        return {Kind::reader_gone, fault.what()};
    } catch (const InputError& fault) {
        return {Kind::input, fault.what()};
    } catch (const Error& fault) {
        return {Kind::run, fault.what()};
    } catch (const std::exception& fault) {
        return {Kind::bug, fault.what()};
    } catch (...) {
        return {Kind::bug, "an exception of unknown type"};
    }
}

Failure Failure::from_message(std::string message) {
    if (message.empty()) return {};
    const auto kind = static_cast<Kind>(message.front());
    return {kind, message.substr(1)};
}

std::exception_ptr Failure::exception() const {
    switch (kind) {
    case Kind::input: return std::make_exception_ptr(InputError(text));
    case Kind::reader_gone: return std::make_exception_ptr(files::ReaderGone(text));
    case Kind::bug: return std::make_exception_ptr(std::runtime_error(text));
    case Kind::none:
    case Kind::run: break;
    }
    return std::make_exception_ptr(Error(text));
}

} // namespace rubato::distributed
