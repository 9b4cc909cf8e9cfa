import { joined, tidied } from "./paths.ts";
import type { Effects, ProgramCall } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import { projectOf } from "./script-texts.ts";

const INTERPRETER = /^(?:node|nodejs|python[\d.]*)$/;
/** What is loaded from beside the script, and not from the working folder. */
const BESIDE = /\b(?:from|import|require)\s*\(?\s*["']\.{1,2}\//;

/**
 * What a script of elsewhere does, such as one that was just written to show a bug: its text is read as one on the command line is.
 * `undefined` when not all of it is understood, or when it may be another text by then.
 */
export function throwawayEffects(
  path: string,
  call: ProgramCall,
  reader: Reader,
): readonly Effects[] | undefined {
  const { cwd, args, name } = call;
  if (cwd === undefined || args[0]?.text !== path || !INTERPRETER.test(name)) return undefined;
  const place = tidied(joined(path, cwd) ?? path);
  const real = reader.files.realPath(place);
  const project = projectOf(cwd, reader);
  if (real === undefined || [place, real].some((each) => each.startsWith(`${project}/`))) return undefined;
  const stored = reader.files.text(place);
  const held = reader.facts.heldTexts(place);
  if (held === undefined ? reader.facts.mayHaveChanged(place) : stored === undefined && held.length === 0)
    return undefined;
  const texts = [...(held ?? []), ...(stored === undefined ? [] : [stored])];
  if (texts.length === 0 || texts.some((text) => BESIDE.test(text) || hasOther(text, place, reader)))
    return undefined;
  const found = texts.map((text) =>
    reader.effectsOf({ ...call, args: [{ text: "-" }], stdin: { kind: "text", text } }, reader.files),
  );
  return found.every(({ unknown }) => unknown.length === 0) ? found : undefined;
}

/** Whether a module that it loads may lie beside it, where Python looks first. */
function hasOther(text: string, place: string, { facts, files }: Reader): boolean {
  const folder = place.slice(0, place.lastIndexOf("/"));
  if (facts.written(folder).some((each) => each !== place)) return true;
  return [...text.matchAll(/\b(?:from|import)\s+(\w+)/g)].some(
    ([, name]) =>
      files.kind(`${folder}/${name}.py`) !== undefined || files.kind(`${folder}/${name}`) !== undefined,
  );
}
