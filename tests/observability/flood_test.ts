import assert from "node:assert/strict";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

Deno.test("a stranger fills the log with no more than 60 lines a minute of one kind", async () => {
  await using server = await Rollcall.start();
  const stranger = new HttpVisitor(server.origin);
  await stranger.get("/sign-in");
  const sendings = Array.from(
    { length: 100 },
    (_, number) =>
      stranger.submit("/sign-in", { email: `not an address ${number}`, password: "x" }),
  );
  for (const { status } of await Promise.all(sendings)) assert.equal(status, 422);
  await server.stop();
  assert.equal(server.log.match(/A sign-in was refused .*reason=invalid/g)?.length, 60);
  const leftOut = /log: Lines that say the same were left out count=40 lines="accounts A sign-in/;
  assert.match(server.log, leftOut);
});
