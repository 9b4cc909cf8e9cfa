import { SkillError } from "skillctl";
import type { BackgroundProgram, Call, Environment, Files, Http, Log, Programs } from "skillctl";
import type { ServeInput } from "../contract.ts";
import type { SessionFiles } from "../session-files.ts";
import { isServing } from "./server-call.ts";
import { movedAddress, serverInfo, type ServerInfo } from "./server-block.ts";
import { readRecord, type ServerRecord } from "./server-record.ts";
import { pause } from "./pause.ts";

const LOOK_MS = 50;
/** A start that takes longer, in milliseconds, is not waited for: it may still come. */
const PATIENCE_MS = 60_000;

/** Starts the server of a session in the background and waits until it answers. */
export class BackgroundStart {
  constructor(
    private readonly environment: Environment,
    private readonly files: Files,
    private readonly http: Http,
    private readonly log: Log,
    private readonly programs: Programs,
  ) {}

  /** @throws SkillError what the start in the background says, `PROGRAM_FAILED`, `CANCELLED`. */
  async start(input: ServeInput, place: SessionFiles, call: Call): Promise<ServerInfo> {
    const { detach: _, ...foreground } = input;
    const earlier = await readRecord(place.record, this.files);
    const before = (await this.files.facts(place.serveLog))?.bytes ?? 0;
    const words = ["run", "runtime-debug", "serve", "--json", "--no-progress"];
    const program = await this.programs.background({
      args: [...words, "--input", JSON.stringify(foreground)],
      log: place.serveLog,
    });
    const late = AbortSignal.timeout(PATIENCE_MS);
    const given = AbortSignal.any([late, call.signal]);
    const ended = new AbortController();
    void program.ended.then(() => ended.abort());
    while (!given.aborted) {
      const record = await this.#running(program, place);
      if (record) return this.#told(record, earlier, place);
      if (ended.signal.aborted) throw await this.#failure(program, place, before);
      await pause(LOOK_MS, AbortSignal.any([given, ended.signal]));
    }
    if (call.signal.aborted)
      throw new SkillError("CANCELLED", "The call was ended; the server in the background may still start.");
    throw failed(`The server in the background (process ${program.pid}) does not answer yet.`, place);
  }

  async #running({ pid }: BackgroundProgram, place: SessionFiles): Promise<ServerRecord | undefined> {
    const record = await readRecord(place.record, this.files);
    return record?.pid === pid && (await isServing(record, this.http)) ? record : undefined;
  }

  /** What the server itself says of a move only stands in its log. */
  #told(record: ServerRecord, earlier: ServerRecord | undefined, place: SessionFiles): ServerInfo {
    const moved = movedAddress(earlier, record);
    if (moved !== undefined) this.log.notice(moved);
    return serverInfo(record, place, this.environment.addresses());
  }

  /** The error that the program in the background has written: with --json one line, the last. */
  async #failure({ ended }: BackgroundProgram, place: SessionFiles, before: number): Promise<SkillError> {
    const bytes = (await this.files.readBytes(place.serveLog)) ?? new Uint8Array();
    const said = new TextDecoder().decode(bytes.subarray(before)).trim();
    const status = await ended;
    const how = status === undefined ? "by a signal" : `with status ${status}`;
    return toldError(said) ?? failed(`The server in the background ended ${how} before it was asked.`, place);
  }
}

function toldError(said: string): SkillError | undefined {
  try {
    const { error } = JSON.parse(said.slice(said.lastIndexOf("\n") + 1)) as { readonly error?: unknown };
    if (typeof error !== "object" || error === null) return undefined;
    const { code, message, hint } = error as Readonly<Record<string, unknown>>;
    if (typeof code !== "string" || typeof message !== "string") return undefined;
    return new SkillError(code, message, typeof hint === "string" ? { hint } : {});
  } catch {
    // It has said something else, which stands in its log.
    return undefined;
  }
}

function failed(sentence: string, { serveLog }: SessionFiles): SkillError {
  return new SkillError("PROGRAM_FAILED", sentence, {
    file: serveLog,
    hint: `What it has said is in ${serveLog}.`,
  });
}
