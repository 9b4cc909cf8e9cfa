/** Every route over a real server: each example in, a documented reply out; derived wrong requests are problems. */
import { contractTests, type TestHost } from "skillctl/testing";
import { SKILLS } from "./house.ts";

await contractTests({ skills: SKILLS, kinds: ["routes"], prepare: openSession });

/** The routes of runtime-debug answer while a session is served. */
async function openSession(test: TestHost): Promise<() => Promise<unknown>> {
  const stop = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = test.run({
      skill: "runtime-debug",
      command: "serve",
      surface: "cli",
      input: { session: "login-timeout", port: 0 },
      signal: stop.signal,
      announce: () => resolve(),
    });
    ended.catch(reject);
  });
  return () => {
    stop.abort();
    return ended;
  };
}
