import { userInfo } from "node:os";
import { SkillError } from "../errors/skill-error.ts";
import type { Claim, Claims } from "../ports/claim.ts";
import { claimBySocketFile } from "./claim-socket-file.ts";
import { listen } from "./claim-socket.ts";

/** The longest name of an abstract socket. Shorter ones are padded, because Node 20 fills them up and Node 22 does not. */
const ABSTRACT_BYTES = 108;

/**
 * Names that are held by listening: on Linux at an abstract socket, on Windows at a named pipe, elsewhere at a socket
 * file. Whoever connects is hung up on. Another user can hold a name first, so that nobody has it here; two holders
 * there never are. `folder` is where socket files go; default: a folder of this user in the temporary folder.
 */
export function nodeClaims(platform: NodeJS.Platform = process.platform, folder?: string): Claims {
  return {
    claim: async (name) => {
      try {
        const hashed = await hash(name);
        if (platform === "linux") return await claimed(`\0skillctl-${hashed}`.padEnd(ABSTRACT_BYTES, "."));
        if (platform === "win32") return await claimed(`\\\\.\\pipe\\skillctl-${hashed}`);
        return await claimBySocketFile(hashed, folder);
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

/** Short, because a path of a socket is at most 104 bytes long on some systems. */
async function hash(name: string): Promise<string> {
  // On demand: crypto costs every start several milliseconds.
  const { createHash } = await import("node:crypto");
  const user = process.getuid?.() ?? userInfo().username;
  return createHash("sha256").update(`${user}\0${name}`).digest("hex").slice(0, 20);
}

function failed(name: string, cause: unknown): SkillError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new SkillError("CLAIM_FAILED", `It cannot be found out who holds the name ${name} (${code}).`, {
    cause,
    hint: "Look at the limit of open files, and at the rights and the length of the temporary folder's path.",
  });
}
