import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ServerContext } from "@modelcontextprotocol/server";
import { progressTo } from "./progress.ts";

interface Sent {
  readonly progress: number;
  readonly message: string;
}

/** A request whose caller asked for progress or not; `sent` is called with each notification. */
function request(sent: (params: Sent) => unknown, progressToken?: string): Pick<ServerContext, "mcpReq"> {
  const notify = async ({ params }: { readonly params: Sent }): Promise<void> => void (await sent(params));
  const { signal } = new AbortController();
  return { mcpReq: { _meta: { progressToken }, notify, signal } } as unknown as Pick<ServerContext, "mcpReq">;
}

describe("progress of a call", () => {
  test("goes to the log when the caller did not ask for it", async () => {
    const noted: string[] = [];
    const progress = progressTo(
      request(() => assert.fail("nobody asked")),
      (sentence) => noted.push(sentence),
    );
    progress.say("One.");
    await progress.end();
    assert.deepEqual(noted, ["One."]);
  });

  test("is said again while nothing new is", async () => {
    const heard: string[] = [];
    await new Promise<void>((resolve) => {
      const again = ({ progress, message }: Sent): void => {
        heard.push(`${progress} ${message}`);
        if (heard.length === 3) void over.end().then(resolve);
      };
      const over = progressTo(request(again, "t"), () => undefined, 1);
      over.say("Analysing.");
    });
    assert.deepEqual(heard, ["1 Analysing.", "2 Analysing.", "3 Analysing."]);
  });

  test("counts on when the command runs again for the same request", async () => {
    const heard: number[] = [];
    const context = request(({ progress }) => heard.push(progress), "t");
    for (const run of ["first", "second"]) {
      const progress = progressTo(context, () => undefined);
      progress.say(run);
      await progress.end();
      progress.say("nobody hears this");
    }
    assert.deepEqual(heard, [1, 2]);
  });

  test("that cannot be sent is noted, and the call goes on", async () => {
    const noted: string[] = [];
    const refuse = () => Promise.reject(new Error("closed"));
    const progress = progressTo(request(refuse, "t"), (sentence) => noted.push(sentence));
    progress.say("One.");
    await progress.end();
    assert.deepEqual(noted, ["A notification could not be sent: Error: closed"]);
  });
});
