import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { health, until } from "../client.ts";
import type { Program, Suspect } from "./programs.ts";
import { Project, type Answer } from "./project.ts";

/** An event that has not come by then was not sent. */
const PATIENCE_MS = 120_000;
const LETTERS = ["A", "B", "C"] as const;

/** A session on a program: what an agent and its user would do, command by command. */
export class Walk {
  readonly program: Program;
  readonly project: Project;
  /** How it all was at first. */
  readonly #files: ReadonlyMap<string, string>;
  readonly #git: unknown;
  #id = "";
  #server = "";
  #instance = "";
  #stored = 0;

  private constructor(program: Program, project: Project, files: ReadonlyMap<string, string>, git: unknown) {
    this.program = program;
    this.project = project;
    this.#files = files;
    this.#git = git;
  }

  static async of(t: TestContext, program: Program, isGit: boolean): Promise<Walk> {
    const project = await Project.of(t, program.folder, isGit);
    return new Walk(program, project, await project.files(), await project.gitState());
  }

  /** Takes a step that must be let through, and checks where the session stands then. */
  async to(state: string, ...words: readonly string[]): Promise<Answer> {
    const answer = await this.project.ask(...words);
    assert.equal(answer["state"], state, JSON.stringify(answer));
    assert.equal(answer["session"], this.#id);
    // Where the user is asked something, an abort is offered.
    if (state === "reproducing" || state === "confirming")
      assert.match(String(answer["text"]), /D\) Abort debugging/);
    return answer;
  }

  /** Steps that are not possible now, each with what it says. */
  async notYet(...actions: readonly (readonly [words: readonly string[], says: RegExp])[]): Promise<void> {
    for (const [words, says] of actions) assert.match(await this.project.refused(...words), says);
  }

