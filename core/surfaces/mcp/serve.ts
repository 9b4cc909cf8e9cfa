import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServedSkills } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { LineTransport, type Pipe } from "./line-transport.ts";
import { TaskTransport } from "./task-transport.ts";
import { skillDocuments } from "./skill-files.ts";
import { faultsTo, serverOf, sharedBy, withinPatience } from "./sdk-server.ts";

/**
 * Serves a host over one connection until its input ends or `signal` is aborted: MCP 2026-07-28, and 2025-11-25 and
 * older for clients that begin with `initialize`. Calls that still run 5 s after the end of the input, or when `signal` is
 * aborted, are aborted and not answered. The host is not closed.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function serveMcp(
  host: Host,
  pipe: Pipe,
  signal: AbortSignal,
  { skills, isCompact = false }: { readonly skills?: ServedSkills; readonly isCompact?: boolean } = {},
): Promise<void> {
  const catalog = host.catalog.served(skills);
  const shared = sharedBy({ host, over: "mcp", catalog, isCompact });
  const connection = { ...shared, session: `mcp-${globalThis.crypto.randomUUID()}` };
  const documents = skillDocuments(catalog, host.ports);
  const onerror = faultsTo(host);
  const lines = new LineTransport(pipe);
  const transport = new TaskTransport(lines, shared.tasks, onerror);
  const served = serveStdio(async ({ era }) => serverOf(connection, await documents, era), {
    transport,
    onerror,
  });
  const stop = (): void => void served.close();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  await lines.closed;
  signal.removeEventListener("abort", stop);
  await withinPatience(Promise.allSettled([...shared.running, shared.tasks.close(), lines.sent()]));
}
