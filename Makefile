# Every verb of the project. CI calls only these.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
export PIP_DISABLE_PIP_VERSION_CHECK := 1

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
RUST_SOURCES := $(shell find crates -path '*/fuzz' -prune -o -name '*.rs' -print -o -name 'Cargo.toml' -print) Cargo.toml Cargo.lock
NODE_STACKS := $(dir $(wildcard systems/*/*/*/package.json))
GO_STACKS := $(dir $(wildcard systems/*/*/*/go.mod))
JVM_STACKS := $(dir $(wildcard systems/*/*/*/pom.xml))
RUST_STACKS := $(dir $(wildcard systems/*/*/*/Cargo.toml))
PYTHON_STACKS := $(dir $(wildcard systems/*/*/*/requirements.txt))
# Cargo builds each Rust stack beside the lab's own crates, not in its folder.
IN_RUST_STACK = cd $(stack) && export CARGO_TARGET_DIR=$(CURDIR)/target/stacks
FUZZ_TARGETS := $(basename $(notdir $(wildcard crates/engine/fuzz/fuzz_targets/*.rs)))
SECONDS ?= 600
SEEDS ?= 20
LIVE_SEEDS ?= 2
PYTHON_CODE := python tests systems benchmarks
WORKBENCH := target/release/loadstone-workbench
ROUNDS ?= 7
# Two at a time, each file in one process, in their order: those that take long are not the last ones.
SIDE_BY_SIDE := -n 2 --dist loadfile --no-loadscope-reorder
# Properties are tried with the same draws each time, or with new ones (tests/conftest.py).
DRAWS := same

.PHONY: help
help: ## Print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

.PHONY: quickstart
quickstart: setup ## Set everything up and measure two gateways: a first verdict in minutes
	$(BIN)/loadstone quickstart

.PHONY: setup
setup: $(VENV)/.lab $(VENV)/.binaries ## Make .venv with the lab and its binaries

$(VENV)/bin/python:
	@scripts/require-toolchains
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.lab: requirements/lab.txt pyproject.toml | $(VENV)/bin/python
	@echo "setup: Python packages (about a minute)" >&2
	@$(BIN)/pip install --quiet --require-hashes --requirement requirements/lab.txt
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.binaries: $(RUST_SOURCES) $(wildcard crates/*/pyproject.toml) | $(VENV)/.lab
	@echo "setup: engine and echo backend (about a minute when new)" >&2
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip install --quiet --no-deps --no-build-isolation --force-reinstall ./crates/engine ./crates/echo
	@touch $@

$(VENV)/.development: requirements/development.txt | $(VENV)/.lab
	@$(BIN)/pip install --quiet --require-hashes --requirement requirements/development.txt
	@touch $@

# Ray, for studies on several machines and their tests.
$(VENV)/.cluster: requirements/cluster.txt | $(VENV)/.lab
	@$(BIN)/pip install --quiet --require-hashes --requirement requirements/cluster.txt
	@touch $@

.PHONY: setup-cluster
setup-cluster: setup $(VENV)/.cluster ## Also install Ray, which joins several machines

.PHONY: setup-development
setup-development: setup $(VENV)/.development $(NODE_STACKS:%=%node_modules/.package-lock.json)

%/.venv/.development: %/requirements-development.txt
	@$(PYTHON) -m venv $*/.venv
	@$*/.venv/bin/pip install --quiet --require-hashes --requirement $<
	@touch $@

%/node_modules/.package-lock.json: %/package-lock.json
	@cd $* && npm ci --silent --ignore-scripts
	@touch $@

.PHONY: test
test: setup-development ## Run the tests, with all the set-up that they need
	@scripts/install-chromium
	@scripts/install-mariadb
	@scripts/install-postgres
	@scripts/install-redis
	cargo test --quiet --locked --workspace
	$(foreach stack,$(GO_STACKS),(cd $(stack) && go test ./...) &&) true
	$(foreach stack,$(NODE_STACKS),(cd $(stack) && npm test --silent) &&) true
	$(BIN)/pytest --hypothesis-profile=$(DRAWS) -m "alone and not slow" $$(grep -rl --include='test_*.py' 'pytest[.]mark[.]alone' tests)
	$(BIN)/pytest --hypothesis-profile=$(DRAWS) -m "not alone and not slow" $(SIDE_BY_SIDE)

.PHONY: test-stacks
test-stacks: lint-stacks ## Lint and test every stack by the tools of its own language
	$(foreach stack,$(RUST_STACKS),($(IN_RUST_STACK) && cargo test --quiet --locked) &&) true
	$(foreach stack,$(PYTHON_STACKS),(cd $(stack) && .venv/bin/python -m pytest -q) &&) true
	@scripts/maven test $(JVM_STACKS)

.PHONY: check
check: setup-development lint generate-check test ## What CI runs: format, lint, generated files, tests

.PHONY: check-all
check-all: DRAWS := anew
check-all: check test-stacks setup-cluster ## Everything: also slow tests, every smoke study, every stack against its contract
	@scripts/install-conformance-servers
	@scripts/install-h2spec
	@scripts/install-runtimes
	$(BIN)/pytest --hypothesis-profile=$(DRAWS) -m slow
	$(foreach system,$(notdir $(wildcard systems/*)),$(BIN)/loadstone check $(system) &&) true

# Begins with the committed corpus; what it finds beyond goes to target/fuzz/corpus, an input that
# breaks something to target/fuzz/artifacts.
.PHONY: fuzz
fuzz: $(FUZZ_TARGETS:%=fuzz-%) ## Fuzz the engine's parsers and worker, SECONDS=600 for each (needs a nightly compiler, cargo-fuzz)

.PHONY: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%:
	@command -v cargo-fuzz > /dev/null || { echo "fuzz: cargo-fuzz is missing: cargo install cargo-fuzz --locked"; exit 1; }
	@mkdir -p target/fuzz/corpus/$* target/fuzz/artifacts/$*
	cd crates/engine && cargo +nightly fuzz run --target-dir ../../target/fuzz $* \
	  ../../target/fuzz/corpus/$* fuzz/corpus/$* -- -max_total_time=$(SECONDS) -max_len=4096 -timeout=25 \
	  -artifact_prefix=../../target/fuzz/artifacts/$*/

$(WORKBENCH): $(RUST_SOURCES)
	@cargo build --quiet --release --locked --package loadstone-workbench
	@touch $@

.PHONY: bench-engine
bench-engine: setup $(WORKBENCH) ## Measure the load engine against its peers (ONLY=throughput,truth ROUNDS=7)
	@scripts/install-benchmark-peers
	$(BIN)/python -m benchmarks.engine --only "$(ONLY)" --rounds $(ROUNDS)

.PHONY: bench-report
bench-report: setup ## Measure analysis and report of 64 arms x 10 blocks of a minute (SIZE="--arms 8 --blocks 6")
	$(BIN)/python -m benchmarks.report $(SIZE)

.PHONY: bench-cluster
bench-cluster: setup ## Gather 10,000 run folders of 100 machines that are made up (SIZE="--runs 1000 --machines 10")
	$(BIN)/python -m benchmarks.cluster $(SIZE)

.PHONY: bench-ray
bench-ray: setup-cluster ## Measure what Ray costs a machine that measures, and two sites against one (root; a quarter of an hour)
	$(BIN)/python -m benchmarks.ray

.PHONY: bench-lab
bench-lab: setup ## Measure one gateway against itself, 40 studies of 6 blocks: how many find a difference?
	$(BIN)/python -m benchmarks.lab

# Simulated kinds are made side by side on all CPUs, then servers are loaded, one at a time.
.PHONY: audit-corpus
audit-corpus: setup-development ## Hold the audit against runs that are wrong in a known way (ONLY=hung SEEDS=20)
	@PYTHONPATH=tests:tests/contract $(BIN)/python -m corpus --seeds $(SEEDS) --live-seeds $(LIVE_SEEDS) --only "$(ONLY)"

.PHONY: lint
lint: setup-development ## Check format and lint of every language
	cargo fmt --all --check
	cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --cache-dir target/import-linter > /dev/null || $(BIN)/lint-imports --no-logo
	@test -z "$$(gofmt -l $(GO_STACKS))" || { echo "gofmt: not formatted:"; gofmt -l $(GO_STACKS); exit 1; }
	$(foreach stack,$(GO_STACKS),(cd $(stack) && go vet ./...) &&) true
	$(foreach stack,$(NODE_STACKS),(cd $(stack) && npm run --silent lint) &&) true

.PHONY: lint-stacks
lint-stacks: $(PYTHON_STACKS:%=%.venv/.development)
	$(foreach stack,$(RUST_STACKS),($(IN_RUST_STACK) && cargo fmt --check && cargo clippy --quiet --locked --all-targets -- -D warnings) &&) true
	$(foreach stack,$(PYTHON_STACKS),(cd $(stack) && .venv/bin/python -m mypy) &&) true
	@scripts/maven "spotless:check test-compile" $(JVM_STACKS)

.PHONY: fmt
fmt: setup-development ## Format every language
	cargo fmt --all
	$(BIN)/ruff format $(PYTHON_CODE)
	$(BIN)/ruff check --fix --quiet $(PYTHON_CODE) || true
	gofmt -w $(GO_STACKS)
	$(foreach stack,$(NODE_STACKS),(cd $(stack) && npm run --silent format) &&) true
	$(foreach stack,$(RUST_STACKS),(cd $(stack) && cargo fmt) &&) true
	@scripts/maven spotless:apply $(JVM_STACKS)

.PHONY: generate
generate: setup ## Write the generated files: JSON Schemas, pages of metrics, findings, systems, warming, yardsticks, published tables, costs
	$(BIN)/loadstone-engine schema plan > schemas/engine-plan.schema.json
	$(BIN)/loadstone-engine schema event > schemas/engine-event.schema.json
	$(BIN)/python -m loadstone.generate.schemas
	$(BIN)/python -m loadstone.generate.metrics_page
	$(BIN)/python -m loadstone.generate.findings_page
	$(BIN)/python -m loadstone.generate.systems_page
	$(BIN)/python -m loadstone.generate.warming_page
	$(BIN)/python -m loadstone.generate.yardsticks_page
	$(BIN)/python -m loadstone.generate.as_published_page
	$(BIN)/python -m loadstone.generate.reservation_cost_page

.PHONY: generate-check
generate-check: setup ## Fail if a generated file is stale
	$(BIN)/loadstone-engine schema plan | cmp - schemas/engine-plan.schema.json || { echo "stale: run make generate"; exit 1; }
	$(BIN)/loadstone-engine schema event | cmp - schemas/engine-event.schema.json || { echo "stale: run make generate"; exit 1; }
	$(BIN)/python -m loadstone.generate.schemas --check
	$(BIN)/python -m loadstone.generate.metrics_page --check
	$(BIN)/python -m loadstone.generate.findings_page --check
	$(BIN)/python -m loadstone.generate.systems_page --check
	$(BIN)/python -m loadstone.generate.warming_page --check
	$(BIN)/python -m loadstone.generate.yardsticks_page --check
	$(BIN)/python -m loadstone.generate.as_published_page --check
	$(BIN)/python -m loadstone.generate.reservation_cost_page --check

$(VENV)/.release: requirements/release.txt | $(VENV)/.development
	@$(BIN)/pip install --quiet --require-hashes --requirement requirements/release.txt
	@touch $@

.PHONY: wheels
wheels: setup $(VENV)/.release ## Build a release into dist/: wheels, sources, bills of materials, licences, SHA256SUMS
	@scripts/install-release-tools
	@scripts/build-wheels

.PHONY: docs
docs: setup $(VENV)/.development ## Build the documentation's site into site/; a broken link fails
	@rm -rf site
	@$(BIN)/sphinx-build --quiet --fail-on-warning --fresh-env --conf-dir docs/site --doctree-dir target/doctrees . site

.PHONY: lock
lock: setup-development ## Pin the newest allowed Python packages anew
	scripts/lock-python

.PHONY: clean
clean: ## Remove what was built, keep results
	rm -rf $(VENV) target .loadstone dist site $(NODE_STACKS:%=%node_modules) $(JVM_STACKS:%=%target) $(PYTHON_STACKS:%=%.venv)
