/** Files of a session that another user has put into a shared folder: they are neither shown nor followed. */
import assert from "node:assert/strict";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SkillError } from "skillctl";
import { debugHost, type DebugHost } from "./serving.ts";

const asRoot = { skip: process.getuid?.() !== 0 && "only the superuser can give a file away" };
const SESSION = "login-timeout";
const NAMES = [`svc-debug-log-${SESSION}.ndjson`, `${SESSION}.env`];
const TEXTS = [
  '{"msg":"planted","_seq":1,"_at":1,"_run":"pre-fix"}\n',
  `DEBUG_SERVER_URL=http://127.0.0.1:1/event\nDEBUG_SESSION_ID=${SESSION}\n`,
];

/** A host whose working folder has such files, owned like this. */
async function planted(t: TestContext, owners: { readonly folder: number; readonly files: number }) {
  const host = await debugHost(t);
  const folder = join(host.environment.workingFolder, ".dbg");
  await mkdir(folder);
  for (const [index, name] of NAMES.entries()) {
    await writeFile(join(folder, name), TEXTS[index] ?? "");
    await chown(join(folder, name), owners.files, owners.files);
  }
  await chown(folder, owners.folder, owners.folder);
  return { host, folder };
}

async function refusal(host: DebugHost, command: string, input: object = {}): Promise<SkillError> {
  const answer = host.run({ skill: "runtime-debug", command, input: { session: SESSION, ...input } });
  const caught = await answer.then(
    (told) => assert.fail(JSON.stringify(told)),
    (error: unknown) => error,
  );
  assert.ok(caught instanceof SkillError, String(caught));
  return caught;
}

for (const owners of [
  { folder: 65_534, files: 65_534 },
  { folder: 65_534, files: 0 },
  { folder: 0, files: 65_534 },
]) {
  const whose = Object.entries(owners)
    .filter(([, user]) => user !== 0)
    .map(([what]) => what)
    .join(" and ");
  test(`a .dbg whose ${whose} belong to another user is not read unless it is named`, asRoot, async (t) => {
    const { host, folder } = await planted(t, owners);
    for (const command of ["logs", "doctor"]) {
      const { code, message, hint } = await refusal(host, command);
      assert.deepEqual(
        [code, message, hint],
        [
          "STORAGE_UNSAFE",
          `${folder}, or a file in it, belongs to another user, so it is not read.`,
          `If that is what you want, name it: --outdir ${folder}.`,
        ],
      );
    }
    const input = { session: SESSION, outdir: folder };
    const { text } = (await host.run({ skill: "runtime-debug", command: "logs", input })) as { text: string };
    assert.match(text, /planted/);
  });
}
