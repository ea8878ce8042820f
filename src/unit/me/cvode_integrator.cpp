// SPDX-License-Identifier: Apache-2.0
#include "cvode_integrator.hpp"

#include "cvode_names.hpp"
#include "solver_memory.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace rubato::unit {

namespace {

static_assert(std::is_same_v<realtype, double>);

/// For calls that only a bug of ours can make fail.
void require_done(int flag) {
    if (flag != CV_SUCCESS) throw std::logic_error(format("CVODE was used wrongly: {}", flag));
}

template <class T>
T* require_made(T* object) {
    if (object == nullptr) throw std::bad_alloc();
    return object;
}

class CvodeIntegrator final : public Integrator {
public:
    CvodeIntegrator(Equations& equations, std::unique_ptr<Jacobian> jacobian,
                    std::optional<double> max_step, SolverStatistics& statistics);

    void set_tolerance(double tolerance, std::span<const double> nominals) override;
    void restart(double time, std::span<const double> x) override;
    Progress advance(double limit) override;
    std::span<const double> x() const override { return values(x_); }
    void interpolate(double time, std::span<double> x) const override;
    std::span<const int> changed_indicators() const override { return changed_; }
    std::size_t saved_size() const override { return memory_.size(); }
    void save(std::byte* to) const override { memory_.save(to); }
    void restore(const std::byte* from) override { memory_.restore(from); }

private:
    // What CVODE calls. No exception may pass through it, which is written in C: it is kept, and
    // thrown again when CVODE has returned. 0: done, 1: not at this point, -1: not at all.
    template <class Body>
    static int guarded(void* data, Body&& body);
    static int evaluate(realtype time, N_Vector x, N_Vector derivatives, void* data);
    static int indicate(realtype time, N_Vector x, realtype* indicators, void* data);
    static int linearize(realtype time, N_Vector x, N_Vector derivatives, SUNMatrix matrix,
                         void* data, N_Vector, N_Vector, N_Vector);
    static void note(int code, const char*, const char*, char* message, void* data);

    void create(std::optional<double> max_step);
    void create_newton();
    void create_functional_iteration();
    void rehearse();
    void check_headway(double reached);
    [[noreturn]] void fail(int flag) const;

    std::span<double> values(N_Vector vector) const {
        return {NV_DATA_S(vector), equations_.dimension()};
    }

    Equations& equations_;
    std::unique_ptr<Jacobian> jacobian_;
    SolverStatistics& statistics_;

    SolverMemory memory_; ///< holds all that the pointers point to
    SUNContext context_ = nullptr;
    void* cvode_ = nullptr;
    N_Vector x_ = nullptr;
    N_Vector absolute_ = nullptr; ///< tolerances
    N_Vector between_ = nullptr;  ///< what was interpolated last

    std::vector<int> changed_;
    double time_ = 0;
    int stalled_ = 0;           ///< steps in a row that did not move time
    bool rehearsing_ = false;   ///< the equations are not asked
    std::exception_ptr thrown_; ///< by the equations, while CVODE was on the stack
    std::string message_;       ///< CVODE's last
};

CvodeIntegrator::CvodeIntegrator(Equations& equations, std::unique_ptr<Jacobian> jacobian,
                                 std::optional<double> max_step, SolverStatistics& statistics)
    : equations_(equations), jacobian_(std::move(jacobian)), statistics_(statistics),
      changed_(equations.indicator_count()) {
    const SolverMemory::Filling filling(memory_);
    create(max_step);
    rehearse();
}

void CvodeIntegrator::create(std::optional<double> max_step) {
    const auto dimension = static_cast<sunindextype>(equations_.dimension());
    require_done(SUNContext_Create(nullptr, &context_));
    x_ = require_made(N_VNew_Serial(dimension, context_));
    absolute_ = require_made(N_VNew_Serial(dimension, context_));
    between_ = require_made(N_VNew_Serial(dimension, context_));
    std::ranges::fill(values(x_), 0.0);
    std::ranges::fill(values(absolute_), 1.0);
    std::ranges::fill(values(between_), 0.0);

    cvode_ = require_made(CVodeCreate(jacobian_ ? CV_BDF : CV_ADAMS, context_));
    require_done(CVodeInit(cvode_, &evaluate, 0, x_));
    require_done(CVodeSVtolerances(cvode_, 1, absolute_));
    require_done(CVodeSetUserData(cvode_, this));
    require_done(CVodeSetErrHandlerFn(cvode_, &note, this));
    if (jacobian_) {
        create_newton();
    } else {
        create_functional_iteration();
    }
    if (max_step) require_done(CVodeSetMaxStep(cvode_, *max_step));
    if (equations_.indicator_count() == 0) return;
    const auto indicators = static_cast<int>(equations_.indicator_count());
    require_done(CVodeRootInit(cvode_, indicators, &indicate));
    require_done(CVodeSetNoInactiveRootWarn(cvode_));
}

void CvodeIntegrator::create_newton() {
    const auto dimension = static_cast<sunindextype>(equations_.dimension());
    const SUNMatrix matrix = require_made(SUNDenseMatrix(dimension, dimension, context_));
    const SUNLinearSolver solver = require_made(SUNLinSol_Dense(x_, matrix, context_));
    require_done(CVodeSetLinearSolver(cvode_, solver, matrix));
    require_done(CVodeSetJacFn(cvode_, &linearize));
}

void CvodeIntegrator::create_functional_iteration() {
    constexpr int accelerated_by = 0;
    const SUNNonlinearSolver solver =
        require_made(SUNNonlinSol_FixedPoint(x_, accelerated_by, context_));
    require_done(CVodeSetNonlinearSolver(cvode_, solver));
}

/// CVODE allocates some of its memory only when it makes its first step. So it makes one here, of
/// x' = 0.
void CvodeIntegrator::rehearse() {
    rehearsing_ = true;
    double reached = 0;
    require_done(CVode(cvode_, 1, x_, &reached, CV_ONE_STEP));
    rehearsing_ = false;
}

void CvodeIntegrator::set_tolerance(double tolerance, std::span<const double> nominals) {
    std::ranges::transform(nominals, values(absolute_).begin(),
                           [&](double nominal) { return 0.01 * tolerance * nominal; });
    require_done(CVodeSVtolerances(cvode_, tolerance, absolute_));
    if (jacobian_) jacobian_->set_scales(nominals);
}

void CvodeIntegrator::restart(double time, std::span<const double> x) {
    std::ranges::copy(x, values(x_).begin());
    require_done(CVodeReInit(cvode_, time, x_));
    time_ = time;
    stalled_ = 0;
}

Progress CvodeIntegrator::advance(double limit) {
    require_done(CVodeSetStopTime(cvode_, limit));
    double reached = 0;
    const int flag = CVode(cvode_, limit, x_, &reached, CV_ONE_STEP);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag < 0) fail(flag);
    ++statistics_.steps;
    check_headway(reached);
    time_ = reached;
    if (flag != CV_ROOT_RETURN) return {reached, false};
    require_done(CVodeGetRootInfo(cvode_, changed_.data()));
    return {reached, true};
}

