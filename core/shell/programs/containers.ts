import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { subcommands } from "./subcommands.ts";
import type { Table } from "./table.ts";

/** What compose does to services that the project describes. */
const COMPOSE: Table = {
  "ps ls logs config version images top port events stop start restart pause unpause down kill pull up exec build create":
    "v | + t: tail: n: o:w output:w",
  "*": "!n v",
};
const COMPOSE_OPTIONS = "f:x file:x p: project-name: env-file:r project-directory:d profile: ansi: progress:";

/** Programs that run services, or look at them. */
export const CONTAINERS: Table = {
  "docker podman nerdctl": subcommands("H:u host:u context: c: config:r l: log-level:", {
    "ps images logs inspect version info stats top port history search events diff system volume network context image container":
      "v | f: n: filter: format: since: until: tail:",
    "start stop restart kill pause unpause wait rm rmi pull tag login logout": "v | t: time: s: signal: f!v",
    build:
      "r | f:r file:r o:w output:w iidfile:w metadata-file:w t: tag: build-arg: target: platform: secret: ssh: label: network: cache-from: cache-to: progress: add-host: build-context: builder:",
    compose: subcommands(COMPOSE_OPTIONS, COMPOSE),
    "*": "!n v",
  }),
  "docker-compose podman-compose": subcommands(COMPOSE_OPTIONS, COMPOSE),
  "kubectl oc": subcommands("n: namespace: context: kubeconfig:r", {
    "get describe logs top explain version cluster-info config api-resources api-versions events exec":
      "v | + o: f:r l: c: n: tail: since:",
    "*": "!n v",
  }),
  "terraform tofu": subcommands("- chdir:d", {
    "validate show output version graph providers": "v | - state:r",
    plan: "v | - out:w var: var-file:r state:r target: generate-config-out:w lock-timeout: parallelism: refresh:",
    fmt: (scene: Scene) => {
      if (!follow("v | -", scene).has("check")) scene.unknown("write");
    },
    "*": "!n v",
  }),
  dbt: subcommands("profiles-dir:r project-dir:r target: log-path:w", {
    "run test build compile ls list parse debug show seed docs source":
      "v | s: select: m: models: exclude: vars: target-path:w log-path:w profiles-dir:r project-dir:r t: target: full-refresh!v",
    "*": "!w v",
  }),
  composer: subcommands("d:d working-dir:d", {
    "test validate show outdated diagnose licenses why why-not depends prohibits fund search status check-platform-reqs":
      "v",
    "*": "!w v",
  }),
  swift: subcommands("", {
    "test build --version": "v | package-path:r build-path:w scratch-path:w filter: skip: c: xunit-output:w",
    "*": "!n v",
  }),
  "flutter dart": subcommands("", {
    "test analyze doctor devices --version":
      "v | coverage-path:w update-goldens!w name: n: t: tags: j: r: reporter: file-reporter:w",
    "*": "!n v",
  }),
  systemctl: subcommands("H: host: M: machine: t: type: n: lines: o: output: p: property:", {
    "status show list-units is-active is-enabled is-failed cat list-unit-files list-timers list-sockets": "v",
    "*": "!n v",
  }),
  journalctl:
    "v | u: unit: n: lines: S: since: U: until: o: output: p: priority: t: g: cursor-file:w D:r directory:r file:r",
  jupyter: subcommands("", {
    nbconvert: (scene: Scene) => {
      const { operands, has } = follow(
        "r | to: output-dir:w output:w config:c template: TemplateExporter: stdout!v",
        scene,
      );
      if (has("execute")) for (const word of operands) scene.script(word);
      if (has("inplace", "post") || !has("stdout", "output-dir", "help")) scene.unknown("write");
    },
    "list --version --paths kernelspec": "v",
    "*": "!n v",
  }),
};
