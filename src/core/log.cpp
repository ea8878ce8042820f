// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/log.hpp>

namespace rubato {

Log& silent_log() {
    class Silent final : public Log {
        void write(LogLevel, std::string_view, std::string_view) override {}
    };
    static Silent silent;
    return silent;
}

} // namespace rubato
