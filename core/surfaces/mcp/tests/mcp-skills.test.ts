/** The documents of skills over MCP: a client can list, check and read them, and nothing else of their folders. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { GREETER, writeSkill } from "../../cli/fixture-command-line.ts";
import { SKILLS } from "../../../../contract-tests/harness.ts";
import { ERAS, connectOnce } from "./mcp-harness.ts";

for (const era of ERAS) {
  describe(`the documents of skills in MCP ${era}`, () => {
    let skills: SkillsClient;
    let mark = "";
    const opened = connectOnce(async (folder) => {
      const linked = await writeSkill(folder, "linked");
      await mkdir(join(linked, "references"));
      await symlink(folder, join(linked, "references", "elsewhere"), "junction");
      mark = join(folder, "loaded");
      const code = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(mark)}, "");\n${GREETER}`;
      const bare = await writeSkill(folder, "bare", { code });
      await mkdir(join(bare, "references"));
      await writeFile(join(bare, "references", "more.md"), "More.\n");
      return { era, words: ["--plugin", linked, "--plugin", bare] };
    });
    before(() => void (skills = new SkillsClient(opened.client)));

    test("are served for every hosted skill, with digests, and are read byte for byte", async () => {
      const listed = (await skills.list()).skills;
      const names = listed.map(({ frontmatter }) => frontmatter["name"]);
      assert.deepEqual(names, [...SKILLS.map(({ manifest }) => manifest.name), "bare"].sort());
      for (const { manifest, folder: own } of SKILLS) {
        const skill = listed.find(({ frontmatter }) => frontmatter["name"] === manifest.name);
        assert.ok(skill, manifest.name);
        const file = await skills.read(skill);
        assert.equal(file.text, readFileSync(join(own, "SKILL.md"), "utf8"));
        assert.ok(file.verified);
      }
      const bare = listed.find(({ frontmatter }) => frontmatter["name"] === "bare");
      assert.ok(bare);
      assert.equal((await skills.read(bare, "references/more.md")).text, "More.\n");
    });

    test("are plain resources too", async () => {
      const { contents } = await opened.client.readResource({ uri: "skill://bare/SKILL.md" });
      assert.match(JSON.stringify(contents), /The skill bare\./);
    });

    test("contain no code, manifest or schemas; a skill with a link is left out and reported", async () => {
      for (const path of [
        "bare/plugin.js",
        "bare/skill.json",
        "bare/schemas/greet-input.json",
        "linked/SKILL.md",
      ])
        await assert.rejects(opened.client.readResource({ uri: `skill://${path}` }), { code: -32_602 }, path);
      for (const path of [
        "bare/../linked/SKILL.md",
        "bare/references/../../package.json",
        "bare/%2e%2e/package.json",
      ])
        await assert.rejects(opened.client.readResource({ uri: `skill://${path}` }), path);
      await opened.said(/linked.*elsewhere/);
    });

    test("and the list of tools load no code of a skill; the first call loads it", async () => {
      await opened.client.listTools();
      await skills.list();
      assert.ok(!existsSync(mark));
      const { content } = await opened.client.callTool({ name: "bare_greet", arguments: { name: "Ada" } });
      assert.deepEqual(content, [{ type: "text", text: "Hello Ada" }]);
      assert.ok(existsSync(mark));
    });
  });
}
