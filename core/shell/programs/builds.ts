import { subcommands } from "./subcommands.ts";
import { reachesOut } from "./code/reach.ts";
import { follow } from "./follow.ts";
import { make } from "./make.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";
import { runHere } from "./started.ts";
import { literal } from "./words.ts";

function tsc(scene: Scene): void {
  const { has, all } = follow(
    "r | - p:r project:r outDir:w outFile:w declarationDir:w tsBuildInfoFile:w init!w generateTrace:w generateCpuProfile:w target: t: module: m: lib: jsx: rootDir: types: typeRoots: moduleResolution: baseUrl:",
    scene,
  );
  const shows = has("noEmit", "showConfig", "version", "v", "help", "h", "listFilesOnly", "dry", "d");
  if (!shows && all("outDir", "outFile").length === 0) scene.unknown("write");
}

/** A compiler that is told where to: files beside that one, and plug-ins, make more of it. */
function compiler(scene: Scene): void {
  const { has } = follow(
    "r | - = o:w out-dir:w MF:w MT: MQ: x: I: L: l: D: U: W: O: f: g: m: std: include:r isystem: T:r edition: crate-type: crate-name: C: A:",
    scene,
  );
  const shows =
    has("E", "M", "MM", "v", "version", "help", "print", "dumpversion", "dumpmachine") ||
    scene.args.some(({ text }) => text === "-fsyntax-only");
  for (const { text } of scene.args) {
    const file = ATTACHED.exec(text ?? "")?.[1];
    if (file !== undefined) scene.write(literal(file));
  }
  const more = scene.args.some(({ text, known }) =>
    /^(?:@|-(?:save-temps|wrapper|specs|fplugin|fprofile|B|Xclang|load|C.*linker|dumpdir|dumpbase|aux-info|M?MD|Wp,|Wl,|fcallgraph|fstack-usage|fopt-info|gsplit|ftime-trace|time=|fdiagnostics-\w*format=sarif|-emit|fdump|dump))/.test(
      text ?? known ?? "@",
    ),
  );
  const told = has("o", "out-dir") || scene.args.some(({ text }) => ATTACHED.test(text ?? ""));
  if (more || (!shows && !told)) scene.unknown("write");
  source(scene);
}

/** A source that comes by standard input: what it calls is in the program then. */
function source(scene: Scene): void {
  const { stdin } = scene.call;
  if (!scene.args.some(({ text }) => text === "-" || text === "/dev/stdin")) return;
  if (stdin.kind !== "text" || reachesOut(stdin.text)) scene.unknown("code");
  if (stdin.kind !== "text" || /(?:include|incbin|embed|import)[^\w]/.test(stdin.text)) scene.unknown("read");
}

/** What a compiler is told without a space before the file: it is in the same word. */
const ATTACHED = /^-(?:o|MF)([^]+)$/;

/** cmake: the folder that it builds in is written. */
function cmake(scene: Scene): void {
  const { operands, has, all } = follow(
    "v | = S: B:w build:w install!w P:x C:x toolchain:x G: D: U: A: T: t: target: config: j: parallel: preset:r E!w graphviz:w open!n trace-redirect:w profiling-output:w",
    scene,
  );
  const shows = has("version", "help", "P", "E", "N");
  if (!shows && operands.length > 0 && all("B", "build").length === 0) scene.write(literal("."));
}

/** A bundler: what it makes comes into `dist`, unless it is told another folder. */
function bundled(scene: Scene): void {
  const { operands, has } = follow(
    "v | c:x config:x o:w output-path:w outDir:w mode: m: env: p: port: host:: base: json::w profile!v d: devtool: t: target: entry: name: w!v watch!v",
    scene,
  );
  const [verb] = operands;
  const builds =
    scene.call.name === "webpack"
      ? !/^(?:serve|info|version|help|configtest)$/.test(verb?.text ?? "")
      : verb?.text === "build";
  if (builds && !has("o", "output-path", "outDir")) scene.write(literal("dist"));
}

