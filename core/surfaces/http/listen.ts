import type { FastifyInstance } from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import type { NetworkAddress } from "../../ports/environment.ts";
import type { OpenServer } from "../../ports/server.ts";
import type { Connections } from "./connections.ts";
import type { HttpServerOptions } from "./options.ts";

/** Maximum number of addresses in a message: a machine with many containers has hundreds. */
const MOST_TOLD = 8;

export interface ListenOptions extends Pick<HttpServerOptions, "host" | "port"> {
  /** The addresses of this machine, for the error if `host` is not one of them. */
  readonly addresses: () => readonly NetworkAddress[];
}

/**
 * Starts to listen. `localhost` means 127.0.0.1.
 * @throws SkillError `ADDRESS_IN_USE`.
 */
export async function listen(
  app: FastifyInstance,
  connections: Connections,
  { host = "127.0.0.1", port = 0, addresses }: ListenOptions,
  closing: () => void,
): Promise<OpenServer> {
  const address = host === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1");
  try {
    await app.listen({ host: address, port });
  } catch (cause) {
    await app.close();
    throw unopened(cause, address, port, addresses);
  }
  const bound = (app.server.address() as { readonly port: number }).port;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing();
    // Fastify stops accepting after a few turns of the event loop; no connection may be accepted until then.
    app.server.close();
    connections.close();
    await app.close();
  };
  return { url: `http://${reachable(address)}:${bound}`, port: bound, close: () => (closed ??= close()) };
}

/** The address for the URL: loopback if the server listens on all interfaces. */
function reachable(address: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return address.includes(":") ? `[${address}]` : address;
}

function ownAddresses(all: readonly NetworkAddress[]): readonly string[] {
  const further = all.filter(({ loopback }) => !loopback).map(({ address }) => address);
  return ["127.0.0.1", ...further.slice(0, MOST_TOLD)];
}

function unopened(
  cause: unknown,
  address: string,
  port: number,
  addresses: ListenOptions["addresses"],
): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case "EADDRINUSE":
      return new SkillError("ADDRESS_IN_USE", `Port ${port} of ${address} is taken.`, {
        cause,
        hint: "Give another port, or 0 for any free one.",
      });
    case "EACCES":
      return new SkillError("ADDRESS_IN_USE", `Port ${port} of ${address} requires special permissions.`, {
        cause,
        hint: "Give a port above 1023.",
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new SkillError("ADDRESS_IN_USE", `${address} is not an address of this machine.`, {
        cause,
        hint: `This machine has ${ownAddresses(addresses()).join(", ")}.`,
      });
    default:
      return cause;
  }
}
