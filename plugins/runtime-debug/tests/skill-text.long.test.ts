/** The examples of the skill's text, run as the session that they describe. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, test } from "node:test";
import { withoutRules } from "../../../core/skill-document.ts";
import { BUILT } from "../../../contract-tests/command-line.ts";
import { lastly, scratch } from "./server-harness.ts";
import { needs } from "./faults/needs.ts";
import { ROOT } from "../../../contract-tests/harness.ts";

const WHOLE = await readFile(join(ROOT, "skills", "runtime-debug", "SKILL.md"), "utf8");
/** Rules name commands, but are not examples. */
const TEXT = withoutRules(WHOLE);
/** A placeholder that the reader replaces. */
const PLACEHOLDER = /\b(?:SESSION|ID|FILE|LETTER|NAME|JSON)\b/;

/** The blocks of a language, in order. */
function blocks(language: string): readonly string[] {
  return [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
}

/** Whole commands within sentences. */
function inline(): readonly string[] {
  const commands = [...TEXT.matchAll(/`(skillctl run runtime-debug [^`]+)`/g)].map(([, text = ""]) => text);
  return commands.filter((text) => !PLACEHOLDER.test(text));
}

describe("the text of the skill runtime-debug", () => {
  test("has at most 8 KB with its rules, and each file that it names exists", async () => {
    assert.ok(Buffer.byteLength(WHOLE) <= 8 * 1024, `${Buffer.byteLength(WHOLE)} bytes`);
    const links = [...TEXT.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => link);
    assert.ok(links.length > 0);
    for (const link of links) {
      const text = await readFile(join(ROOT, "skills", "runtime-debug", link), "utf8");
      assert.doesNotMatch(text, /\]\((?!https?:)[^)#]+\.md/, `${link} is one level deep`);
    }
  });

  test(
    "describes a session that can be followed word for word",
    { skip: needs("linux", "git", "sed") },
    async (t) => {
      const place = await scratch(t);
      const [folder, home, bin] = ["project", "home", "bin"].map((name) => join(place, name)) as [
        string,
        string,
        string,
      ];
      for (const one of [folder, home, bin]) await mkdir(one);
      await symlink(process.execPath, join(bin, "node"));
      await writeFile(join(bin, "skillctl"), `#!/bin/sh\nexec node "${BUILT.join('" "')}" "$@"\n`);
      await chmod(join(bin, "skillctl"), 0o755);
      const env = {
        PATH: `${bin}${delimiter}${process.env["PATH"]}`,
        HOME: home,
        GIT_CONFIG_NOSYSTEM: "1",
        SKILLCTL_STATE: join(home, "state"),
      };
      // If a step has failed, this cleanup ends the server.
      lastly(
        t,
        async () =>
          void spawnSync(
            "sh",
            ["-c", "skillctl run runtime-debug answer D; skillctl run runtime-debug cleanup"],
            { cwd: folder, env },
          ),
      );
      const shell = (script: string): string => {
        const { status, stdout, stderr } = spawnSync("sh", ["-e"], {
          cwd: folder,
          env,
          input: script,
          encoding: "utf8",
        });
        assert.equal(status, 0, `${script}${stdout}${stderr}`);
        return stdout;
      };
      const [program = ""] = blocks("js");
      await writeFile(join(folder, "cart.js"), program);
      const identity = "git -c user.name=Test -c user.email=test@example.com";
      shell(`git init --quiet\ngit add .\n${identity} commit --quiet --message x`);

      const asides = blocks("sh").filter((block) => PLACEHOLDER.test(block));
      const session = blocks("sh").filter((block) => !PLACEHOLDER.test(block));
      assert.equal(session.length, 4);
      for (const block of session) {
        // They may send events, which would change the numbers of those that are judged.
        if (block.includes(" answer "))
          for (const aside of asides) shell(aside.replaceAll("SESSION", "cart-total-wrong"));
        shell(block);
      }
      for (const command of inline()) shell(command);

      const mended = program.replace("item.price + item.quantity", "item.price * item.quantity");
      assert.equal(await readFile(join(folder, "cart.js"), "utf8"), mended);
      assert.equal(shell("git status --porcelain --ignored"), " M cart.js\n");
      assert.match(
        await readFile(join(place, "cart-total-wrong.md"), "utf8"),
        /Price and quantity are added/,
      );
    },
  );
});
