// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::unit {

/// Removes the temporary folders that this process has made, FMUs and all. For a process that ends
/// at once, without freeing what it has.
void remove_temporary_folders() noexcept;

} // namespace rubato::unit
