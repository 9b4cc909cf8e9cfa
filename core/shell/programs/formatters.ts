import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Conduct, Table } from "./table.ts";

/** Reads the named files, and writes them when one of these options is there. */
function fixesWith(names: string, options = ""): Conduct {
  return (scene) => {
    const { operands, has } = follow(`v | ${options} ${OUT}`, scene);
    change(scene, operands, has(...names.split(" ")));
  };
}

/** Writes the named files, unless one of these options is there. */
function fixesBut(names: string, options = ""): Conduct {
  return (scene) => {
    const { operands, has } = follow(`v | ${options} ${OUT}`, scene);
    change(scene, operands, !has(...names.split(" "), "version", "help"));
  };
}

const OUT = "config:r c:r o:w output-file:w";

function change(scene: Scene, operands: ReturnType<typeof follow>["operands"], writes: boolean): void {
  const files = operands.length === 0 ? [{ text: "." }] : operands;
  for (const word of files) {
    if (!writes) scene.read(word);
    else if (/[*?[{]/.test(word.text ?? "")) scene.unknown("write");
    else scene.write(word);
  }
}

/** `biome check --write src`: the files stand behind a verb. */
function behindVerb(names: string, writing: RegExp, looking: string): Conduct {
  return (scene) => {
    const { operands, has } = follow(`v | ${OUT}`, scene);
    const [verb, ...files] = operands;
    change(
      scene,
      files,
      (writing.test(verb?.text ?? "?") && !has(...looking.split(" "))) || has(...names.split(" ")),
    );
  };
}

/** Formatters and linters, which change files with some options. */
export const FORMATTERS: Table = {
  "prettier prettierd": fixesWith(
    "write w",
    "ignore-path:r parser: plugin:x stdin-filepath: log-level: cache-location:w tab-width: print-width: config-path:r",
  ),
  "eslint eslint_d xo standard semistandard ts-standard": fixesWith(
    "fix fix-type cache init",
    "f: format: rule: ext: ignore-path:r ignore-pattern: parser:x plugin: max-warnings: rulesdir:x resolve-plugins-relative-to: cache-location:w env: global: parser-options: stdin-filename: flag:",
  ),
  oxlint: fixesWith(
    "fix fix-suggestions fix-dangerously init",
    "f: format: A: D: W: tsconfig:r ignore-path:r ignore-pattern: max-warnings: threads: allow: deny: warn:",
  ),
  "oxfmt dprint": fixesBut("check c list-different l", "ignore-path:r threads: stdin-filepath:"),
  "black yapf docformatter isort add-trailing-comma pyupgrade usort blue": fixesBut(
    "check diff c d check-only",
    "l: line-length: t: target-version: include: exclude: code:v profile:",
  ),
  ruff: behindVerb("fix fix-only add-noqa unsafe-fixes", /^(?:format|clean)$/, "check diff"),
  "gofmt goimports gofumpt": fixesWith("w", "r: s!v local:"),
  golangci: fixesWith("fix"),
  "golangci-lint": fixesWith("fix"),
  "rustfmt terraform-fmt": fixesBut("check", "edition: emit: config-path:r"),
  "clang-format astyle uncrustify": fixesWith("i", "style: assume-filename: length: lines: offset:"),
  "clang-tidy": fixesWith("fix fix-errors", "p: checks: extra-arg: export-fixes:w"),
  "autopep8 autoflake unify": fixesWith("i in-place", "max-line-length: a!v"),
  stylua: fixesBut("check", "config-path:r search-parent-directories!v"),
  "stylelint markdownlint markdownlint-cli2 remark textlint rubocop standardrb erb_lint phpcbf php-cs-fixer ktlint swiftformat swiftlint detekt scalafmt":
    fixesWith("fix a A autocorrect autocorrect-all auto-correct F o output f", "format: ignore-path:r"),
  biome: behindVerb("write fix apply apply-unsafe w unsafe", /^(?:migrate|init)$/, "help"),
  "shfmt xmllint tidy": fixesWith("w write m modify", "output:w i: ln: schema:r xpath:"),
  yq: (scene) => {
    const { operands, has } = follow(
      "v?from-file r | i!v from-file:r s: split-exp: o: p: output-format: input-format: indent: I:",
      scene,
    );
    if (has("i", "inplace", "in-place"))
      for (const word of operands.slice(has("from-file") ? 0 : 1)) scene.write(word);
    if (has("s", "split-exp", "i") && operands.some(({ text }) => text === undefined)) scene.unknown("write");
    if (has("s", "split-exp")) scene.unknown("write");
  },
  "flake8 pylint mypy pyright bandit pydocstyle pycodestyle vulture ty basedpyright":
    "r | output-file:w o:w config:r config-file:r rcfile:r p:r project:r m: e: d: f: format: junit-xml:w html-report:w generate-rcfile!v init-hook:c load-plugins:c install-types!w createstub:w writebaseline!w",
  "knip depcheck madge dependency-cruiser publint attw size-limit license-checker npm-check type-coverage ts-prune unimported":
    "v | config:r c:r o:w output-file:w image:w fix!w u!w update!w write-baseline!w",
  "lint-staged husky lefthook pre-commit": "!n v",
};
