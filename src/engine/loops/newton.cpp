// SPDX-License-Identifier: Apache-2.0
#include "newton.hpp"

#include "kinsol_names.hpp"
#include "program/state_archive.hpp"

#include <rubato/private/format.hpp>

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace rubato::engine {

namespace {

static_assert(std::is_same_v<realtype, double>);

constexpr double most_left = 1.0 / 3; // of the residual, by a Jacobian that is kept
constexpr long int no_limit = std::numeric_limits<int>::max();

/// For calls that only a bug of ours can make fail.
void require_done(int flag) {
    if (flag != KIN_SUCCESS) throw std::logic_error(format("KINSOL was used wrongly: {}", flag));
}

template <class T>
T* require_made(T* object) {
    if (object == nullptr) throw std::bad_alloc();
    return object;
}

} // namespace

class Newton::Implementation {
public:
    explicit Implementation(LoopSize size)
        : size_(size), columns_(size.guessed * size.all), x_(size.all), g_(size.all),
          probe_(size.all) {
        create();
    }
    ~Implementation() { destroy(); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    /// Where KINSOL finds no way on, a plain iteration and a new Jacobian may.
    void solve(LoopProblem& problem, std::span<double> x) {
        problem_ = &problem;
        start_from(x);
        require_done(KINSetNoInitSetup(kinsol_, has_jacobian_ ? SUNTRUE : SUNFALSE));
        const int flag = KINSol(kinsol_, guesses_, KIN_NONE, weights_, weights_);
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        if (is_first_) require_done(flag); // it has not even tried
        // It is content where guesses stand still, though other values may yet have to follow.
        has_failed_ = flag < KIN_SUCCESS && !problem.has_ended();
        has_jacobian_ = has_jacobian_ && !has_failed_;
        std::ranges::copy(g_, x.begin());
    }
    bool has_failed() const { return has_failed_; }

    void visit_state(StateArchive& archive) {
        archive(columns_, has_jacobian_);
        if (has_jacobian_) factorize();
    }

private:
    // What KINSOL calls. No exception may pass through it, which is written in C: it is kept, and
    // thrown again when KINSOL has returned.
    static int evaluate(N_Vector guesses, N_Vector residual, void* data) {
        auto& self = *static_cast<Implementation*>(data);
        return self.guarded([&] { return self.evaluate(guesses, residual); });
    }
    static int linearize(N_Vector guesses, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                         N_Vector) {
        auto& self = *static_cast<Implementation*>(data);
        return self.guarded([&] { return self.linearize(guesses, matrix); });
    }
    /// It has nothing to say that is not seen from what it returns.
    static void ignore(int, const char*, const char*, char*, void*) {}

    template <class Body>
    int guarded(Body&& body) {
        constexpr int never_again = -1;
        try {
            return body() ? 0 : never_again;
        } catch (...) {
            thrown_ = std::current_exception();
            return never_again;
        }
    }

    void create() {
        const auto n = static_cast<sunindextype>(size_.guessed);
        require_done(SUNContext_Create(nullptr, &context_));
        guesses_ = require_made(N_VNew_Serial(n, context_));
        weights_ = require_made(N_VNew_Serial(n, context_));
        matrix_ = require_made(SUNDenseMatrix(n, n, context_));
        linear_ = require_made(SUNLinSol_Dense(guesses_, matrix_, context_));
        kinsol_ = require_made(KINCreate(context_));
        require_done(KINInit(kinsol_, &Implementation::evaluate, guesses_));
        require_done(KINSetUserData(kinsol_, this));
        require_done(KINSetErrHandlerFn(kinsol_, &ignore, nullptr));
        require_done(KINSetLinearSolver(kinsol_, linear_, matrix_));
        require_done(KINSetJacFn(kinsol_, &Implementation::linearize));
        require_done(KINSetMaxSetupCalls(kinsol_, no_limit));
        require_done(KINSetMaxSubSetupCalls(kinsol_, 1));
        require_done(KINSetResMonConstValue(kinsol_, most_left));
        // The problem says when to stop.
        require_done(KINSetNumMaxIters(kinsol_, no_limit));
        require_done(KINSetMaxNewtonStep(kinsol_, std::sqrt(std::numeric_limits<double>::max())));
        require_done(KINSetFuncNormTol(kinsol_, std::numeric_limits<double>::min()));
        require_done(KINSetScaledStepTol(kinsol_, std::numeric_limits<double>::min()));
    }

    void destroy() {
        KINFree(&kinsol_);
        SUNLinSolFree(linear_);
        SUNMatDestroy(matrix_);
        N_VDestroy(weights_);
        N_VDestroy(guesses_);
        SUNContext_Free(&context_);
    }

    std::span<double> values(N_Vector vector) const { return {NV_DATA_S(vector), size_.guessed}; }

    /// KINSOL compares only norms with one another, for which the weights of the loop before do.
    void start_from(std::span<const double> x) {
        std::ranges::copy(x, x_.begin());
        std::ranges::copy(x.first(size_.guessed), values(guesses_).begin());
        const auto weights = problem_->weights();
        std::ranges::copy(weights.first(size_.guessed), values(weights_).begin());
        is_first_ = true;
    }

    bool evaluate(N_Vector guesses, N_Vector residual) {
        const auto next = values(guesses);
        if (!is_first_) predict_others(next);
        is_first_ = false;
        std::ranges::copy(next, x_.begin());
        if (!problem_->iterate(x_, g_)) return false;
        for (std::size_t i = 0; i < next.size(); ++i) values(residual)[i] = g_[i] - x_[i];
        return true;
    }

    /// By the Jacobian, from what the last iteration gave for them.
    void predict_others(std::span<const double> next) {
        for (std::size_t i = size_.guessed; i < size_.all; ++i) {
            x_[i] = g_[i];
            for (std::size_t j = 0; j < next.size(); ++j)
                x_[i] += columns_[j * size_.all + i] * (next[j] - x_[j]);
        }
    }

    bool linearize(N_Vector guesses, SUNMatrix matrix) {
        has_jacobian_ = false;
        const auto at = values(guesses);
        if (!std::ranges::equal(at, std::span(x_).first(size_.guessed))) {
            std::ranges::copy(at, x_.begin());
            if (!problem_->sample(x_, g_)) return false;
        }
        for (std::size_t j = 0; j < size_.guessed; ++j) {
            const auto column = std::span(columns_).subspan(j * size_.all, size_.all);
            if (!problem_->differentiate(j, column) && !take_differences(j, column)) return false;
        }
        fill(matrix);
        problem_->note_jacobian();
        has_jacobian_ = true;
        return true;
    }

    /// ∂F/∂x
    void fill(SUNMatrix matrix) {
        for (std::size_t j = 0; j < size_.guessed; ++j) {
            const auto column = std::span(columns_).subspan(j * size_.all, size_.guessed);
            double* const entries = SM_COLUMN_D(matrix, static_cast<sunindextype>(j));
            std::ranges::copy(column, entries);
            entries[j] -= 1;
        }
    }

    /// As KINSOL does after `linearize`: it keeps the factors, not the Jacobian.
    void factorize() {
        fill(matrix_);
        require_done(SUNLinSolSetup(linear_, matrix_));
    }

    /// By √ε of the size of x_j, but at least by ten times what it may change: less than that may
    /// be noise.
    bool take_differences(std::size_t j, std::span<double> column) {
        const double rounding = std::sqrt(std::numeric_limits<double>::epsilon());
        const double by = std::max(rounding * (std::abs(x_[j]) + problem_->nominal(j)),
                                   10 / problem_->weights()[j]);
        std::ranges::copy(x_, probe_.begin());
        probe_[j] += by;
        const double moved = probe_[j] - x_[j]; // but for rounding
        if (!problem_->sample(probe_, column)) return false;
        for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - g_[i]) / moved;
        return true;
    }

    LoopSize size_;
    std::vector<double> columns_; ///< ∂G/∂x_j of all values, one after the other
    std::vector<double> x_, g_;   ///< of the last iteration
    std::vector<double> probe_;
    LoopProblem* problem_ = nullptr;
    bool has_jacobian_ = false;
    bool has_failed_ = false;
    bool is_first_ = true;
    std::exception_ptr thrown_; ///< while KINSOL was on the stack

    SUNContext context_ = nullptr;
    void* kinsol_ = nullptr;
    N_Vector guesses_ = nullptr, weights_ = nullptr;
    SUNMatrix matrix_ = nullptr;
    SUNLinearSolver linear_ = nullptr;
};

Newton::Newton(LoopSize size) : implementation_(std::make_unique<Implementation>(size)) {}
Newton::~Newton() = default;

void Newton::solve(LoopProblem& problem, std::span<double> x) {
    implementation_->solve(problem, x);
}

void Newton::visit_state(StateArchive& archive) { implementation_->visit_state(archive); }

bool Newton::has_failed() const { return implementation_->has_failed(); }

} // namespace rubato::engine
