/** MCP over a pipe and over HTTP: one module, so that the program has one copy of the SDK. */
export { mcpHandler } from "./fetch-handler.ts";
export { serveMcp } from "./serve.ts";
