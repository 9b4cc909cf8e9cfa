/** A place of the harness: what it may import, and which packages. */
export interface Layer {
  /** Places it may import, all of them lower. Its own files are always allowed. */
  readonly from: readonly string[];
  /** Packages and node modules; a star at the end takes in what follows. */
  readonly packages?: readonly string[];
}

const GROUND = ["core/contract.ts", "core/errors", "core/quoted-name.ts"];
const SHAPES = [...GROUND, "core/plugin.ts", "core/skill.ts", "core/schema", "core/ports"];
const PARTS = [
  ...SHAPES,
  "core/catalog.ts",
  "core/conflicts.ts",
  "core/settings.ts",
  "core/called-commands.ts",
  "core/offered-input.ts",
  "core/skill-prompts.ts",
  "core/guard.ts",
  "core/events.ts",
  "core/runner.ts",
  "core/activator.ts",
];

/** The permitted imports: docs/architecture.md, section Layers, as a table. From the ground up. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  "core/contract.ts": { from: [] },
  "core/errors": { from: [] },
  "core/version.ts": { from: ["package.json"] },
  "core/inert-markdown.ts": { from: [] },
  "core/text": { from: [] },
  "core/loopback.ts": { from: [] },
  "core/quoted-name.ts": { from: [] },
  "core/nearest.ts": { from: [], packages: ["fastest-levenshtein"] },
  "core/skill-document": { from: [], packages: ["js-yaml", "node:util"] },
  "core/skill-document.ts": { from: ["core/skill-document"] },
  "core/container": { from: [], packages: ["tsyringe", "reflect-metadata"] },

  "core/ports": { from: ["core/container"] },
  "core/plugin.ts": { from: ["core/container", "core/contract.ts"] },
  "core/schema": {
    from: ["core/errors", "core/nearest.ts", "core/quoted-name.ts"],
    packages: ["ajv*", "ajv-formats", "node:vm"],
  },
  "core/skill.ts": { from: GROUND },

  "core/conflicts.ts": { from: ["core/quoted-name.ts", "core/skill.ts"], packages: ["node:path"] },
  "core/settings.ts": { from: ["core/errors", "core/schema", "core/skill.ts"] },
  "core/catalog.ts": { from: [...SHAPES, "core/conflicts.ts", "core/nearest.ts"] },
  "core/offered-input.ts": { from: SHAPES },
  "core/called-commands.ts": { from: [...SHAPES, "core/catalog.ts"] },
  "core/skill-prompts.ts": { from: SHAPES, packages: ["node:path"] },
  "core/activator.ts": {
    from: [...SHAPES, "core/catalog.ts", "core/container"],
  },
  "core/guard": {
    from: [...SHAPES, "core/catalog.ts", "core/shell/unread.ts"],
    packages: ["node:path"],
  },
  "core/guard.ts": { from: [...SHAPES, "core/catalog.ts", "core/guard"] },
  "core/events.ts": { from: [...SHAPES, "core/guard.ts"] },
  "core/runner.ts": {
    from: [
      ...SHAPES,
      "core/catalog.ts",
      "core/activator.ts",
      "core/events.ts",
      "core/guard",
      "core/guard.ts",
      "core/offered-input.ts",
    ],
  },
  "core/tasks.ts": { from: ["core/contract.ts", "core/errors", "core/ports"], packages: ["node:crypto"] },
  "core/adapters/json-fault.ts": { from: [], packages: ["jsonc-parser"] },
  "core/validation": {
    from: [
      ...SHAPES,
      "core/adapters/json-fault.ts",
      "core/conflicts.ts",
      "core/nearest.ts",
      "core/skill-document.ts",
    ],
    packages: ["acorn", "jsonc-parser/*", "node:path"],
  },
  "core/adapters": {
    from: [
      ...SHAPES,
      "core/adapters/json-fault.ts",
      "core/events.ts",
      "core/guard",
      "core/version.ts",
      "package.json",
    ],
    packages: ["ky", "semver/*", "node:*"],
  },
  "core/trust": { from: [...GROUND, "core/adapters"], packages: ["node:path"] },
  "core/documents": {
    from: [
      ...GROUND,
      "core/skill.ts",
      "core/schema",
      "core/skill-document.ts",
      "core/adapters",
      "core/trust",
    ],
    packages: ["node:path"],
  },
  "core/shell/unread.ts": { from: ["core/contract.ts"] },
  "core/shell": {
    from: ["core/contract.ts", "core/adapters", "core/shell/unread.ts"],
    packages: ["node:path", "unbash"],
  },

  "core/git": { from: [...GROUND, "core/ports"], packages: ["node:path", "node:buffer"] },

  "core/index.ts": {
    from: [
      "core/container",
      "core/errors",
      "core/git",
      "core/inert-markdown.ts",
      "core/loopback.ts",
      "core/nearest.ts",
      "core/plugin.ts",
      "core/ports",
      "core/quoted-name.ts",
      "core/text",
    ],
  },
  "core/guard-facts.ts": {
    from: ["core/contract.ts", "core/ports", "core/guard", "core/adapters", "core/shell"],
  },
  "core/guard-assembly.ts": {
    from: [
      "core/ports",
      "core/catalog.ts",
      "core/guard",
      "core/guard.ts",
      "core/guard-facts.ts",
      "core/adapters",
    ],
  },
  "core/composition.ts": { from: [...PARTS, "core/container", "core/guard", "core/guard-assembly.ts"] },
  "core/surfaces/hook": {
    from: [...SHAPES, "core/guard/own/agents.json", "core/shell/paths.ts"],
    packages: ["node:path", "node:crypto", "node:util", "jsonc-parser/*"],
  },
  "core/surfaces/mcp": {
    from: [...PARTS, "core/composition.ts", "core/nearest.ts", "core/tasks.ts"],
    packages: ["@modelcontextprotocol/server*", "node:crypto", "node:path"],
  },
  "core/surfaces/http": {
    from: [
      ...PARTS,
      "core/composition.ts",
      "core/guard",
      "core/loopback.ts",
      "core/nearest.ts",
      "core/skill-document.ts",
      "core/tasks.ts",
      "core/adapters",
      "core/surfaces/hook",
      "core/surfaces/mcp",
    ],
    packages: [
      "fastify",
      "fflate",
      "node:http",
      "node:net",
      "node:buffer",
      "node:crypto",
      "node:stream",
      "node:timers/*",
      "node:zlib",
    ],
  },
  "core/host.ts": {
    from: [
      ...PARTS,
      "core/composition.ts",
      "core/adapters",
      "core/guard",
      "core/version.ts",
      "core/surfaces/http",
      "core/surfaces/mcp",
    ],
    packages: ["node:path"],
  },
  "core/ai.ts": { from: [...PARTS, "core/composition.ts", "core/surfaces/mcp"] },
  "core/testing": {
    from: [
      ...PARTS,
      "core/activator.ts",
      "core/adapters",
      "core/composition.ts",
      "core/host.ts",
      "core/nearest.ts",
      "core/surfaces/http",
      "core/validation",
      "core/version.ts",
    ],
    packages: [
      "@cfworker/json-schema",
      "node:crypto",
      "node:os",
      "node:path",
      "node:stream",
      "node:test",
      "node:util",
    ],
  },
  "core/testing.ts": { from: ["core/testing"] },
  "core/surfaces/cli": {
    from: [
      ...PARTS,
      "core/adapters",
      "core/composition.ts",
      "core/documents",
      "core/git",
      "core/guard",
      "core/guard-assembly.ts",
      "core/guard-facts.ts",
      "core/host.ts",
      "core/nearest.ts",
      "core/shell",
      "core/skill-document.ts",
      "core/surfaces/hook",
      "core/surfaces/mcp",
      "core/testing",
      "core/trust",
      "core/validation",
      "core/version.ts",
    ],
    packages: [
      "@clack/prompts",
      "cli-table3",
      "semver/*",
      "tar/parse",
      "node:crypto",
      "node:os",
      "node:process",
      "node:stream",
      "node:util",
      "node:path",
      "node:zlib",
    ],
  },

  "plugins/ports.ts": { from: ["core/index.ts"] },
  "plugins/login-proxy": {
    from: ["core/index.ts", "plugins/ports.ts", "skills/login-proxy", "schemas/login-proxy"],
    packages: ["node:path", "node:timers/promises", "openid-client", "uqr", "@napi-rs/keyring"],
  },
  "plugins/music-analysis": {
    from: ["core/index.ts", "plugins/ports.ts", "skills/music-analysis", "schemas/music-analysis"],
    packages: ["node:crypto", "node:path"],
  },
  "plugins/music-gateway": {
    from: ["core/index.ts", "plugins/ports.ts", "skills/music-gateway", "schemas/music-gateway"],
    packages: [
      "node:path",
      "node:events",
      "node:crypto",
      "node:url",
      "node:zlib",
      "node:buffer",
      "node:os",
      "@duckdb/node-bindings",
      // By the build only.
      "@eslint-community/regexpp",
      "echarts*",
    ],
  },
  "plugins/runtime-debug": {
    from: ["core/index.ts", "plugins/ports.ts", "skills/runtime-debug", "schemas/runtime-debug"],
    packages: [
      "node:path",
      "node:crypto",
      "node:buffer",
      "node:timers/promises",
      "diff",
      // Debuggers of running programs (observe/): their protocols have no port.
      "node:child_process",
      "node:net",
      "node:url",
      "ws",
      "@jridgewell/trace-mapping",
      "@vscode/tree-sitter-wasm",
    ],
  },
  "plugins/index.ts": {
    from: [
      "core/host.ts",
      "skills/*",
      "plugins/ports.ts",
      "plugins/login-proxy",
      "plugins/music-analysis",
      "plugins/music-gateway",
      "plugins/runtime-debug",
    ],
    packages: ["node:path"],
  },
  bin: {
    from: ["core/adapters", "core/schema", "core/surfaces/cli", "core/version.ts", "plugins/index.ts"],
    packages: ["node:module", "node:path"],
  },
};

/** Imports that are only made when they are needed: never static, so that what does not need them starts fast. */
export const ON_DEMAND: readonly (readonly [string, string])[] = [
  ["core/host.ts", "core/surfaces/http"],
  ["core/host.ts", "core/surfaces/mcp"],
  ["core/testing", "core/surfaces/http"],
  ["core/surfaces/http", "core/surfaces/mcp"],
  ["core/surfaces/cli", "core/host.ts"],
  ["core/surfaces/cli", "core/surfaces/mcp"],
  ["core/surfaces/cli", "core/testing"],
  ["core/surfaces/cli", "@clack/prompts"],
  ["core/surfaces/cli", "cli-table3"],
  ["core/surfaces/cli", "tar/parse"],
  ["core/adapters", "ky"],
  ["plugins/index.ts", "plugins/*"],
  ["plugins/login-proxy", "openid-client"],
  ["plugins/login-proxy", "@napi-rs/keyring"],
  ["plugins/login-proxy", "uqr"],
  ["plugins/music-gateway", "@duckdb/node-bindings"],
  ["plugins/runtime-debug", "@vscode/tree-sitter-wasm"],
  ["plugins/music-gateway", "plugins/music-gateway/answer/echarts.ts"],
  ["core/schema", "core/schema/ajv.ts"],
  ["core/guard-facts.ts", "core/shell"],
  ["core/surfaces/cli", "core/shell"],
];
