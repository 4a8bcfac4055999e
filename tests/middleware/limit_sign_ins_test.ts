import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { limitSignIns } from "../../middleware/limit_sign_ins.ts";

/** How many one client may have under way. */
const most = 12;

/** Sends a form to a path, which is answered when `answered` resolves. */
async function send(path: string, answered: Promise<unknown>, client = "192.0.2.1") {
  const url = new URL(`http://localhost${path}`);
  const context = {
    url,
    req: new Request(url, { method: "POST" }),
    state: { clientAddress: client },
    next: () => answered.then(() => new Response("done")),
  };
  // The limit uses nothing else of a context.
  return await limitSignIns(context as never);
}

describe("the limit of forms whose password is hashed", () => {
  for (const path of ["/sign-in", "/setup", "/invite/token", "/reset-password/token"]) {
    it(`refuses a client's further ones to ${path} while many are under way`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const under = Array.from({ length: most }, () => send(path, promise));
      const refused = await send(path, promise);
      assert.equal(refused.status, 503);
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      const other = send(path, promise, "192.0.2.2");
      resolve();
      const answers = await Promise.all([...under, other]);
      for (const { status } of answers) assert.equal(status, 200);
    });
  }

  it("does not hold other forms up", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const under = Array.from({ length: most }, () => send("/sign-in", promise));
    assert.equal((await send("/account/name", Promise.resolve())).status, 200);
    resolve();
    await Promise.all(under);
  });
});