/** pytest: folders and modules of elsewhere are run, and its settings name files. */
function pytest(scene: Scene): void {
  const { operands, all } = follow(
    "v | k: m: n: p: c:r rootdir: junitxml:w junit-xml:w report-log:w debug::w basetemp:w o: override-ini: W: log-file:w maxfail: tb: cov:: cov-report: cov-config:r confcutdir: ignore: deselect: durations: color: timeout: snapshot-update!w inline-snapshot:c force-regen!w pdb!v",
    scene,
  );
  for (const { text } of all("p")) if (text?.startsWith("no:") !== true) scene.unknown("code");
  for (const { text } of all("cov-report")) {
    const file = /^\w+:([^]+)$/.exec(text ?? "")?.[1];
    if (file !== undefined && !/^skip-covered$/.test(file)) scene.write(literal(file));
  }
  for (const { text } of all("o", "override-ini")) {
    const [, name, value = ""] = /^(\w+)=([^]*)$/.exec(text ?? "") ?? [];
    if (name === "cache_dir" || name === "log_file") scene.write(literal(value));
    else if (name === undefined || /^(?:addopts|pythonpath|testpaths|required_plugins)$/.test(name))
      scene.unknown("code");
  }
  for (const word of [...all("c", "rootdir", "confcutdir"), ...operands])
    scene.suite(literal(word.text?.split("::")[0] ?? ""));
}

/** Runs what stands behind `run` or `exec`. */
const runs = (scene: Scene): void =>
  runHere(
    scene,
    follow(
      "v | + with: p: python: extra: group: no-sync!v project:d directory:d env-file:r e: package:",
      scene,
    ).operands,
  );