void CvodeIntegrator::interpolate(double time, std::span<double> x) const {
    constexpr int order_of_derivative = 0;
    require_done(CVodeGetDky(cvode_, time, order_of_derivative, between_));
    std::ranges::copy(values(between_), x.begin());
}

/// Near a singularity steps shrink until they no longer move time; CVODE would go on for ever.
void CvodeIntegrator::check_headway(double reached) {
    constexpr int patience = 100;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(reached);
    stalled_ = reached - time_ <= rounding ? stalled_ + 1 : 0;
    if (stalled_ == 0) equations_.forget_refusal();
    if (stalled_ < patience) return;
    throw SolverFault(
        format("its steps have become too short to move time beyond t = {} s", shortest(reached)),
        "the solution may have a singularity there");
}

void CvodeIntegrator::fail(int flag) const {
    const std::string refusal = equations_.explain_refusal();
    switch (flag) {
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RTFUNC_FAIL: throw SolverFault(refusal, "");
    case CV_CONV_FAILURE:
        throw SolverFault(refusal.empty() ? message_ : format("{} ({})", refusal, message_),
                          "a smaller max-step or a looser tolerance may help");
    case CV_ERR_FAILURE:
        throw SolverFault(message_, "the tolerance may be too tight, or the solution not smooth");
    default: throw SolverFault(message_, "");
    }
}

template <class Body>
int CvodeIntegrator::guarded(void* data, Body&& body) {
    auto& self = *static_cast<CvodeIntegrator*>(data);
    try {
        return body(self) == Evaluation::done ? 0 : 1;
    } catch (...) {
        self.thrown_ = std::current_exception();
        return -1;
    }
}

int CvodeIntegrator::evaluate(realtype time, N_Vector x, N_Vector derivatives, void* data) {
    return guarded(data, [&](CvodeIntegrator& self) {
        const std::span<double> result = self.values(derivatives);
        if (!self.rehearsing_) return self.equations_.derivatives(time, self.values(x), result);
        std::ranges::fill(result, 0.0);
        return Evaluation::done;
    });
}

int CvodeIntegrator::indicate(realtype time, N_Vector x, realtype* indicators, void* data) {
    return guarded(data, [&](CvodeIntegrator& self) {
        const std::span<double> result(indicators, self.equations_.indicator_count());
        if (!self.rehearsing_) return self.equations_.indicators(time, self.values(x), result);
        std::ranges::fill(result, 1.0);
        return Evaluation::done;
    });
}

int CvodeIntegrator::linearize(realtype time, N_Vector x, N_Vector derivatives, SUNMatrix matrix,
                               void* data, N_Vector, N_Vector, N_Vector) {
    return guarded(data, [&](CvodeIntegrator& self) {
        if (self.rehearsing_) return Evaluation::done;
        ++self.statistics_.jacobians;
        return self.jacobian_->evaluate(time, self.values(x), self.values(derivatives),
                                        SM_DATA_D(matrix));
    });
}

void CvodeIntegrator::note(int code, const char*, const char*, char* message, void* data) {
    if (code < 0) static_cast<CvodeIntegrator*>(data)->message_ = message;
}

} // namespace

std::unique_ptr<Integrator> make_cvode_integrator(Equations& equations,
                                                  std::unique_ptr<Jacobian> jacobian,
                                                  std::optional<double> max_step,
                                                  SolverStatistics& statistics) {
    return std::make_unique<CvodeIntegrator>(equations, std::move(jacobian), max_step, statistics);
}

} // namespace rubato::unit
