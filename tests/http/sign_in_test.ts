import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import fc from "fast-check";
import { newDevice } from "@/server/accounts/sign_in.ts";
import { BusyError } from "@/server/net/window_limits.ts";
import { limitSignIns, refuseFullSignIns } from "@/http/steps.ts";
import { neededPermission, requirePermission } from "@/http/route_permissions.ts";
import type { State } from "@/http/state.ts";
import { guestCookie, newGuest } from "@/server/accounts/guest.ts";
import { resolveVisitor } from "@/http/visitor.ts";
import { type Reader, roles } from "@/shared/permissions.ts";
import { returnPath } from "@/http/session_cookies.ts";

/** How many one client may have under way, and how many all may. */
const [most, mostOfAll] = [12, 30];

const appSecret = "a secret of the tests";
const config = { appUrl: new URL("http://localhost/"), trustedProxies: [] };

interface Sent {
  client?: string;
  email?: string;
  device?: string;
}

/** Sends a form to a route, which is answered when `answered` resolves. */
async function send(
  route: string,
  answered: Promise<unknown>,
  { client = "192.0.2.1", email, device }: Sent = {},
): Promise<number> {
  const headers = device ? { cookie: `rollcall_device=${device}` } : undefined;
  const context = {
    route,
    req: new Request("http://localhost/", { method: "POST", headers }),
    state: { clientAddress: client, appSecret, config, input: { email } },
    next: () => answered.then(() => new Response("done")),
  };
  try {
    // The limit uses nothing else of a context.
    return (await limitSignIns(context as never)).status;
  } catch (error) {
    assert.ok(error instanceof BusyError && error.retryAfterSeconds > 0, String(error));
    return 503;
  }
}

describe("the limit of forms whose password is hashed", () => {
  for (const route of ["/sign-in", "/setup", "/invite/:token", "/reset-password/:token"]) {
    it(`refuses a client's further ones to ${route} while many are under way`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const under = Array.from({ length: most }, () => send(route, promise));
      assert.equal(await send(route, promise), 503);
      const other = send(route, promise, { client: "192.0.2.2" });
      resolve();
      assert.deepEqual(new Set(await Promise.all([...under, other])), new Set([200]));
    });
  }

  it("leaves places to browsers that have signed in to the account before", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const under = Array.from(
      { length: mostOfAll },
      (_, n) => send("/sign-in", promise, { client: `192.0.2.${n}` }),
    );
    const email = "ada@example.com";
    const device = newDevice(appSecret, email);
    const from = { client: "198.51.100.1", email };
    assert.equal(await send("/sign-in", promise, from), 503);
    const foreign = newDevice(appSecret, "eve@example.com");
    assert.equal(await send("/sign-in", promise, { ...from, device: foreign }), 503);
    const known = send("/sign-in", promise, { ...from, email: " Ada@Example.com", device });
    resolve();
    assert.equal(await known, 200);
    await Promise.all(under);
  });

  it("does not hold other forms up", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const under = Array.from({ length: most }, () => send("/sign-in", promise));
    assert.equal(await send("/account/name", Promise.resolve()), 200);
    resolve();
    await Promise.all(under);
  });

  it("takes a path with a slash at the end for the same", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ask = new App<State>()
      .use((ctx) => {
        Object.assign(ctx.state, { clientAddress: "192.0.2.1", appSecret, config, input: {} });
        return ctx.next();
      })
      .use((ctx) => ctx.next().catch(() => new Response("busy", { status: 503 })))
      .use(limitSignIns)
      .post("/sign-in", () => promise.then(() => new Response("done")))
      .handler();
    const post = () => ask(new Request("http://localhost/sign-in/", { method: "POST" }));
    const under = Array.from({ length: most }, post);
    assert.equal((await post()).status, 503);
    resolve();
    for (const { status } of await Promise.all(under)) assert.equal(status, 200);
  });

  it("refuses unknown browsers early only while all places are taken", async () => {
    const early = refuseFullSignIns({ config } as never);
    const ask = async (client: string, cookie = "") => {
      const req = new Request("http://localhost/", { method: "POST", headers: { cookie } });
      const state = { clientAddress: client };
      const next = () => Promise.resolve(new Response("passed"));
      return (await early({ route: "/sign-in", req, state, next } as never)).status;
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    assert.equal(await ask("192.0.2.1"), 200);
    const under = Array.from({ length: most }, () => send("/sign-in", promise));
    assert.equal(await ask("192.0.2.1"), 503);
    assert.equal(await ask("192.0.2.2"), 200);
    assert.equal(
      await ask("192.0.2.1", "rollcall_device=any"),
      200,
      "its account is not known yet",
    );
    resolve();
    await Promise.all(under);
    assert.equal(await ask("192.0.2.1"), 200);
  });
});

/** What a request to an admin's page is answered with. */
async function ask(
  role: string | null,
  { accept = "text/html", method = "GET", route = "/admin/settings/team" as string | null } = {},
): Promise<Response> {
  const url = new URL("http://localhost/admin/settings/team?q=ben");
  const context = {
    url,
    req: new Request(url, { method, headers: { accept } }),
    route,
    state: { session: role === null ? null : { user: { role } } },
    redirect: (location: string, status: number) =>
      new Response(null, { status, headers: { location } }),
    next: () => Promise.resolve(new Response("the page")),
  };
  // The guard uses nothing else of a context.
  return await requirePermission(context as never);
}

