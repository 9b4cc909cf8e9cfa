import { subcommands } from "./subcommands.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";
import { runHere } from "./started.ts";

/** They run what the project itself says; only what is given on the command line can make them do something else. */
const MAKE =
  "v | C:d directory:d f:x file:x makefile:x I: include-dir: o: old-file: W: what-if: j:: jobs:: l:: load-average:: eval:c O:: output-sync:: E:c debug::";

/** `NAME=value` for make: a shell and flags of it are code, and a value may hold `$(shell …)`. */
function make(scene: Scene): void {
  const { operands } = follow(MAKE, scene);
  for (const word of operands) {
    const [, name, value] = /^([\w.]+)\s*[:?+!]*=([^]*)$/.exec(word.text ?? word.known ?? "") ?? [];
    if (name === undefined) {
      if (word.text === undefined) scene.unknown("code");
    } else if (
      word.text === undefined ||
      /[$`;|&<>]/.test(value ?? "") ||
      /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE|CC|CXX|LD|AR|PATH)$/.test(name)
    )
      scene.unknown("code");
    else scene.set(word);
  }
}

function tsc(scene: Scene): void {
  const { has, all } = follow(
    "r | - p:r project:r outDir:w outFile:w declarationDir:w tsBuildInfoFile:w init!w generateTrace:w generateCpuProfile:w target: t: module: m: lib: jsx: rootDir: types: typeRoots: moduleResolution: baseUrl:",
    scene,
  );
  const shows = has("noEmit", "showConfig", "version", "v", "help", "h", "listFilesOnly", "dry", "d");
  if (!shows && all("outDir", "outFile").length === 0) scene.unknown("write");
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
  "cmake meson": "!w v",
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
    "*": "!c v",
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
    tool: subcommands("", { "cover nm objdump pprof test2json vet": "v | - o:w", "*": "!c v" }),
    "*": "!c v",
  }),
  dotnet: subcommands("", {
    "build test run restore list --info --version clean": "v | o:w output:w p: c: logger: settings:r",
    "*": "!cw v",
  }),
  "pytest py.test":
    "v | k: m: n: p:c c:r rootdir: junitxml:w junit-xml:w basetemp:w o: W: log-file:w maxfail: tb: cov:: cov-report: confcutdir: ignore: deselect: durations: color: timeout: snapshot-update!w inline-snapshot:c force-regen!w pdb!v",
  "jest vitest":
    "v | t: testNamePattern: c:r config:r u!w update!w updateSnapshot!w outputFile:w coverageDirectory:w reporters: reporter: testPathPattern: maxWorkers: w: project: dir: root: environment: r: pool: init!w testTimeout: globalSetup:x setupFiles:x",
  "mocha ava tap jasmine karma cypress playwright c8 nyc uvu tape lab qunit": (scene) => {
    const { operands } = follow(
      "v | + r:x require:x R: reporter: t: timeout: g: grep: f: fgrep: config:r c:r ui: u!w update-snapshots!w o:w output:w report-dir:w reports-dir:w temp-directory:w project: workers: spec: match: m: opts: exit!v",
      scene,
    );
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
  "swc rollup webpack parcel browserify tsup ncc babel sass lessc postcss tailwindcss uglifyjs terser grunt gulp":
    "!w v",
  "vite next nuxt astro remix ng vue-cli-service react-scripts svelte-kit storybook eleventy hugo jekyll gatsby docusaurus":
    "v | c:r config:r o:w output:w outDir:w d:w p: port: host:: mode: m: base:",
  "uvicorn gunicorn hypercorn flask django-admin celery rails puma rackup http-server serve live-server json-server ws":
    "v | p: port: H: host: b: bind: w: workers: k: c:x config:x app: A: d: a:",
  "rustc gcc g++ clang clang++ cc c++ ld as javac scalac kotlinc ghc ocamlfind nim zig ldc2 protoc flex bison nasm":
    "!w r | o:w d:w",
  rustup: subcommands("", { "show which doc component toolchain target": "v", run: "!c v", "*": "!w v" }),
  "poetry pipenv uv pdm rye hatch bundle mise asdf pyenv rbenv volta conda mamba pixi rtx fnm nvm n":
    subcommands("", {
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
  "docker podman nerdctl": subcommands("H:u host:u context: c: config:r l: log-level:", {
    "ps images logs inspect version info stats top port history search events diff system volume network context image container":
      "v | f: n: filter: format: since: until: tail:",
    "start stop restart kill pause unpause wait rm rmi pull tag login logout": "v | t: time: s: signal: f!v",
    compose: subcommands("f:r file:r p: project-name: env-file:r project-directory:d profile:", {
      "ps ls logs config version images top port events stop start restart pause unpause down kill pull":
        "v | t: tail: n: o:w output:w",
      "*": "!c v",
    }),
    "*": "!c v",
  }),
  "docker-compose podman-compose": subcommands("f:r file:r p: project-name: env-file:r", {
    "ps ls logs config version images top port events stop start restart pause unpause down kill pull":
      "v | t: tail: n: o:w output:w",
    "*": "!c v",
  }),
  "kubectl oc": subcommands("n: namespace: context: kubeconfig:r", {
    "get describe logs top explain version cluster-info config api-resources api-versions events":
      "v | o: f:r l: c: n: tail: since:",
    "*": "!c v",
  }),
  "gh glab": subcommands("R: repo:", {
    "pr issue run repo release workflow search status label auth": subcommands("", {
      "view list status checks diff ls comment create edit close reopen merge ready review watch rerun":
        "v | b: F:r body-file:r t: R: repo: json: q: jq: L: l: s: a: B: H:",
      "*": "!cw v",
    }),
    "*": "!cw v",
  }),
  "terraform tofu ansible ansible-playbook helm aws gcloud az pulumi serverless vercel netlify fly heroku firebase wrangler":
    "!c v",
  "apt apt-get yum dnf brew apk pacman snap port choco winget scoop gem luarocks composer cpan cpanm":
    subcommands("", {
      "list search show info policy outdated deps cask-info config -Q -Ss": "v",
      "*": "!w v",
    }),
  "apt-cache dpkg rpm dpkg-query": "v | i!w install!w r!w remove!w P!w U!w e!w unpack!w configure!w",
};
