import type { Writable } from "node:stream";
import type * as Prompts from "@clack/prompts";
import { isTerminal } from "../../adapters/standard-streams.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Choice, Person } from "../../plugin.ts";
import { columnsOf, fitted, printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

/** The limit for an answer, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 100;

/** The person at the command line: sees the progress of one command and answers its questions. */
export class CommandPerson implements Person {
  /** Present only at an interactive terminal that can read keys and redraw a list. */
  readonly choose?: (question: Choice) => Promise<string>;
  readonly #terminal: Terminal;
  readonly #wantsProgress: boolean;
  readonly #told = new Set<string>();
  readonly #started = Date.now();
  #sentence = "";
  #spinner: NodeJS.Timeout | undefined;
  #isInputTaken = false;

  /** `wantsProgress` is false after --no-progress. */
  constructor(terminal: Terminal, wantsProgress: boolean) {
    this.#terminal = terminal;
    this.#wantsProgress = wantsProgress;
    if (terminal.lively && isTerminal(0)) this.choose = (question) => this.#choose(question);
  }

  get columns(): number | undefined {
    return this.#terminal.errorColumns;
  }

  get seesResult(): boolean {
    return this.#terminal.showsOut === true;
  }

  /**
   * Asks for a line on standard error and reads it from the keyboard without showing it; without a keyboard, all of
   * standard input.
   */
  readonly secret = (question: string): Promise<string> => {
    this.#checkInputFree();
    if (!process.stdin.isTTY) return this.input(MAX_ANSWER_BYTES);
    const shown = printable(question).trimEnd();
    const message = shown.endsWith(":") ? shown.slice(0, -1) : shown;
    return this.#asked(({ password }, streams) => password({ ...streams, message, mask: "" }));
  };

  #choose({ text, options }: Choice): Promise<string> {
    const shown = options.map(({ value, label }) => ({
      value,
      label: printable(`${value}) ${label}`).replaceAll(/\s+/g, " "),
    }));
    return this.#asked(({ autocomplete, S_BAR }, streams) =>
      autocomplete({
        ...streams,
        message: printable(text).replaceAll("\n", `\n${S_BAR}  `),
        options: shown,
        filter: (typed, { value }) => typed.trim() === "" || named(typed, options).includes(value),
        validate: (chosen) =>
          chosen === undefined
            ? `Type one of ${options.map(({ value }) => value).join(", ")}, or clear the text to see all.`
            : undefined,
      }),
    );
  }

  /** Restores the mode of the keyboard in all cases. Ctrl-C and Escape interrupt the command. */
  async #asked(
    ask: (
      prompts: Pick<typeof Prompts, "S_BAR" | "autocomplete" | "password">,
      streams: { readonly input: NodeJS.ReadStream; readonly output: Writable; readonly signal: AbortSignal },
    ) => Promise<string | symbol>,
  ): Promise<string> {
    this.stopProgress();
    const { signal, draw = this.#terminal.err, errorColumns: columns = 80, interrupt } = this.#terminal;
    if (signal.aborted) throw cancelled();
    const { Writable: Stream } = await import("node:stream");
    const screen = new Stream({
      write: (chunk: Uint8Array, _, done) => {
        draw(Buffer.from(chunk).toString("utf8"));
        done();
      },
    });
    const output = Object.assign(screen, { columns, rows: process.stderr.rows || 24, isTTY: true });
    const answer = await ask(await import("@clack/prompts"), { input: process.stdin, output, signal });
    if (typeof answer === "string") return answer;
    if (!signal.aborted) interrupt?.();
    throw cancelled();
  }

  /**
   * Reads all of standard input as UTF-8, once.
   * @throws SkillError `USAGE` if it is longer than `maxBytes` or was read before, `CANCELLED`.
   */
  async input(maxBytes: number): Promise<string> {
    this.#checkInputFree();
    this.#isInputTaken = true;
    const { signal } = this.#terminal;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const { addAbortSignal } = await import("node:stream");
    try {
      for await (const chunk of addAbortSignal(signal, process.stdin) as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw new SkillError("USAGE", `Standard input is over ${maxBytes} bytes.`);
        chunks.push(chunk);
      }
    } catch (caught) {
      throw signal.aborted ? cancelled() : caught;
    }
    return Buffer.concat(chunks)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  }

  #checkInputFree(): void {
    if (!this.#isInputTaken) return;
    throw new SkillError("USAGE", "Two options read standard input; only one can.", {
      hint: "Give the input of the command with flags instead of --input -.",
    });
  }

  /**
   * Shows the current progress: with a spinner and the elapsed seconds at an interactive terminal, otherwise each sentence
   * once, on a line. The spinner of @clack/prompts is not used, because it reads the keyboard while a command runs.
   */
  readonly tell = (sentence: string): void => {
    if (!this.#wantsProgress) return;
    const { lively, status, err } = this.#terminal;
    if (lively && status) {
      this.#sentence = printable(sentence).replaceAll(/\s+/g, " ");
      let frame = 0;
      const draw = (): void => status(this.#line(FRAMES[(frame += 1) % FRAMES.length]));
      this.#spinner ??= setInterval(draw, FRAME_MS).unref();
      draw();
    } else if (!this.#told.has(sentence)) {
      this.#told.add(sentence);
      err(`${printable(sentence)}\n`);
    }
  };

  #line(mark = ""): string {
    const elapsed = ` (${Math.floor((Date.now() - this.#started) / 1000)} s)`;
    const room = this.#terminal.columns - 3 - columnsOf(elapsed);
    return `${mark} ${fitted(this.#sentence, room)}${elapsed}`;
  }

  /** Stops the spinner and removes its line. The next sentence starts it again. */
  stopProgress(): void {
    clearInterval(this.#spinner);
    this.#spinner = undefined;
    this.#terminal.status?.("");
  }
}

/** The values of the options that contain the typed words, or else the longest value that the typed text ends with, ignoring case. */
function named(typed: string, options: Choice["options"]): readonly string[] {
  const text = typed.trim().toLowerCase();
  const found = text.length < 3 ? [] : options.filter(({ label }) => label.toLowerCase().includes(text));
  const end = text.replace(/[.):]$/, "");
  const last = options.filter(({ value }) => end.endsWith(value.toLowerCase()));
  const [longest] = last.toSorted((one, other) => other.value.length - one.value.length);
  return (found.length > 0 ? found : longest ? [longest] : []).map(({ value }) => value);
}

function cancelled(): SkillError {
  return new SkillError("CANCELLED", "The command was cancelled.");
}
