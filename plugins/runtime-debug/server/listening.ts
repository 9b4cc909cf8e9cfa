import { SkillError, type OpenServer, type Server, type ServerOptions } from "skillctl";

/**
 * Listens on the first port that can be had. What answers is bound already: nobody can come between.
 * @throws SkillError `ADDRESS_IN_USE` when none can, `USAGE`.
 */
export async function listenOnFirst(
  server: Server,
  ports: readonly number[],
  options: Omit<ServerOptions, "port">,
): Promise<OpenServer> {
  for (const [index, port] of ports.entries()) {
    try {
      return await server.open({ ...options, port });
    } catch (caught) {
      const taken = caught instanceof SkillError && caught.code === "ADDRESS_IN_USE";
      if (!taken || index === ports.length - 1) throw caught;
    }
  }
  throw new SkillError("ADDRESS_IN_USE", "There is no port to try.");
}

/**
 * Listens for a moment on any free port, where nothing answers: whether a host is one of this machine is to be known
 * before anything is written.
 * @throws SkillError `ADDRESS_IN_USE`, `USAGE`
 */
export async function tryListening(
  server: Server,
  options: Omit<ServerOptions, "port" | "routes">,
): Promise<void> {
  const open = await server.open({ ...options, routes: [], port: 0 });
  await open.close();
}
