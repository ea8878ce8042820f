// SPDX-License-Identifier: Apache-2.0

/// What a library that an FMU brings along has to offer.
extern "C" __attribute__((visibility("default"))) int rubato_misuse_neighbour();
extern "C" int rubato_misuse_neighbour() { return 1; }
