import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Claim, Claims } from "../ports/claim.ts";
import { claimBySocketFile } from "./claim-socket-file.ts";
import { listen } from "./claim-socket.ts";

/**
 * Names that are held by listening, on Windows at a named pipe, elsewhere at a socket file in the user's state folder,
 * where no other user gets at it. Whoever connects is hung up on. There are never two holders of a name in a state
 * folder.
 */
export function nodeClaims(stateFolder: string): Claims {
  return {
    claim: async (name) => {
      try {
        const hashed = await hash(`${stateFolder}\0${name}`);
        if (process.platform === "win32") return await claimed(`\\\\.\\pipe\\skillctl-${hashed}`);
        return await claimBySocketFile(hashed, join(stateFolder, "claims"));
      } catch (caught) {
        throw failed(name, caught);
      }
    },
  };
}

async function claimed(address: string): Promise<Claim | undefined> {
  const server = await listen(address);
  return server && { release: () => server.close() };
}

/** Short, because the path of a socket is. */
async function hash(name: string): Promise<string> {
  // On demand: crypto costs every start several milliseconds.
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(name).digest("hex").slice(0, 20);
}

function failed(name: string, cause: unknown): SkillError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new SkillError("CLAIM_FAILED", `It cannot be found out who holds the name ${name} (${code}).`, {
    cause,
    hint: "Look at the limit of open files, and at the rights of the state folder.",
  });
}
