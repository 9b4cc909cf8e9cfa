import type { AsyncLocalStorage } from "node:async_hooks";
import type { DecisionEvent, Tracing } from "../events.ts";

/**
 * Where every copy of `@opentelemetry/api` 1 keeps the tracer that a program has registered (its `internal/global-utils`). It is
 * read here, so that the copy of the program is found wherever it is installed, and nothing is loaded without one.
 */
const API = Symbol.for("opentelemetry.js.api.1");
const ERROR_STATUS = 2;

interface Span {
  setAttribute(name: string, value: string): unknown;
  setStatus(status: { readonly code: number }): unknown;
  addEvent(name: string, attributes: Readonly<Record<string, string>>): unknown;
  end(): void;
}

interface Tracer {
  startSpan(name: string, options: object): Span;
  startActiveSpan<T>(name: string, options: object, run: (span: Span) => T): T;
}

interface Api {
  readonly trace?: { getTracer(name: string, version: string): Tracer };
}

/**
 * Calls as spans of OpenTelemetry, children of the active span. A decision is an event of its call; one without a call, such as
 * about a tool of an agent or a route, is a span. They hold no inputs, outputs or messages.
 */
export function spans(version: string): Tracing {
  const provider = (): Api["trace"] => (globalThis as { readonly [API]?: Api })[API]?.trace;
  const tracerOf = (): Tracer | undefined => provider()?.getTracer("skillctl", version);
  let current: AsyncLocalStorage<Span> | undefined;
  return {
    isActive: () => provider() !== undefined,
    call: async ({ skill, command, surface }, run, codeOf) => {
      const tracer = tracerOf();
      if (!tracer) return run();
      current ??= new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)<Span>();
      const storage = current;
      const attributes = {
        "skillctl.skill": skill,
        "skillctl.command": command,
        "skillctl.surface": surface,
      };
      return tracer.startActiveSpan(`${skill} ${command}`.trimEnd(), { attributes }, async (span) => {
        try {
          return await storage.run(span, run);
        } catch (caught) {
          span.setAttribute("error.type", codeOf(caught));
          span.setStatus({ code: ERROR_STATUS });
          throw caught;
        } finally {
          span.end();
        }
      });
    },
    decision: (event) => {
      const attributes = attributesOf(event);
      const span = current?.getStore();
      if (span) span.addEvent("skillctl.decision", attributes);
      else tracerOf()?.startSpan("skillctl.decision", { attributes }).end();
    },
  };
}

function attributesOf({
  rule,
  decision,
  event,
  idle,
  surface,
}: DecisionEvent): Readonly<Record<string, string>> {
  return {
    "skillctl.rule": rule,
    "skillctl.decision": decision,
    "skillctl.event": event,
    "skillctl.surface": surface,
    ...(idle !== undefined && { "skillctl.idle": idle }),
  };
}
