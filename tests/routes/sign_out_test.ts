import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { handler } from "@/routes/sign-out.ts";

describe("signing out", () => {
  it("ends the session, then closes the connections of its tabs at once, and clears the cookie", async () => {
    const done: string[] = [];
    const state = {
      session: { id: "session" },
      accounts: {
        signOut: () => {
          done.push("ended");
          return Promise.resolve(["session=; Max-Age=0"]);
        },
      },
      allServers: {
        closeSession: (id: string, { code }: { code: number }) => done.push(`closed ${id} ${code}`),
      },
    };
    const redirect = (path: string, status: number) =>
      new Response(null, { status, headers: { location: path } });
    const req = new Request("http://localhost/sign-out", { method: "POST" });
    // The context has what the route uses, and nothing else.
    const response = await handler.POST!({ state, req, redirect } as never) as Response;
    assert.deepEqual(done, ["ended", "closed session 4200"]);
    assert.deepEqual([response.status, response.headers.getSetCookie()], [303, [
      "session=; Max-Age=0",
    ]]);
  });
});
