import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { requireAdmin } from "@/http/steps.ts";

/** What a request to an admin's page is answered with. */
async function ask(role: string | null, accept = "text/html"): Promise<Response> {
  const url = new URL("http://localhost/admin/users?q=ben");
  const context = {
    url,
    req: new Request(url, { headers: { accept } }),
    state: { session: role === null ? null : { user: { role } } },
    redirect: (location: string, status: number) =>
      new Response(null, { status, headers: { location } }),
    next: () => Promise.resolve(new Response("the page")),
  };
  // The guard uses nothing else of a context.
  return await requireAdmin(context as never);
}

describe("the guard of admins' pages", () => {
  it("lets admins pass", async () => {
    assert.equal(await (await ask("admin")).text(), "the page");
  });

  it("refuses users", async () => {
    await assert.rejects(ask("user"), { status: 403 });
  });

  it("sends people to the sign-in and back, and tells programs", async () => {
    const page = await ask(null);
    assert.equal(page.status, 303);
    assert.match(page.headers.get("location") ?? "", /^\/sign-in\?.*admin%2Fusers/);
    assert.equal((await ask(null, "application/json")).status, 403);
  });
});