  /** `start` and `hypothesize`. */
  async begin(): Promise<void> {
    const { project, program } = this;
    const begun = await project.ask("start", program.issue, "--actual", program.wrong.trim());
    this.#id = begun["session"] as string;
    assert.match(this.#id, /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*){1,3}$/);
    assert.equal(begun["state"], "observing");
    assert.match(await project.read(`debug-${this.#id}.md`), /\[OPEN\]/);
    await this.notYet(
      [["cleanup"], /error: "cleanup" is not possible now/],
      [["fix", "A guess"], /error: "fix" is not possible now/],
    );
    const hypotheses = await Promise.all(
      program.suspects.map(async ({ text, refutedBy, place: { file, before } }) => ({
        text,
        refutedBy,
        observe: `${file}:${lineOf(await project.read(file), before) + 1}`,
        likelihood: "medium",
        effort: "low",
      })),
    );
    await this.to("instrumenting", "hypothesize", "--hypotheses", JSON.stringify(hypotheses));
  }

  /** Sets the probe of each suspect, by the command or by hand, and has them checked. */
  async instrument(): Promise<void> {
    const { suspects } = this.program;
    for (const [at, suspect] of suspects.entries()) {
      if (at === suspects.length - 1)
        await this.notYet([["answer", "A"], /error: "answer A" is not possible now/]);
      if (suspect.byHand) await this.#writeProbe(suspect, suspect.byHand);
      else await this.#applyProbe(suspect, LETTERS[at] ?? "A");
    }
    const checked = await this.to("reproducing", "check");
    assert.deepEqual([checked["ok"], checked["findings"]], [true, []]);
    if (this.project.isGit) assert.notEqual(this.project.git("status", "--porcelain"), "");
  }

  async #applyProbe({ point, place, data = [] }: Suspect, letter: string): Promise<void> {
    const line = lineOf(await this.project.read(place.file), place.before);
    const flags = data.flatMap((one) => ["--data", one]);
    const where = ["--hypothesis", letter, "--point", point, "--apply", `${place.file}:${line + 1}`];
    const { file } = await this.to("instrumenting", "probe", ...where, ...flags);
    assert.equal(file, place.file);
    const { url = "", instance = "" } = (await this.project.server()) ?? {};
    [this.#server, this.#instance] = [url, instance];
  }

  async #writeProbe({ place }: Suspect, probe: readonly string[]): Promise<void> {
    const text = await this.project.read(place.file);
    const lines = text.split("\n");
    const at = lineOf(text, place.before);
    const indentation = /^\s*/.exec(lines[at] ?? "")?.[0] ?? "";
    const filled = probe.map((line) =>
      indentation.concat(line.replace("ADDRESS", `${this.#server}/event`).replace("SESSION", this.#id)),
    );
    lines.splice(at, 0, ...filled);
    await this.edit(place.file, () => lines.join("\n"));
  }

  async edit(file: string, change: (text: string) => string): Promise<void> {
    const text = await this.project.read(file);
    const changed = change(text);
    assert.notEqual(changed, text, `nothing to change in ${file}`);
    await writeFile(join(this.project.folder, file), changed);
  }

  /** A file as it was at first. */
  original(file: string): string {
    return (this.#files.get(file) ?? "").replace(/^\d+ /, "");
  }

  /** Runs the program, and waits until its events are stored; answers what was seen of it. */
  async run(): Promise<string> {
    const hits = this.program.hits.reduce((sum, count) => sum + count, 0);
    this.#stored += hits;
    const arrived = async (): Promise<void> => {
      await until(
        async () => (await health(this.#server)).seq,
        (seq) => seq >= this.#stored,
        PATIENCE_MS,
      );
    };
    const { folder, home } = this.project;
    const seen = await this.program.run({ folder, out: join(home, "out"), arrived });
    this.#stored = (await health(this.#server)).seq;
    return seen;
  }

  /** The events of a run by hypothesis, as citations. */
  async citations(run: string): Promise<Readonly<Record<string, string>>> {
    const { events } = await this.project.ask("logs", this.#id, "--format", "json", "--run-id", run);
    const cited: Record<string, string> = {};
    for (const { hypothesisId, _seq: seq } of events as { hypothesisId: string; _seq: number }[])
      cited[hypothesisId] = [...(cited[hypothesisId]?.split(", ") ?? []), `#${seq}`].join(", ");
    assert.deepEqual(Object.keys(cited).toSorted(), [...LETTERS], "every probe was hit");
    return cited;
  }

  /** Judges by what was cited: the first suspect it is, unless nothing is. */
  async judge(state: string, cited: Readonly<Record<string, string>>, first = "confirmed"): Promise<void> {
    const verdicts = LETTERS.map((hypothesis, at) => ({
      hypothesis,
      verdict: at === 0 ? first : "rejected",
      lines: cited[hypothesis],
      because: "The lines show it",
    }));
    await this.to(state, "judge", "--verdicts", JSON.stringify(verdicts));
  }

  /** Applies the program's fix. */
  async fix(): Promise<void> {
    const { file, edits } = this.program.fix;
    await this.edit(file, (text) => fixed(text, edits));
  }

  /** That everything is as it was, but for the fix. */
  async assertClean(isFixed: boolean, besides: readonly string[] = []): Promise<void> {
    const { project, program } = this;
    const { file, edits } = program.fix;
    const wanted = new Map(this.#files);
    const before = wanted.get(file) ?? "";
    if (isFixed) wanted.set(file, fixed(before, edits));
    const now = new Map([...(await project.files())].filter(([name]) => !besides.includes(name)));
    assert.deepEqual([...now.keys()], [...wanted.keys()]);
    for (const [name, bytes] of wanted) assert.equal(now.get(name), bytes, name);
    if (project.isGit) {
      assert.equal(project.git("status", "--porcelain", "--ignored"), isFixed ? ` M ${file}\n` : "");
      assert.deepEqual(await project.gitState(), this.#git);
    }
    assert.notEqual(this.#instance, "", "a server was there");
    const there = await health(this.#server).catch(() => undefined);
    assert.notEqual(there?.instance, this.#instance, "the server is gone");
    const { sessions } = await project.ask("status");
    assert.deepEqual(sessions, []);
  }
}

function lineOf(text: string, wanted: string): number {
  const lines = text.split("\n").map((line) => line.trim());
  const at = lines.indexOf(wanted);
  assert.ok(at >= 0 && lines.indexOf(wanted, at + 1) === -1, `one line "${wanted}"`);
  return at;
}

function fixed(text: string, edits: Program["fix"]["edits"]): string {
  return edits.reduce((now, [from, to]) => {
    assert.equal(now.split(from).length, 2, `one place of ${from}`);
    return now.replace(from, () => to);
  }, text);
}
