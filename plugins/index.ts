import { join } from "node:path";
import type { HostedSkill } from "skillctl/host";
import loginProxy from "../skills/login-proxy/skill.json" with { type: "json" };
import musicAnalysis from "../skills/music-analysis/skill.json" with { type: "json" };
import musicGateway from "../skills/music-gateway/skill.json" with { type: "json" };
import runtimeDebug from "../skills/runtime-debug/skill.json" with { type: "json" };

import type { Contract as LoginProxy } from "./login-proxy/contract.ts";
import type { Contract as MusicAnalysis } from "./music-analysis/contract.ts";
import type { Contract as MusicGateway } from "./music-gateway/contract.ts";
import type { Contract as RuntimeDebug } from "./runtime-debug/contract.ts";

export type * from "./ports.ts";

type Outputs<Commands extends Readonly<Record<keyof Commands, { output: unknown }>>> = {
  [Name in keyof Commands]: Commands[Name]["output"];
};

declare module "skillctl/host" {
  interface SkillOutputs {
    "login-proxy": Outputs<LoginProxy["commands"] & { "": LoginProxy["commands"]["status"] }>;
    "music-analysis": Outputs<MusicAnalysis["commands"] & { "": MusicAnalysis["commands"]["ask"] }>;
    "music-gateway": Outputs<MusicGateway["commands"]>;
    "runtime-debug": Outputs<RuntimeDebug["commands"]>;
  }
}

type Boxed = Pick<HostedSkill, "load"> & { readonly manifest: unknown };

/** The built-in skills: manifests now, code on demand. A new skill only needs one more line here. */
const BOX: readonly Boxed[] = [
  { manifest: loginProxy, load: () => import("./login-proxy/plugin.ts") },
  { manifest: musicAnalysis, load: () => import("./music-analysis/plugin.ts") },
  { manifest: musicGateway, load: () => import("./music-gateway/plugin.ts") },
  { manifest: runtimeDebug, load: () => import("./runtime-debug/plugin.ts") },
];

/** Returns the built-in skills for `createHost`. `folder` is the absolute path of the package, found by default. */
export function builtinSkills(folder = join(import.meta.dirname, "..")): readonly HostedSkill[] {
  return BOX.map(({ manifest: given, load }) => {
    // The contract tests check every built-in manifest against its schema.
    const manifest = given as HostedSkill["manifest"];
    const { name } = manifest;
    return {
      manifest,
      folder: join(folder, "skills", name),
      schemas: join(folder, "schemas", name),
      builtin: true,
      load,
    };
  });
}
