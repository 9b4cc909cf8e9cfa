import { AGENTS } from "../../hook/fixture-agents.ts";

/**
 * For tests: the formats of the clients' files as their documentation and code of November 2026 state them, written from those
 * and not from our code. Claude Code: code.claude.com/docs/en/plugins-reference and /sub-agents. Codex: config.toml, custom agents.
 * Cursor: MCP, subagents, commands. Gemini CLI: docs/extensions/reference.md (servers without `trust`), extension-manager.ts
 * (`validateName`), agentLoader.ts, custom commands. Copilot: docs.github.com/copilot/reference/custom-agents-configuration and
 * .../copilot-cli-reference/cli-command-reference (a local server needs `command`, `args` and `tools`), prompt files, MCP in VS Code.
 * Agent Plugins 1.0.0: sections 5 and 7.2.
 */

const TEXT = { type: "string", minLength: 1 };
const TEXTS = { type: "array", items: TEXT };

function closed(properties: object, required: readonly string[] = Object.keys(properties)): object {
  return { type: "object", required, additionalProperties: false, properties };
}

const STARTED = { command: TEXT, args: TEXTS, env: { type: "object", additionalProperties: TEXT } };
const SERVER = closed(STARTED, ["command"]);
const TYPED_SERVER = closed({ type: { const: "stdio" }, ...STARTED }, ["type", "command"]);
const servers = (key: string, server: object): object => closed({ [key]: closed({ skillctl: server }) });
const SLUG = { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,63}$" };
const VERSION = { type: "string", pattern: String.raw`^\d+\.\d+\.\d+` };

/** A kind of file: its path, and the schema of its data (front matter in .md); `body` is whether a text follows. */
export interface Format {
  readonly path: RegExp;
  readonly schema?: object;
  readonly body?: true;
}

/** Skills are checked separately, by the reader of SKILL.md. */
export const FORMATS: Readonly<Record<string, readonly Format[]>> = {
  "claude-code": [
    {
      path: /^\.claude-plugin\/plugin\.json$/,
      schema: closed({ name: SLUG, version: VERSION, description: TEXT, author: closed({ name: TEXT }) }),
    },
    {
      path: /^\.claude-plugin\/marketplace\.json$/,
      schema: closed({
        name: SLUG,
        description: TEXT,
        owner: closed({ name: TEXT }),
        plugins: {
          type: "array",
          minItems: 1,
          items: closed({ name: SLUG, source: { type: "string", pattern: "^\\./" }, description: TEXT }),
        },
      }),
    },
    { path: /^\.mcp\.json$/, schema: servers("mcpServers", SERVER) },
    { path: /^hooks\/hooks\.json$/, schema: AGENTS["claude-code"].settings },
    { path: /^commands\/[a-z0-9_-]+\.md$/, schema: closed({ description: TEXT }), body: true },
    {
      path: /^agents\/[a-z0-9-]+\.md$/,
      schema: closed({ name: SLUG, description: TEXT, tools: TEXTS }),
      body: true,
    },
  ],
  codex: [
    { path: /^\.codex\/config\.toml$/, schema: servers("mcp_servers", SERVER) },
    { path: /^\.codex\/hooks\.json$/, schema: AGENTS.codex.settings },
    {
      path: /^\.codex\/agents\/[a-z0-9-]+\.toml$/,
      schema: closed({
        name: SLUG,
        description: TEXT,
        developer_instructions: { type: "string", pattern: "\\S" },
        mcp_servers: closed({
          skillctl: closed({ ...STARTED, enabled_tools: TEXTS }, ["command", "enabled_tools"]),
        }),
      }),
    },
    { path: /^AGENTS\.md$/, body: true },
  ],
  cursor: [
    { path: /^\.cursor\/mcp\.json$/, schema: servers("mcpServers", TYPED_SERVER) },
    { path: /^\.cursor\/hooks\.json$/, schema: AGENTS.cursor.settings },
    { path: /^\.cursor\/commands\/[a-z0-9_-]+\.md$/, body: true },
    {
      path: /^\.cursor\/agents\/[a-z0-9-]+\.md$/,
      schema: closed({ name: SLUG, description: TEXT }),
      body: true,
    },
    { path: /^AGENTS\.md$/, body: true },
  ],
  gemini: [
    {
      path: /^gemini-extension\.json$/,
      schema: closed({
        name: SLUG,
        version: VERSION,
        description: TEXT,
        mcpServers: closed({ skillctl: SERVER }),
        contextFileName: { const: "GEMINI.md" },
      }),
    },
    { path: /^hooks\/hooks\.json$/, schema: AGENTS.gemini.settings },
    { path: /^commands\/[a-z0-9-]+\/[a-z0-9-]+\.toml$/, schema: closed({ description: TEXT, prompt: TEXT }) },
    {
      path: /^agents\/[a-z0-9-]+\.md$/,
      schema: closed({
        name: SLUG,
        description: TEXT,
        kind: { const: "local" },
        tools: {
          type: "array",
          items: {
            type: "string",
            pattern: "^(mcp_[^_].*_.+|read_file|grep_search|glob|replace|run_shell_command)$",
          },
        },
        max_turns: { type: "integer", minimum: 1 },
        timeout_mins: { type: "integer", minimum: 1 },
      }),
      body: true,
    },
    { path: /^GEMINI\.md$/, body: true },
  ],
  copilot: [
    { path: /^\.vscode\/mcp\.json$/, schema: servers("servers", TYPED_SERVER) },
    {
      path: /^\.github\/mcp\.json$/,
      schema: servers(
        "mcpServers",
        closed({ type: { enum: ["local", "stdio"] }, ...STARTED, tools: { ...TEXTS, minItems: 1 } }, [
          "command",
          "args",
          "tools",
        ]),
      ),
    },
    {
      path: /^\.github\/prompts\/[a-z0-9_-]+\.prompt\.md$/,
      schema: closed({ description: TEXT, agent: { const: "agent" } }),
      body: true,
    },
    {
      path: /^\.github\/agents\/[a-z0-9-]+\.agent\.md$/,
      schema: closed({ name: SLUG, description: TEXT, tools: TEXTS }),
      body: true,
    },
    { path: /^\.github\/copilot-instructions\.md$/, body: true },
  ],
  "agent-plugin": [
    {
      path: /^plugin\.json$/,
      schema: closed({
        $schema: { const: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json" },
        name: { type: "string", maxLength: 64, pattern: "^(?!.*(--|\\.\\.))[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" },
        version: TEXT,
        description: TEXT,
      }),
    },
    {
      path: /^mcp\.json$/,
      schema: closed({
        $schema: { const: "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json" },
        mcpServers: closed({
          // One token: a bare name, or a path below the plugin's folder.
          skillctl: closed(
            {
              ...STARTED,
              type: { const: "stdio" },
              command: { type: "string", pattern: "^(\\./)?[^/\\\\ ]+$" },
            },
            ["type", "command"],
          ),
        }),
      }),
    },
  ],
};