describe("the guard of admins' pages", () => {
  it("lets admins pass", async () => {
    assert.equal(await (await ask("admin")).text(), "the page");
  });

  it("refuses users, viewers and moderators", async () => {
    for (const role of ["user", "viewer", "moderator"]) {
      await assert.rejects(ask(role), { status: 403 }, role);
    }
  });

  it("lets each role pass where a route is listed for it, and no role before it", async () => {
    const message = { method: "POST", route: "/admin/messages" };
    for (const route of ["/admin/online", "/admin/people/:id"]) {
      for (const role of ["viewer", "moderator", "admin"]) {
        for (const method of ["GET", "HEAD"]) {
          assert.equal(
            (await ask(role, { route, method })).status,
            200,
            `${role} ${method} ${route}`,
          );
        }
      }
      await assert.rejects(ask("user", { route }), { status: 403 });
    }
    for (const role of ["moderator", "admin"]) {
      assert.equal((await ask(role, message)).status, 200, role);
    }
    for (const role of ["user", "viewer"]) {
      await assert.rejects(ask(role, message), { status: 403 });
    }
  });

  it("lets only admins pass where a route is not listed, or there is none", async () => {
    for (const route of ["/admin/new", "/admin/online/new", null]) {
      assert.equal(neededPermission("GET", route), "manage");
      await assert.rejects(ask("moderator", { route }), { status: 403 });
    }
    // Another method than the listed one.
    await assert.rejects(ask("viewer", { route: "/admin/online", method: "POST" }), {
      status: 403,
    });
  });

  it("sends people to the sign-in and back, and tells programs", async () => {
    const page = await ask(null);
    assert.equal(page.status, 303);
    assert.match(page.headers.get("location") ?? "", /^\/sign-in\?.*admin%2Fsettings%2Fteam/);
    assert.equal((await ask(null, { accept: "application/json" })).status, 403);
  });
});

const signingSecret = "a secret of the app";
const guest = newGuest();

/** Who sends a request with a guest's cookie, of an installation with these properties. */
function resolve(
  { admitGuests = true, isBlocked = false, user = null as Reader & { id: string } | null },
) {
  const config = { admitGuests, appUrl: new URL("http://localhost/") };
  const row = isBlocked ? { guestId: guest.id } : undefined;
  const query = { select: () => query, where: () => query, executeTakeFirst: () => row };
  // It has what finding the visitor uses of a state, and nothing else.
  const state = {
    appSecret: signingSecret,
    config,
    accounts: { session: () => Promise.resolve(user && { id: "session", user }) },
    database: { queries: { selectFrom: () => query } },
  } as unknown as State;
  return resolveVisitor(
    state,
    new Headers({ cookie: `rollcall_guest=${guestCookie(signingSecret, guest)}` }),
  );
}

describe("the visitor of a request", () => {
  it("is the guest of its cookie where guests are admitted", async () => {
    const { visitor } = await resolve({});
    assert.deepEqual(visitor, { id: guest.id, kind: "guest", role: null, limits: null });
  });

  it("is absent once guests are no longer admitted, with or without an old cookie", async () => {
    assert.deepEqual(await resolve({ admitGuests: false }), {
      session: null,
      visitor: null,
      isBlocked: false,
    });
  });

  it("is absent while the guest is blocked", async () => {
    const { visitor, isBlocked } = await resolve({ isBlocked: true });
    assert.deepEqual([visitor, isBlocked], [null, true]);
  });

  it("is the signed-in user, also with the cookie of a blocked guest", async () => {
    for (const role of roles) {
      const user = { id: "ada", role, limits: [{ app: "shop", channel: null }] };
      const { visitor, isBlocked } = await resolve({ user, isBlocked: true });
      assert.deepEqual(visitor, { ...user, kind: "user" });
      assert.equal(isBlocked, false);
    }
  });
});

describe("the path that sign-in redirects to", () => {
  it("is one of this app, with its query", () => {
    assert.equal(returnPath("/admin/settings/team?page=2#end"), "/admin/settings/team?page=2");
  });

  for (
    const asked of ["/\\evil.example", "//evil.example", "/\t/evil.example", "/.//evil.example"]
  ) {
    it(`is the home page instead of ${JSON.stringify(asked)}`, () => {
      assert.equal(returnPath(asked), "/");
    });
  }

  it("stays on this host in browsers, whatever was asked for", async () => {
    const app = new App().get(
      "/",
      (ctx) => ctx.redirect(returnPath(ctx.url.searchParams.get("to"))),
    );
    const handler = app.handler();
    const parts = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "\t",
      "\n",
      "@",
      ":",
      "?",
      "#",
      "evil.example",
    );
    await fc.assert(fc.asyncProperty(fc.array(parts), async (asked) => {
      const query = new URLSearchParams({ to: `/${asked.join("")}` });
      const response = await handler(new Request(`http://a.example/?${query}`));
      const location = response.headers.get("location")!;
      assert.equal(new URL(location, "http://a.example").host, "a.example", location);
    }));
  });
});
