import { quotedName } from "skillctl";
import type { CheckOutput } from "../contract.ts";
import { inert } from "../store/event/inert-text.ts";

/** A fault of a region, or of a tree that holds regions. */
export type Finding = Readonly<CheckOutput["findings"][number]>;

/** The number of findings in the text; `findings` in the output has all of them. */
const MOST = 50;

/** Findings for reading: one per line, with its place, followed by the hints. */
export function findingsText(findings: readonly Finding[]): string {
  const told = findings.slice(0, MOST);
  const hints = new Set(told.flatMap(({ hint }) => hint ?? []));
  const more = findings.length - told.length;
  return [
    ...told.map(placed),
    ...(more > 0 ? [`And ${more} more.`] : []),
    ...(hints.size > 0 ? ["", ...hints] : []),
  ].join("\n");
}

/** A finding with its place: `src/cart.js:12: …`; the code that it shows is inert. */
export function placed({ file, line, sentence }: Finding): string {
  const place = [file && quotedName(file), line].filter((part) => part !== undefined).join(":");
  return inert(place === "" ? sentence : `${place}: ${sentence}`);
}
