import { join } from "node:path";
import { buildState } from "../../adapters/build-state.ts";
import { satisfies } from "../../adapters/engine-range.ts";
import { nodeFiles } from "../../adapters/files.ts";
import { packageFolder } from "../../adapters/package-folder.ts";
import { uncoveredFiles } from "../../adapters/skill-content.ts";
import { checkedPlugin, load } from "../../activator.ts";
import { validateSkills } from "../../validation/validate-skills.ts";
import { VERSION } from "../../version.ts";
import { memoryLog } from "../memory-log.ts";
import { Complaints, type CaseTools, type SkillCase } from "./contract-case.ts";

/** Checks the data of a skill, and that its code matches them. */
export function manifestCases({ skill, open }: CaseTools): readonly SkillCase[] {
  return [
    {
      title: "manifest: skill.json, its schemas, texts and SKILL.md have no fault",
      run: async (warn) => {
        const complaints = new Complaints();
        await using test = await open();
        const faults = await validateSkills([skill], {
          files: nodeFiles,
          coreSchemas: join(packageFolder(), "schemas", "core"),
          version: VERSION,
          accepts: satisfies,
          uncovered: uncoveredFiles,
          buildState,
          neighbours: test.host.catalog.skills,
        });
        for (const { severity, file, pointer, line, sentence, code } of faults) {
          const told = `${line === undefined ? `${file}#${pointer}` : `${file}:${line}`}: ${sentence}`;
          if (severity === "error") complaints.add(told);
          else warn?.(`${told} (${code})`);
        }
        complaints.raise();
      },
    },
    {
      title: "manifest: every name has a handler and every handler a name",
      run: async () => {
        const { commands = {}, routes = {}, rules = {} } = skill.manifest;
        const handled = Object.values(rules).filter((rule) => rule.handler);
        if (Object.keys(commands).length + Object.keys(routes).length + handled.length === 0) return;
        const { Attribution, isUnhandledReport } = await import("../../adapters/attribution.ts");
        const log = memoryLog();
        const attribution = new Attribution(log);
        const code = `the top level of the code of ${skill.manifest.name}`;
        try {
          checkedPlugin(skill, await attribution.run(skill, code, () => load(skill)));
          // Rejections of this turn are reported after it.
          await new Promise(setImmediate);
          const [unhandled] = log.notices.filter(isUnhandledReport);
          if (unhandled !== undefined) throw new Error(unhandled);
        } finally {
          attribution.close();
        }
      },
    },
  ];
}
