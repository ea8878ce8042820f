// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdlib.h>

#include <initializer_list>

namespace rubato::test {

/// Processes that are started from now on end by signals and failed allocations as they do without
/// sanitizers.
inline void start_processes_as_without_sanitizers() {
    for (const char* const options : {"ASAN_OPTIONS", "TSAN_OPTIONS"})
        ::setenv(options, "handle_segv=0:handle_abort=0:allocator_may_return_null=1", 1);
}

} // namespace rubato::test
