/** Draws docs/session.svg, the terminal of the README: `node --conditions=@skillctl/source --import tsx scripts/picture.ts`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "../core/surfaces/cli/main.ts";
import { VERSION } from "../core/version.ts";
import { builtinSkills } from "../plugins/index.ts";
import { summaries } from "../plugins/summaries.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SESSION = [["list"], ["run", "music-analysis", "Top 3 songs, last 30 days"]];
const [COLUMNS, LINE, MARGIN] = [100, 18, 16];

/** The screens of a terminal while the commands are typed. */
export async function picture(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillctl-picture-"));
  let text = "";
  const out = (more: string): void => void (text += more);
  const { signal } = new AbortController();
  const shown = {
    out,
    err: () => {},
    lively: false,
    colour: false,
    columns: COLUMNS,
    showsOut: true,
    signal,
  };
  for (const words of SESSION) {
    out(`$ skillctl ${words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")}\n`);
    const place = { workingFolder: folder, variables: { HOME: folder, SKILLCTL_STATE: folder } };
    const program = { version: VERSION, summaries, builtin: () => Promise.resolve(builtinSkills(ROOT)) };
    await main(words, { ...program, ...place, terminal: () => shown });
  }
  rmSync(folder, { recursive: true, force: true });
  const rows = text.trimEnd().split("\n");
  const lines = rows.map((row, index) => {
    const cut = row.length > COLUMNS ? `${row.slice(0, COLUMNS - 1)}…` : row;
    const place = `x="${MARGIN}" y="${(index + 2) * LINE}" fill="${row.startsWith("$") ? "#7ee787" : "#e6edf3"}"`;
    return `<text ${place} xml:space="preserve">${cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>\n`;
  });
  const size = `viewBox="0 0 ${COLUMNS * 8.4 + 2 * MARGIN} ${(rows.length + 2) * LINE}"`;
  const font = 'font-family="monospace" font-size="14"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>\n<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n${lines.join("")}</svg>\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(ROOT, "docs", "session.svg"), await picture());
