import type { NetworkAddress } from "skillctl";
import type { DoctorOutput } from "../contract.ts";
import {
  isBeyondLoopback,
  isEverywhere,
  isVirtual,
  listenedAddresses,
  originOf,
  reachableAddresses,
} from "../server/network.ts";
import { eventUrl, keyIn } from "../server/plan.ts";
import type { ServerRecord } from "../server/server-record.ts";

type Candidate = DoctorOutput["addresses"][number];

const REMOTE = "Start the server with --remote.";
const LOCAL_WHO = "programs and browsers of this machine, iOS simulators, and Windows when this is WSL";

/** Every address of a running server that some program may have to use, with who can, and whether it takes events there. */
export function candidates(record: ServerRecord, addresses: readonly NetworkAddress[]): readonly Candidate[] {
  const { host, port, url } = record;
  const key = keyIn(record.eventUrl);
  const isLocal = isEverywhere(host) || !isBeyondLoopback(host);
  const local: Candidate = isLocal
    ? { url: eventUrl(url, key), for: LOCAL_WHO, listens: true }
    : {
        url: eventUrl(originOf("127.0.0.1", port), key),
        for: LOCAL_WHO,
        listens: false,
        hint: "Start the server without --host.",
      };
  return [local, ...inNetwork(record, addresses), ...forGuests(record)];
}

function inNetwork(
  { host, port, eventUrl: told }: ServerRecord,
  addresses: readonly NetworkAddress[],
): readonly Candidate[] {
  const listened = new Set(listenedAddresses(host, addresses));
  return reachableAddresses(addresses).map((one) => {
    const listens = listened.has(one);
    const whose = isVirtual(one.adapter) ? "containers and virtual machines" : "other machines and phones";
    return {
      url: eventUrl(originOf(one.address, port), keyIn(told)),
      for: `${whose} that reach the adapter ${one.adapter}`,
      listens,
      hint: listens
        ? "A firewall may stop it."
        : one.family === 6
          ? "Start the server with --host :: for addresses of IPv6."
          : REMOTE,
    };
  });
}

/** Names of this machine that only containers and emulators know. */
function forGuests({ host, port, eventUrl: told, allowHosts }: ServerRecord): readonly Candidate[] {
  const reached = isEverywhere(host) || ["127.0.0.1", "localhost"].includes(host);
  const guest = (name: string, who: string, still: string, instead: string): Candidate => {
    const listens = reached && allowHosts.some((one) => one === name || one === `${name}:${port}`);
    return {
      url: eventUrl(originOf(name, port), keyIn(told)),
      for: who,
      listens,
      hint: listens ? still : reached ? instead : REMOTE,
    };
  };
  const cable = `\`adb reverse tcp:${port} tcp:${port}\`: then 127.0.0.1 works there, and on phones by cable.`;
  return [
    guest(
      "host.docker.internal",
      "containers of Docker",
      "On Linux start the container with --add-host=host.docker.internal:host-gateway.",
      `${REMOTE} For Docker Desktop --allow-host host.docker.internal is enough.`,
    ),
    guest("host.containers.internal", "containers of Podman", "A firewall may stop it.", REMOTE),
    guest(
      "10.0.2.2",
      "the Android emulator",
      `Or run ${cable}`,
      `Start the server with --allow-host 10.0.2.2, or run ${cable}`,
    ),
  ];
}

/** What to know about machines inside machines. */
export const WSL_NOTE =
  "From WSL to a server on Windows: the address of `ip route show default`, and --remote there; from Windows to one in WSL: 127.0.0.1.";
