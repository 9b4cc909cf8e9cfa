import type { NetworkAddress } from "skillctl";
import type { DoctorOutput } from "../contract.ts";
import { isBeyondLoopback, isEverywhere, originOf, reachableAddresses } from "../server/network.ts";
import type { ServerRecord } from "../server/server-record.ts";

type Candidate = DoctorOutput["addresses"][number];

/** Docker's own bridge on Linux, unless somebody has moved it. */
const DOCKER_BRIDGE = "172.17.0.1";
const REMOTE = "Start the server with --remote.";

/** Every address of a running server that some program may have to use, with who can, and whether it takes events there. */
export function candidates(
  { host, port, keys, allowHosts }: ServerRecord,
  addresses: readonly NetworkAddress[],
): readonly Candidate[] {
  const key = keys ? `/event?k=${keys.collect}` : "/event";
  const everywhere = isEverywhere(host);
  const onLoopback = everywhere || !isBeyondLoopback(host);
  const answersFor = (name: string): boolean =>
    allowHosts.some((one) => one === name || one === `${name}:${port}`);
  const candidate = (name: string, who: string, listens: boolean, hint?: string): Candidate => ({
    url: originOf(name, port) + key,
    for: who,
    listens,
    ...(hint !== undefined && { hint }),
  });
  const guest = (name: string, who: string, reaches: boolean, hint: string): Candidate => {
    const listens = reaches && answersFor(name);
    return candidate(
      name,
      who,
      listens,
      listens ? hint : `${reaches ? `Start the server with --allow-host ${name}.` : REMOTE} ${hint}`,
    );
  };
  const network = reachableAddresses(addresses).map(({ address, adapter }) => {
    const listens = everywhere || host === address;
    const who = `other machines, phones and virtual machines that reach the adapter ${adapter}`;
    return candidate(address, who, listens, listens ? "A firewall may stop it." : REMOTE);
  });
  const bridge = addresses.some(({ address }) => address === DOCKER_BRIDGE)
    ? []
    : [candidate(DOCKER_BRIDGE, "containers on Docker's default bridge of a Linux machine", false, REMOTE)];
  return [
    candidate(
      isBeyondLoopback(host) ? "127.0.0.1" : host,
      "programs and browsers of this machine, iOS simulators, and Windows when this is WSL",
      onLoopback,
      onLoopback ? undefined : "Start the server without --host.",
    ),
    ...network,
    guest(
      "host.docker.internal",
      "containers of Docker Desktop",
      everywhere || onLoopback,
      "On Linux start the container with --add-host=host.docker.internal:host-gateway, and the server with --remote.",
    ),
    ...bridge,
    guest(
      "10.0.2.2",
      "the Android emulator",
      onLoopback,
      `Or run \`adb reverse tcp:${port} tcp:${port}\`: then 127.0.0.1 works there, and on phones by cable.`,
    ),
  ];
}

/** What to know about machines inside machines. */
export const WSL_NOTE =
  "From WSL to a server on Windows: the address of `ip route show default`, and --remote there; from Windows to one in WSL: 127.0.0.1.";
