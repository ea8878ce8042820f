# Two commands do everything on a fresh machine: make demo, make test.
PRESET ?= release
BUILD := build/$(PRESET)
FUZZ_SECONDS ?= 60

.PHONY: help demo test test-all build configure setup lint lint-all format bench study-hierarchy study-loops study-order study-scaling study-stairs study-step study-trust study-tune asan tsan fuzz docs reference examples pictures deb image install clean python test-python

help: ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## install the packages that are missing
	@scripts/setup.sh

# What `make demo` shows needs no GoogleTest, and leaves a folder alone that is configured for tests.
demo: ## co-simulate two coupled mass-spring-dampers and show the result
	@scripts/setup.sh build
	@echo "demo: building rubato and two FMUs, a few minutes the first time"
	@mkdir -p build && cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset $(PRESET) --target demo
	@ln -sf $(BUILD)/src/cli/rubato rubato
	@scripts/demo.sh ./rubato

# The Python package is part of it where its tools can be installed: without PyPI ctest shows that it is not tested.
configure:
	@scripts/setup.sh build test mpi hdf5 $(if $(filter release,$(PRESET)),python)
	@python=OFF; [ $(PRESET) != release ] || ! scripts/python.sh environment || python=ON; \
	mkdir -p build && cmake --preset $(PRESET) -DBUILD_TESTING=ON -DRUBATO_PYTHON=$$python >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }

build: configure ## build everything (PRESET=release|dev|asan|tsan)
	@cmake --build --preset $(PRESET)
	@ln -sf $(BUILD)/src/cli/rubato rubato

test: build ## run every test, check the sources, then fuzz what reads files for a minute
	@ctest --preset $(PRESET) --no-tests=error -j$(shell nproc)
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=15

test-all: test ## what takes longer: random tests at full size, more numbers of ranks, all checks of sources, sanitizers, fuzzing
	@RUBATO_ALL_RANKS=1 ctest --preset $(PRESET) -R distributed.equal
	@RUBATO_RANDOM_CASES=10000 $(BUILD)/tests/unit/synthesis/test_synthesis_random --gtest_brief=1
	@$(MAKE) --no-print-directory lint-all asan tsan fuzz

lint: ## check format, names and a short list of mistakes
	@scripts/setup.sh build test lint
	@scripts/lint.py

lint-all: ## the same with the checks that take longer
	@scripts/setup.sh build test lint
	@scripts/lint.py --all

format: ## format the code in place
	@scripts/setup.sh lint
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs clang-format -i

bench: ## measure the cost of orchestration against the bare FMI calls
	@$(MAKE) --no-print-directory build PRESET=release
	@build/release/bench/rubato_bench --json build/bench.json
	@scripts/bench-distributed.sh build/release/src/cli/rubato_bench_distributed
	@scripts/bench-federation.py build/release

study-step: build ## how well step controllers hold their tolerance
	@$(BUILD)/studies/study_step_control studies/step-control studies/step-control

study-trust: build ## how near estimated errors are to true ones
	@$(BUILD)/studies/study_trust studies/step-control

study-loops: build ## where loops converge, and in how many iterations
	@$(BUILD)/studies/study_loops studies/loops

study-hierarchy: build ## order of convergence of machines as composites, sizes of transformed scenarios
	@$(BUILD)/studies/study_hierarchy .

study-scaling: ## how runs in several processes scale, here and by a model up to 1,024 ranks
	@$(MAKE) --no-print-directory build PRESET=release
	@scripts/study-scaling.sh build/release/src/cli/study_scaling studies/scaling

study-tune: build ## what rubato tune finds beside what was chosen by hand
	@$(BUILD)/studies/study_tune studies/step-control/*.yaml examples/coupled-msd/scenario.yaml examples/crane/scenario.yaml examples/dc-motor/scenario.yaml examples/quarter-car/scenario.yaml examples/rooms/scenario.yaml

study-stairs: ## a ball on stairs in five FMUs beside the monolithic solution
	@$(MAKE) --no-print-directory build PRESET=release
	@build/release/examples/study_stairs examples/stairs examples/stairs

study-order: ## run the study of adaptive orders again, and five masses in a chain and a ring
	@$(MAKE) --no-print-directory build PRESET=release
	@./rubato study adaptive-order $(if $(PARAMETERS),--parameters $(PARAMETERS))
	@./rubato study adaptive-order --network chain
	@./rubato study adaptive-order --network ring

asan: ## run every test under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory build PRESET=asan
	@ctest --preset asan --no-tests=error -j$(shell nproc)

tsan: ## run every test under the thread sanitizer
	@$(MAKE) --no-print-directory build PRESET=tsan
	@ctest --preset tsan --no-tests=error -j$(shell nproc)

fuzz: ## fuzz what reads files, FUZZ_SECONDS (60) for each of four kinds
	@scripts/setup.sh build test fuzz
	@scripts/fuzz.sh $(FUZZ_SECONDS)

docs: ## build the documentation as a web site in build/docs/site, with the reference of the C++ headers
	@scripts/setup.sh docs
	@scripts/docs.sh

reference: build ## write the generated pages of docs/reference
	@scripts/reference.sh $(BUILD)

examples: ## build rubato and the FMUs of examples/
	@scripts/setup.sh build
	@mkdir -p build && cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset $(PRESET) --target examples
	@ln -sf $(BUILD)/src/cli/rubato rubato

pictures: examples ## draw the pictures of examples/ and docs/figures again
	@scripts/pictures.sh ./rubato

deb: ## build the Debian packages rubato and librubato-dev of the last commit in build/deb
	@scripts/setup.sh build deb
	@scripts/deb.sh

image: ## build the container image rubato with docker
	@docker build --tag rubato .

install: ## install program, library, manual pages and completions to PREFIX (/usr/local)
	@scripts/setup.sh build
	@mkdir -p build && cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset $(PRESET) --target installable
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

python: ## build the Python package and install it in a virtual environment in build/python/venv
	@scripts/setup.sh build python
	@scripts/python.sh environment
	@mkdir -p build && cmake --preset release $(if $(wildcard build/release/CMakeCache.txt),,-DBUILD_TESTING=OFF) -DRUBATO_PYTHON=ON >build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build --preset release --target python_package
	@scripts/python.sh wheel build/release

test-python: ## the same, and run its tests over the wheel; make test runs them over the build
	@$(MAKE) --no-print-directory build PRESET=release
	@$(MAKE) --no-print-directory python
	@scripts/python.sh test build/release

clean: ## remove what was built
	@rm -rf build rubato
