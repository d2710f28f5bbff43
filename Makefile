# Shortcuts for people who work on the program; nothing in the product or in CI needs make.
# Set up first with the test command of README.md.

BIN ?= .venv/bin
# Lines and branches that tests must reach, in per cent.
COVERAGE_FLOOR ?= 95

EXAMPLE := reports/example
RUN_EXAMPLE := $(BIN)/skill-evaluator run . --testset testsets/skill-evaluator.json --agent embedded --yes --quiet

.PHONY: check format lint test example docs schema words bench

check: lint test  ## all that a change must pass

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test:
	$(BIN)/python -m pytest --cov --cov-branch --cov-fail-under=$(COVERAGE_FLOOR)

format:  ## rewrite the sources as `make lint` wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The folder gets fixed names, so that a change shows as a difference and links to it last.
example:  ## make the committed report again
	$(RUN_EXAMPLE) --output-dir $(EXAMPLE)
	mv $(EXAMPLE)/skill-evaluator-*.json $(EXAMPLE)/skill-evaluator.json
	mv $(EXAMPLE)/skill-evaluator-*.md $(EXAMPLE)/skill-evaluator.md
	mv $(EXAMPLE)/skill-evaluator-*.html $(EXAMPLE)/skill-evaluator.html
	$(BIN)/skill-evaluator report $(EXAMPLE)/skill-evaluator.json --format md --lang zh > $(EXAMPLE)/skill-evaluator.zh.md

docs:  ## make the pages of the command line again, in both languages
	$(BIN)/python -m skill_evaluator.cli.reference > docs/cli.md.new
	mv docs/cli.md.new docs/cli.md
	$(BIN)/python -m skill_evaluator.cli.reference zh > docs/zh/cli.md.new
	mv docs/zh/cli.md.new docs/zh/cli.md

schema:  ## make the published JSON Schema of reports again
	$(BIN)/python -m skill_evaluator.report.schema > report.schema.json.new
	mv report.schema.json.new skill_evaluator/report/report.schema.json

words:  ## bring the catalogues of what the program says up to date; new entries want words
	$(BIN)/python -m skill_evaluator.locales.update

bench:  ## time the light commands, what a run adds to its calls, large suites, translations, and running a suite (needs claude)
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/overhead.py
	$(BIN)/python benchmarks/validate.py
	$(BIN)/python benchmarks/translation.py
	$(BIN)/python benchmarks/plugin_eval.py
