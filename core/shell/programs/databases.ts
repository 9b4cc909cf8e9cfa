import { reachesOut } from "./code/reach.ts";
import { follow, play } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { subcommands } from "./subcommands.ts";
import type { Table } from "./table.ts";
import { literal } from "./words.ts";

/** A statement that only looks. */
const LOOKS = /^(?:(?:select|with|explain|show|describe|values)\b|pragma\s+\w+(?:\(\w+\))?$)/i;
/** Words that make it do something else, wherever they stand. */
const EFFECT =
  /\b(?:into\s+outfile|dumpfile|load_extension|writefile|edit|copy|attach|insert|update|delete|drop|create|alter|replace|vacuum|lo_export|dblink\w*|pg_read_file|pg_\w+_file|xp_cmdshell|program)\b|\\/i;
/** Commands of sqlite3 itself that show something. */
const SHOWS =
  /^\.(?:tables|schema|databases|headers?|mode|indexes|indices|width|help|timer|dbinfo|fullschema|show|version|quit|exit|nullvalue|separator)\b[^|`]*$/;
/** It may write files, or start programs, where the client runs. */
const CLIENT_SIDE = /\\|\b(?:program|system|source|outfile|dumpfile|xp_cmdshell)\b/i;
/** What psql shows by a backslash. */
const SHOWS_IN_PSQL = /\\(?:d[a-zA-Z]*\+?|l\+?|x|timing|conninfo|encoding|z|sf|sv)(?=\s|$)[^\\|`\n]*/g;
/** It may read or write files, or start programs, where the server runs. */
const SERVER_FILES =
  /\b(?:copy|lo_(?:ex|im)port|load_extension|load_file|load\s+data|infile|dblink\w*|pg_\w*(?:file|dir)\w*|sys_\w+|plpython\w*|plperl\w*|export|do)\b/i;
/** What the shell of MongoDB can do besides asking a server. */
const SHELL_OF_JS =
  /\b(?:fs|require|import|process|load|cat|cd|run|passwordPrompt|runProgram|writeFile|removeFile|copyFile)\b/;
/** Commands of Redis that leave the server's files alone. */
const REDIS =
  /^(?:get|mget|set|setex|setnx|mset|del|unlink|exists|expire|ttl|pttl|persist|type|keys|scan|incr|incrby|decr|decrby|append|strlen|h\w+|l(?:len|range|push|pop|index|rem|trim|set)|r(?:push|pop)|s(?:add|rem|members|card|ismember|scan)|z\w+|x(?:len|range|add|info|read|revrange)|ping|info|dbsize|monitor|client|slowlog|memory|object|time|select|flushdb|flushall|publish|subscribe|psubscribe|pubsub|randomkey|rename|dump|echo|latency|command|role)$/i;
const FILES = /\b(?:load_extension|writefile|edit|attach|vacuum)\b/i;

/** Statements and dot-commands of a text. */
function statements(text: string): readonly string[] {
  return text
    .split(/;|\n(?=[ \t]*\.)/)
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
    const texts = [...all(...names)];
    if (has("l", "list", "version", "V")) return;
    const { stdin } = scene.call;
    if (texts.length === 0 && stdin.kind !== "none")
      texts.push({ text: stdin.kind === "text" ? stdin.text : undefined });
    const plain = texts.map(({ text }) => text?.replaceAll(SHOWS_IN_PSQL, ""));
    if (plain.some((text) => text === undefined || CLIENT_SIDE.test(text))) scene.unknown("code");
    else if (plain.length === 0 || plain.some((text) => SERVER_FILES.test(text ?? "")))
      scene.unknown("unlisted");
  };
}

export const DATABASES: Table = {
  "sqlite3 sqlite": sqlite,
  "psql pgcli": client(
    "c: command: f:x file:x o:w output:w L:w log-file:w h: host: p: port: U: d: dbname: v: P: F: R:",
    ["c", "command"],
  ),
  "mysql mariadb": client("e: execute: h: P: u: D: tee:w p:: init-command:c", ["e", "execute"]),
  "mongo mongosh": (scene) => {
    const { operands, all } = follow("v | eval: f:x file:x h: host: port: u: p: apiVersion:", scene);
    const texts = all("eval");
    for (const word of operands) if (/\.[cm]?js$/.test(word.text ?? "")) scene.script(word);
    for (const { text } of texts)
      if (text === undefined || SHELL_OF_JS.test(text) || reachesOut(text)) scene.unknown("code");
    const { stdin } = scene.call;
    if (texts.length === 0 && stdin.kind !== "none") scene.unknown("code");
  },
  "redis-cli valkey-cli": (scene) => {
    const { operands, has } = follow(
      "v | + h: p: s: a: u: n: r: i: d: X: t: user: pass: rdb:w functions-rdb:w eval:x cert:r key:r cacert:r cluster!n",
      scene,
    );
    const [verb] = operands;
    const { stdin } = scene.call;
    if (verb === undefined ? stdin.kind !== "none" || has("pipe") : !REDIS.test(verb.text ?? "config"))
      scene.unknown("unlisted");
  },
  duckdb: (scene) => {
    const { operands, all } = follow("v | - = c: s: cmd: init:x f:x separator: nullvalue:", scene);
    const [file, ...given] = operands;
    const texts = [...given, ...all("c", "s", "cmd")];
    if (file !== undefined) scene.read(file);
    for (const { text } of texts)
      for (const [, name] of (text ?? "").matchAll(/'([^']*)'/g))
        if (/[/.*]/.test(name ?? "")) play(/:\/\//.test(name ?? "") ? "u" : "r", literal(name ?? ""), scene);
    if (
      texts.length === 0 ||
      !texts.every(({ text }) => looks(text)) ||
      texts.some(({ text }) => /\bgetenv\b/i.test(text ?? ""))
    )
      scene.unknown("unlisted");
  },
  "xsv qsv": subcommands("", {
    "split partition": "w r | o:w output:w",
    index: "!w r",
    "*": "r | o:w output:w s: select: d: delimiter: n!v no-headers!v l: limit:",
  }),
  "clickhouse cqlsh sqlcmd influx neo4j cypher-shell": "!n v",
  "pg_dump mysqldump pg_dumpall": "v | f:w file:w r:w result-file:w h: p: U: u: d: t: n:",
  "pg_isready mysqladmin createdb dropdb": "v | h: p: U: u:",
};
