/** A third-party skill with every feature of MCP that the official conformance suite checks. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeSkill } from "../../cli/fixture-command-line.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const text = (description: string, more = {}) => ({ description, type: "string", ...more });
const object = (properties: object = {}, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

/** Tools by name: the input, and how MCP offers it. */
const TOOLS: Readonly<
  Record<string, { readonly input?: string; readonly task?: string; readonly readOnly?: boolean }>
> = {
  test_simple_text: {},
  test_image_content: {},
  test_audio_content: {},
  test_embedded_resource: {},
  test_multiple_content_types: {},
  test_tool_with_logging: {},
  test_logging_tool: {},
  test_tool_with_progress: {},
  test_error_handling: {},
  test_sampling: { input: "prompt-input" },
  test_elicitation: { input: "message-input" },
  test_streaming_elicitation: {},
  test_elicitation_sep1034_defaults: {},
  test_elicitation_sep1330_enums: {},
  test_missing_capability: {},
  json_schema_2020_12_tool: { input: "address-input" },
  test_x_mcp_header: { input: "header-input" },
  test_input_required_result_elicitation: {},
  test_input_required_result_sampling: {},
  test_input_required_result_list_roots: {},
  test_input_required_result_request_state: {},
  test_input_required_result_multiple_inputs: {},
  test_input_required_result_multi_round: {},
  test_input_required_result_tampered_state: {},
  test_input_required_result_capabilities: {},
  greet: { input: "name-input" },
  slow_compute: { input: "seconds-input", task: "always", readOnly: true },
  slow_change: { input: "seconds-input", task: "always" },
  slow_answer: { input: "seconds-input" },
  failing_job: { task: "required" },
  protocol_error_job: { task: "always" },
  confirm_delete: { input: "any-input", task: "always" },
  multi_input: { task: "always" },
  test_tool_with_task: { task: "required" },
};
const PROMPTS: Readonly<Record<string, string>> = {
  test_simple_prompt: "any-input",
  test_prompt_with_arguments: "arguments-input",
  test_prompt_with_embedded_resource: "resource-input",
  test_prompt_with_image: "any-input",
  test_input_required_result_prompt: "any-input",
};
const RESOURCES: Readonly<Record<string, readonly [uri: string, input: string, output: string]>> = {
  static_text: ["test://static-text", "any-input", "content-output"],
  static_binary: ["test://static-binary", "any-input", "content-output"],
  watched: ["test://watched-resource", "any-input", "content-output"],
  template: ["test://template/{id}/data", "id-input", "data-output"],
};

