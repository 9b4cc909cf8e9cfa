import type { StartForm } from "../../start-view.ts";

/** An error as the server describes it. */
export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly pointer?: string;
  readonly result?: unknown;
}

/** The end of a call: an output, the address of a page, or an error. */
export type Result = { readonly output: unknown } | { readonly page: string } | { readonly problem: Problem };

interface Turn {
  readonly signal: AbortSignal;
  /** Shows progress. */
  readonly tell: (text: string) => void;
  /** Shows a part of the answer that comes early. */
  readonly announce: (text: string) => void;
}

/** One conversation for the calls of one page. */
const CONVERSATION = `page-${Math.random().toString(36).slice(2)}`;
const GONE: Problem = {
  code: "GONE",
  detail: "The server does not answer.",
  hint: "Start it again, and load the page again.",
};

/** Calls a command, or asks for a page. */
export async function call(form: StartForm, input: Input, turn: Turn): Promise<Result> {
  try {
    return await (form.method === "GET" ? askPage : runCommand)(form, input, turn);
  } catch {
    const problem = turn.signal.aborted ? { code: "CANCELLED", detail: "The call was cancelled." } : GONE;
    return { problem };
  }
}

type Input = Readonly<Record<string, unknown>>;

async function runCommand({ address }: StartForm, input: Input, turn: Turn): Promise<Result> {
  const answer = await fetch(`${address}/events`, {
    method: "POST",
    headers: { "content-type": "application/json", "skillctl-session": CONVERSATION },
    body: JSON.stringify(input),
    signal: turn.signal,
  });
  if (!answer.ok || !answer.body) return { problem: (await answer.json()) as Problem };
  for await (const [name, data] of eventsIn(answer.body)) {
    if (name === "result") return { output: data };
    if (name === "problem") return { problem: data as Problem };
    (name === "progress" ? turn.tell : turn.announce)((data as { readonly text: string }).text);
  }
  return { problem: GONE };
}

async function askPage({ address }: StartForm, input: Input, { signal }: Turn): Promise<Result> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    for (const one of [value].flat()) query.append(name, String(one));
  const page = query.size === 0 ? address : `${address}?${query}`;
  const answer = await fetch(page, { signal });
  return answer.ok ? { page } : { problem: (await answer.json()) as Problem };
}

/** The server-sent events of a response: their names and data. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly [string, unknown]> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
      if (name !== undefined && data !== undefined) yield [name, JSON.parse(data)];
    }
  }
}