export const BUILDS: Table = {
  "make gmake bmake remake": make,
  "just task rake invoke doit ninja":
    "v | C:d f:x justfile:x Justfile:x taskfile:x t:x d:d working-directory:d dir:d shell:c set!c command!c c!c",
  cmake,
  meson: "!w v",
  "mvn mvnw": "v | f:x file:x s:r settings:r D: P: pl: rf: l:w log-file:w T: t:",
  "gradle gradlew": "v | b:x build-file:x I:c init-script:c p:d project-dir:d D: P: g: x: c:x",
  cargo: subcommands("C:d config:c color: Z:c manifest-path:r", {
    "build b test t check c bench doc d tree metadata search version clippy nextest audit outdated locate-project pkgid verify-project read-manifest clean help fetch watch deny machete":
      "v | manifest-path:r target-dir:w p: config:c fix!w",
    "run r": "v | bin: example: p: package: config:c manifest-path:r",
    fmt: (scene) => {
      if (!scene.args.some(({ text }) => text === "--check" || text === "-l")) scene.unknown("write");
    },
    "add remove rm update new init generate-lockfile vendor publish package yank": "!w v",
    "*": "!n v",
  }),
  go: subcommands("C:d", {
    "build install": "v | - o:w exec:s toolexec:s C:d overlay:r modfile:r cpuprofile:w",
    "test vet":
      "v | - o:w exec:s toolexec:s run: bench: count: timeout: coverprofile:w cpuprofile:w memprofile:w trace:w outputdir:w C:d vettool:s overlay:r fix!w test.run: tags: json!v v!v",
    run: (scene) => {
      const [file] = follow("v | + - exec:s toolexec:s C:d overlay:r tags: mod:", scene).operands;
      if (file?.text?.endsWith(".go") === true) scene.script(file);
    },
    "env version list doc help": "v | - w!w u!w",
    "fmt fix generate get": "!w v",
    mod: subcommands("", { "download graph verify why": "v", "*": "!w v" }),
    "work clean": "!w v",
    tool: subcommands("", { "cover nm objdump pprof test2json vet": "v | - o:w", "*": "!n v" }),
    "*": "!n v",
  }),
  dotnet: subcommands("", {
    "build test run restore list --info --version clean": "v | o:w output:w p: c: logger: settings:r",
    "*": "!n v",
  }),
  "pytest py.test": pytest,
  "jest vitest": (scene) => {
    const { all } = follow(
      "v | t: testNamePattern: c:r config:r u!w update!w updateSnapshot!w outputFile:w coverageDirectory:w reporters: reporter: testPathPattern: maxWorkers: w: project: dir: root: rootDir: roots: environment: r: pool: init!w testTimeout: globalSetup:x setupFiles:x",
      scene,
    );
    for (const word of all("dir", "root", "rootDir", "roots", "c", "config")) scene.suite(word);
  },
  "mocha ava tap jasmine karma cypress playwright c8 nyc uvu tape lab qunit": (scene) => {
    const { operands } = follow(
      "v | + r:x require:x R: reporter: t: timeout: g: grep: f: fgrep: config:r c:r ui: u!w update-snapshots!w o:w output:w report-dir:w reports-dir:w temp-directory:w project: workers: spec: match: m: opts: exit!v",
      scene,
    );
    if (!/^(?:c8|nyc)$/.test(scene.call.name)) for (const word of operands) scene.suite(word);
    if (
      /^(?:c8|nyc)$/.test(scene.call.name) &&
      !/^(?:report|check-coverage|instrument)$/.test(operands[0]?.text ?? "report")
    )
      runHere(scene, operands);
    else if (operands[0]?.text === "codegen" || operands[0]?.text === "instrument") scene.unknown("write");
  },
  "tox nox ctest phpunit rspec minitest bats shellspec gotestsum busted karma-cli behave lein sbt mix rebar3 bazel bazelisk buck pants nx turbo lerna":
    "v | f:x file:x c:r e: k: t: o:w output:w output-file:w junitfile:w",
  coverage: subcommands("", {
    run: "x | + source: m: p!v rcfile:r data-file:w omit: include:",
    "*": "v | o:w d:w",
  }),
  tsc,
  esbuild: "v | = outfile:w outdir:w metafile:w",
  "swc rollup parcel browserify tsup ncc babel sass lessc postcss tailwindcss uglifyjs terser grunt gulp":
    "!w v",
  webpack: bundled,
  vite: bundled,
  "next nuxt astro remix ng vue-cli-service react-scripts svelte-kit storybook eleventy hugo jekyll gatsby docusaurus":
    "v | c:r config:r o:w output:w outDir:w d:w p: port: host:: mode: m: base:",
  "uvicorn gunicorn hypercorn flask django-admin celery rails puma rackup http-server serve live-server json-server ws":
    "v | p: port: H: host: b: bind: w: workers: k: c:x config:x app: A: d: a:",
  "gcc g++ clang clang++ cc c++ rustc": compiler,
  "ld as scalac kotlinc ghc ocamlfind nim zig ldc2 protoc flex bison nasm": "!w r | o:w d:w",
  javac: (scene) => {
    const { has } = follow(
      "r | - = d:w s:w h:w cp: classpath: p: processorpath:c processor:c source: target: release: encoding: J:c",
      scene,
    );
    if (scene.args.some(({ text, known }) => (text ?? known ?? "@").startsWith("@"))) scene.unknown("code");
    if (!has("d", "version", "help")) scene.unknown("write");
  },
  rustup: subcommands("", { "show which doc component toolchain target": "v", run: "!n v", "*": "!w v" }),
  "poetry pipenv uv pdm rye hatch bundle mise asdf pyenv rbenv volta conda mamba pixi rtx fnm nvm n":
    subcommands("", {
      pip: subcommands("", { "list show freeze check tree": "v", "*": "!w v" }),
      use: (scene) => {
        if (!/^(?:nvm|fnm)$/.test(scene.call.name)) scene.unknown("write");
      },
      "run exec x": runs,
      "list show check version env which where current ls ls-remote search info outdated lock-check config tree versions doctor --version root":
        "v | unset!w",
      "*": "!w v",
    }),
  uvx: (scene) => runHere(scene, follow("v | + from: with: p: python: spec:", scene).operands),
  "pip pip3 pipx": subcommands("", {
    "list show freeze check search index config debug inspect download-info help cache": "v | r:r f:u",
    "install uninstall upgrade":
      "v | r:r requirement:r c:r constraint:r t:w target:w prefix:w root:w e:x editable:x i:u index-url:u extra-index-url:u f:u report:w log:w",
    run: runs,
    "*": "!w v",
  }),
  "gh glab": subcommands("R: repo:", {
    "pr issue run repo release workflow search status label auth": subcommands("", {
      "view list status checks diff ls comment create edit close reopen merge ready review watch rerun":
        "v | b: F:r body-file:r t: R: repo: json: q: jq: L: l: s: a: B: H:",
      "*": "!n v",
    }),
    "*": "!n v",
  }),
  "ansible ansible-playbook helm aws gcloud az pulumi serverless vercel netlify fly heroku firebase wrangler":
    "!n v",
  "apt apt-get yum dnf brew apk pacman snap port choco winget scoop gem luarocks cpan cpanm": subcommands(
    "",
    {
      "list search show info policy outdated deps cask-info config -Q -Ss": "v",
      "*": "!w v",
    },
  ),
  "apt-cache dpkg rpm dpkg-query": "v | i!w install!w r!w remove!w P!w U!w e!w unpack!w configure!w",
};
