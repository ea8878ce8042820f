// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace rubato::unit {

/// All that a solver of SUNDIALS has allocated. SUNDIALS can neither copy nor save a solver; but
/// its state is the contents of these blocks and nothing else, so that a solver whose blocks are
/// given back their contents continues as it did, to the last bit. Freed as a whole.
class SolverMemory {
public:
    SolverMemory() = default;
    ~SolverMemory();
    SolverMemory(const SolverMemory&) = delete;
    SolverMemory& operator=(const SolverMemory&) = delete;

    /// While it lives, what SUNDIALS allocates on this thread belongs to the memory. To be used for
    /// all that makes a solver, and for nothing after.
    class Filling {
    public:
        explicit Filling(SolverMemory& memory);
        ~Filling();
        Filling(const Filling&) = delete;
        Filling& operator=(const Filling&) = delete;

    private:
        SolverMemory* before_;
    };

    std::size_t size() const { return size_; } ///< in bytes
    void save(std::byte* to) const;
    void restore(const std::byte* from);

    // For the functions that SUNDIALS calls.
    void* add(void* block, std::size_t size);
    void remove(void* block);

private:
    struct Block {
        void* start;
        std::size_t size;
    };
    std::vector<Block> blocks_;
    std::size_t size_ = 0;
};

} // namespace rubato::unit
