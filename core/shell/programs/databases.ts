import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";

/** A statement that only looks. */
const LOOKS = /^(?:(?:select|with|explain|show|describe|values)\b|pragma\s+\w+(?:\(\w+\))?$)/i;
/** Words that make it do something else, wherever they stand. */
const EFFECT =
  /\b(?:into\s+outfile|dumpfile|load_extension|writefile|edit|copy|attach|insert|update|delete|drop|create|alter|replace|vacuum|lo_export|dblink\w*|pg_read_file|pg_\w+_file|xp_cmdshell|program)\b|\\/i;
/** Commands of sqlite3 itself that show something. */
const SHOWS =
  /^\.(?:tables|schema|databases|headers?|mode|indexes|indices|width|help|timer|dbinfo|fullschema|show|version|quit|exit|nullvalue|separator)\b[^|`]*$/;
const FILES = /\b(?:load_extension|writefile|edit|attach|vacuum)\b/i;

/** Statements and dot-commands of a text. */
function statements(text: string): readonly string[] {
  return text
    .split(/;|\n(?=\s*\.)/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function looks(text: string | undefined): boolean {
  return (
    text !== undefined &&
    statements(text).every((part) => SHOWS.test(part) || (LOOKS.test(part) && !EFFECT.test(part)))
  );
}

function sqlite(scene: Scene): void {
  const { operands, has, all } = follow(
    "v | - cmd: init:r separator: newline: nullvalue: mmap: lookaside: maxsize: vfs:c A!w",
    scene,
  );
  const [file, ...given] = operands;
  const texts = [...given, ...all("cmd")];
  const { stdin } = scene.call;
  if (given.length === 0) texts.push(stdin.kind === "text" ? { text: stdin.text } : { text: undefined });
  if (file === undefined) return;
  scene.read(file);
  if (!texts.every(({ text }) => looks(text)) && !has("readonly")) scene.write(file);
  for (const { text } of texts) {
    const parts = statements(text ?? ".");
    if (parts.some((part) => FILES.test(part) || (part.startsWith(".") && !SHOWS.test(part))))
      scene.unknown("code", "write");
    if (/readfile|fsdir/i.test(text ?? "")) scene.unknown("read");
  }
}

/** A client of a database: a statement that only looks is known, another may do anything, also on the client's side. */
function client(options: string, names: readonly string[]): (scene: Scene) => void {
  return (scene) => {
    const { all, has } = follow(`v | ${options}`, scene);
    const texts = all(...names);
    if (has("l", "list", "version", "V")) return;
    if (texts.length === 0 || !texts.every(({ text }) => looks(text))) scene.unknown("code");
  };
}

export const DATABASES: Table = {
  "sqlite3 sqlite": sqlite,
  "psql pgcli": client(
    "c: command: f:x file:x o:w output:w L:w log-file:w h: host: p: port: U: d: dbname: v: P: F: R:",
    ["c", "command"],
  ),
  "mysql mariadb": client("e: execute: h: P: u: D: tee:w p:: init-command:c", ["e", "execute"]),
  "mongo mongosh redis-cli duckdb clickhouse cqlsh sqlcmd influx neo4j cypher-shell": "!c v",
  "pg_dump mysqldump pg_dumpall": "v | f:w file:w r:w result-file:w h: p: U: u: d: t: n:",
  "pg_isready mysqladmin createdb dropdb": "v | h: p: U: u:",
};