const SCHEMAS = {
  "content-output": object({ content: { type: "array", items: { type: "object" } } }),
  "data-output": { type: "object" },
  "any-input": object({ filename: text("A file.") }, []),
  "prompt-input": object({ prompt: text("The prompt.") }),
  "message-input": object({ message: text("The message.") }),
  "name-input": object({ name: text("The name.") }),
  "seconds-input": object({ seconds: { type: "number" }, label: text("A label.") }, []),
  "resource-input": object({ resourceUri: text("The resource.") }),
  "arguments-input": object({
    arg1: text("The first.", { enum: ["paris", "park", "testValue1"] }),
    arg2: text("The second."),
  }),
  "id-input": object({ id: text("The id.") }),
  "header-input": object({ region: text("The region.", { "x-mcp-header": "Region" }) }),
  "address-input": {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

const CODE = `
const IMAGE = { type: "image", data: "${PNG}", mimeType: "image/png" };
const AUDIO = { type: "audio", data: "${WAV}", mimeType: "audio/wav" };
const text = (text) => ({ type: "text", text });
const resource = (uri, text, mimeType = "text/plain") => ({ type: "resource", resource: { uri, mimeType, text } });
const known = (code, message) => Object.assign(new Error(message), { code, [Symbol.for("skillctl.error")]: true });
const blocks = (value) => (Array.isArray(value) ? value : typeof value === "string" ? [text(value)] : [value]);
const does = (run) => class { run = async (input, call) => ({ content: blocks(await run(call, input)) }); };
const wait = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => { clearTimeout(timer); reject(known("CANCELLED", "Given up.")); });
});
const field = (name, type = "string") => ({ type: "object", properties: { [name]: { type } }, required: [name] });
const elicit = ({ client }, key, message, requestedSchema) =>
  client.request(key, "elicitation/create", { mode: "form", message, requestedSchema });
const sample = ({ client }, key, asked, maxTokens = 100) => client.request(key, "sampling/createMessage", {
  messages: [{ role: "user", content: { type: "text", text: asked } }], maxTokens });
const roots = ({ client }, key) => client.request(key, "roots/list", {});
const told = ({ content }) => [content].flat().map((part) => part.text).join("");
const form = (result) => "action=" + result.action + ", content=" + JSON.stringify(result.content ?? {});
const name = field("name");
const listed = (...values) => values.map(([value, title]) => ({ const: value, title }));
const ENUMS = { type: "object", required: [], properties: {
  untitledSingle: { type: "string", description: "One.", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", description: "One.", oneOf: listed(["value1", "First Option"], ["value2", "Second Option"], ["value3", "Third Option"]) },
  legacyEnum: { type: "string", description: "One.", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
  untitledMulti: { type: "array", description: "Many.", minItems: 1, maxItems: 3, items: { type: "string", enum: ["option1", "option2", "option3"] } },
  titledMulti: { type: "array", description: "Many.", minItems: 1, maxItems: 3, items: { anyOf: listed(["value1", "First Choice"], ["value2", "Second Choice"], ["value3", "Third Choice"]) } },
} };
const DEFAULTS = { type: "object", required: [], properties: {
  name: { type: "string", description: "Name.", default: "John Doe" },
  age: { type: "integer", description: "Age.", default: 30 },
  score: { type: "number", description: "Score.", default: 95.5 },
  status: { type: "string", description: "Status.", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", description: "Verified.", default: true },
} };
const says = async ({ progress, signal }) => {
  for (const part of ["started", "processing data", "completed"]) { progress("Tool execution " + part); await wait(50, signal); }
  return "Done.";
};
const tools = {
  test_simple_text: () => "This is a simple text response for testing.",
  test_image_content: () => IMAGE,
  test_audio_content: () => AUDIO,
  test_embedded_resource: () => resource("test://embedded-resource", "This is an embedded resource content."),
  test_multiple_content_types: () => [text("Multiple content types test:"), IMAGE, resource("test://mixed-content-resource", "{\\"test\\":\\"data\\"}", "application/json")],
  test_tool_with_logging: says,
  test_logging_tool: says,
  test_tool_with_progress: says,
  test_error_handling: () => { throw known("INPUT_INVALID", "This tool intentionally returns an error for testing."); },
  test_sampling: async (call, { prompt }) => "LLM response: " + told(await sample(call, "sample", prompt)),
  test_elicitation: async (call, { message }) => "User response: " + form(await elicit(call, "answer", message,
    { type: "object", properties: { username: { type: "string" }, email: { type: "string" } }, required: ["username", "email"] })),
  test_streaming_elicitation: async (call) => form(await elicit(call, "name", "What is your name?", name)),
  test_elicitation_sep1034_defaults: async (call) => "Elicitation completed: " + form(await elicit(call, "form", "Review the form.", DEFAULTS)),
  test_elicitation_sep1330_enums: async (call) => "Elicitation completed: " + form(await elicit(call, "form", "Select options.", ENUMS)),
  test_missing_capability: async (call) => told(await sample(call, "sample", "Hello?")),
  json_schema_2020_12_tool: (_, input) => JSON.stringify(input),
  test_x_mcp_header: (_, { region }) => "Region: " + region,
  test_input_required_result_elicitation: async (call) => "Hello, " + (await elicit(call, "user_name", "What is your name?", name)).content.name + "!",
  test_input_required_result_sampling: async (call) => told(await sample(call, "capital_question", "What is the capital of France?")),
  test_input_required_result_list_roots: async (call) => JSON.stringify((await roots(call, "client_roots")).roots),
  test_input_required_result_request_state: async (call) => { await elicit(call, "confirm", "Please confirm", field("ok", "boolean")); return "state-ok"; },
  test_input_required_result_tampered_state: async (call) => { await elicit(call, "confirm", "Please confirm", field("ok", "boolean")); return "state-ok"; },
  test_input_required_result_multiple_inputs: async (call) => JSON.stringify(await Promise.all([
    elicit(call, "user_name", "What is your name?", name), sample(call, "greeting", "Generate a greeting", 50), roots(call, "client_roots")])),
  test_input_required_result_multi_round: async (call) => {
    const one = await elicit(call, "step1", "Step 1: What is your name?", name);
    const two = await elicit(call, "step2", "Step 2: What is your favorite color?", field("color"));
    return one.content.name + " likes " + two.content.color;
  },
  test_input_required_result_capabilities: async (call) => {
    const asked = [];
    if (call.client.answers("elicitation/create")) asked.push(elicit(call, "elicit_input", "What is your name?", name));
    if (call.client.answers("sampling/createMessage")) asked.push(sample(call, "sample_input", "Hello?"));
    return JSON.stringify(await Promise.all(asked));
  },
  greet: (_, { name }) => "Hello, " + name + "!",
  slow_compute: async ({ signal }, { seconds = 1, label = "" }) => { await wait(seconds * 1000, signal); return "Computed " + label + " in " + seconds + " s"; },
  slow_change: async ({ signal }, { seconds = 1 }) => { await wait(seconds * 1000, signal); return "Changed."; },
  slow_answer: async ({ signal, progress }, { seconds = 1 }) => { progress("Computing."); await wait(seconds * 1000, signal); return "Answered."; },
  failing_job: async ({ signal }) => { await wait(1000, signal); throw known("INPUT_INVALID", "This job fails."); },
  protocol_error_job: async ({ signal }) => { await wait(300, signal); throw new Error("a fault"); },
  confirm_delete: async (call, { filename }) => {
    const { action, content } = await elicit(call, "confirm", "Delete " + filename + "?", field("confirm", "boolean"));
    return action === "accept" && content.confirm ? "Deleted " + filename : "Kept " + filename;
  },
  multi_input: async (call) => JSON.stringify(await Promise.all([
    elicit(call, "first", "The first?", field("value")), elicit(call, "second", "The second?", field("value"))])),
  test_tool_with_task: async (call) => {
    const { content } = await elicit(call, "user_name", "What is your name?", field("user_name"));
    return "Hello, " + JSON.stringify(content);
  },
};
const offers = {
  test_simple_prompt: () => "This is a simple prompt for testing.",
  test_prompt_with_arguments: (_, { arg1, arg2 }) => "Prompt with arguments: arg1='" + arg1 + "', arg2='" + arg2 + "'",
  test_prompt_with_embedded_resource: (_, { resourceUri }) => [resource(resourceUri, "Embedded resource content for testing."), text("Please process the embedded resource above.")],
  test_prompt_with_image: () => [IMAGE, text("Please analyze the image above.")],
  test_input_required_result_prompt: async (call) => "Use " + (await elicit(call, "user_context", "What context should the prompt use?", field("context"))).content.context,
  static_text: () => "This is the content of the static text resource.",
  static_binary: () => IMAGE,
  watched: () => "Watched.",
};
const commands = Object.fromEntries(Object.entries({ ...tools, ...offers }).map(([key, run]) => [key.replaceAll("_", "-"), does(run)]));
commands.template = class { run = async ({ id }) => ({ id, templateTest: true, data: "Data for ID: " + id }); };
export default { commands };
`;

/** Writes the skill below `parent` and returns its folder. */
export async function writeConformanceSkill(parent: string): Promise<string> {
  const command = (key: string, input: string, mcp: object, output = "content-output", readOnly = false) => [
    key.replaceAll("_", "-"),
    {
      effects: { readOnly },
      summary: `Serves ${key}.`,
      input: `conformance/${input}`,
      output: `conformance/${output}`,
      ...(output === "content-output" && { display: "content" }),
      mcp,
    },
  ];
  const commands = [
    ...Object.entries(TOOLS).map(([key, { input = "any-input", task, readOnly }]) =>
      command(key, input, { name: key, ...(task !== undefined && { task }) }, undefined, readOnly),
    ),
    ...Object.entries(PROMPTS).map(([key, input]) => command(key, input, { as: "prompt", name: key })),
    ...Object.entries(RESOURCES).map(([key, [uri, input, output]]) =>
      command(key, input, { as: "resource", uri }, output),
    ),
  ];
  const manifest = { commands: Object.fromEntries(commands) as object };
  const folder = await writeSkill(parent, "conformance", { manifest, schemas: SCHEMAS, code: CODE });
  await mkdir(join(folder, "references"));
  await writeFile(join(folder, "references", "about.md"), "# About\n");
  return folder;
}
