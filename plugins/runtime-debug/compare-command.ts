import { isAbsolute, relative, sep } from "node:path";
import { ENVIRONMENT, FILES, inject, injectable } from "skillctl";
import type { CommandHandler, Environment, Files } from "skillctl";
import { COMPARISON, type Comparison } from "./compare/compare.ts";
import type { CompareInput, CompareOutput } from "./contract.ts";
import { firstRun } from "./session/rounds.ts";
import { SESSIONS, type Sessions } from "./session/sessions.ts";
import { DEFAULT_FOLDER } from "./session-files.ts";

/** Holds the run before the fix against the one after it. It only reads, so it takes no step. */
@injectable()
export class CompareCommand implements CommandHandler<CompareInput, CompareOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(COMPARISON) private readonly comparison: Comparison,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError as the manifest lists. */
  async run(input: CompareInput): Promise<CompareOutput> {
    const opened = await this.sessions.open(input.session);
    const { entry } = opened;
    const [before, after] = [input.before ?? firstRun(entry), input.after ?? entry.runs.after];
    const result = await this.comparison.of(opened, before, after);
    if (input.svg === undefined) return result;
    const [{ picture }, { writePicture }] = await Promise.all([
      import("./compare/picture.ts"),
      import("./compare/picture.ts"),
    ]);
    const { workingFolder } = this.environment;
    const svg = await writePicture(this.files, workingFolder, input.svg, picture(result));
    const lines = [result.text, `The picture is ${svg}.`, ...strayed(svg, opened.root)];
    return { ...result, svg, text: lines.join("\n") };
  }
}

/** A picture among the code would pass for a part of the fix. */
function strayed(svg: string, root: string): readonly string[] {
  const path = relative(root, svg);
  const isInside = path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  const isKeptApart = path.split(sep).includes(DEFAULT_FOLDER);
  if (!isInside || isKeptApart) return [];
  return [
    "It lies among the code, where it passes for a part of the fix: move it out of the project before cleanup.",
  ];
}
