import type { GuardRequest } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Subject } from "../../plugin.ts";
import type { Check } from "../../schema/schemas.ts";
import { isWhole, object, placed } from "./agent-event.ts";
import { json, type Dialect } from "./dialect.ts";
import { kindOf, shellCommand, toolFacts } from "./tool-call.ts";

/** Exit statuses of the error table: a rule denies or asks, a rule failed, the request is unreadable. */
const STATUS = { denied: 77, failed: 70, unreadable: 65 } as const;

/** Our own dialect: core/guard-request in, core/guard-decision out. An event that does not fit the schema is not a request. */
export function skillctlDialect(fits: Check): Dialect {
  return {
    name: "skillctl",
    request: (event) => {
      const fault = fits(event);
      if (fault) throw unreadable(`it is not a request: ${fault.sentence.replace(/\.$/, "")}`);
      return completed(event as unknown as GuardRequest);
    },
    outcome: ({ decision }) => decision,
    respond: (decision) => {
      const stops = decision.decision === "deny" || decision.decision === "ask";
      const failed = decision.reasonCode === "GUARD_FAILED";
      return json(decision, stops ? (failed ? STATUS.failed : STATUS.denied) : 0);
    },
    refuse: (message, reasonCode) =>
      json(
        { decision: "deny", reasonCode, message, agentMessage: message },
        reasonCode === "GUARD_FAILED" ? STATUS.failed : STATUS.unreadable,
      ),
  };
}

/**
 * Completes a request in our own dialect from the `name` and `input` of its tool call: kind, command and content if they are
 * missing, and further paths and addresses.
 * @throws SkillError `REQUEST_UNREADABLE` for a call without `tool` and `name`, a shell call without a command, or a folder that is
 * not absolute
 */
export function completed(request: GuardRequest): Subject {
  const subject = request as Subject;
  if (!isWhole(subject.cwd)) throw unreadable("its `cwd` is not absolute");
  if (subject.event !== "tool.pre" && subject.event !== "tool.post") return subject;
  const { name, tool = name === undefined || name === "" ? undefined : kindOf(name) } = subject;
  if (tool === undefined) throw unreadable("it names no tool: `tool` and `name` are missing");
  const input = object({ input: request.input }, "input");
  if (tool === "shell" && subject.command === undefined && !input)
    throw unreadable("it is a shell call without `command`");
  if (!input) return { ...subject, tool };
  const facts = toolFacts(name ?? tool, input, tool);
  const { command = facts.command, content = facts.content } = subject;
  if (
    tool === "shell" &&
    subject.event === "tool.pre" &&
    shellCommand(name ?? "", input, command) === undefined
  )
    throw unreadable("it is a shell call without `command`");
  return placed({
    ...subject,
    tool,
    ...(facts.folder !== undefined && { folder: facts.folder }),
    ...(facts.text !== undefined && { text: facts.text }),
    ...(command !== undefined && { command }),
    ...(content !== undefined && { content }),
    paths: [...new Set([...(subject.paths ?? []), ...(facts.paths ?? [])])],
    urls: [...new Set([...(subject.urls ?? []), ...(facts.urls ?? [])])],
  });
}

function unreadable(reason: string): SkillError {
  return new SkillError("REQUEST_UNREADABLE", `${reason}.`, { hint: "See core/guard-request." });
}
