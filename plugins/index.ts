import { join } from "node:path";
import type { HostedSkill } from "skillctl/host";
import loginProxy from "../skills/login-proxy/skill.json" with { type: "json" };
import musicAnalysis from "../skills/music-analysis/skill.json" with { type: "json" };
import musicGateway from "../skills/music-gateway/skill.json" with { type: "json" };
import runtimeDebug from "../skills/runtime-debug/skill.json" with { type: "json" };

export type * from "./ports.ts";

type Boxed = Pick<HostedSkill, "load"> & { readonly manifest: unknown };

/** The skills in the box: manifest now, code on demand. A new one is one more line here. */
const BOX: readonly Boxed[] = [
  { manifest: loginProxy, load: () => import("./login-proxy/plugin.ts") },
  { manifest: musicAnalysis, load: () => import("./music-analysis/plugin.ts") },
  { manifest: musicGateway, load: () => import("./music-gateway/plugin.ts") },
  { manifest: runtimeDebug, load: () => import("./runtime-debug/plugin.ts") },
];

/** The skills in the box, ready for a host. `folder` is the package's, absolute. */
export function builtinSkills(folder = join(import.meta.dirname, "..")): readonly HostedSkill[] {
  return BOX.map(({ manifest: given, load }) => {
    // The contract tests hold every manifest in the box against its schema.
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
