import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Context } from "fresh";
import { csrfToken, isCsrfToken, newCsrfSeed } from "@/server/accounts/csrf_token.ts";
import { provideCsrfToken, requireCsrfToken } from "@/http/csrf.ts";
import type { Config } from "@/server/config/config.ts";
import { readCookie, writeCookie } from "@/http/session_cookies.ts";
import { claimSocketOrRefuse } from "@/http/socket_claim.ts";
import type { State } from "@/http/state.ts";

const appSecret = "a secret of the app";
const seed = newCsrfSeed();
const token = csrfToken(appSecret, seed, "session");

/** A request, by default one of the browser that has the cookie and the session of `token`. */
function context(
  { method = "POST", headers = {} as Record<string, string>, input = {}, session = "session" },
) {
  const url = new URL("http://localhost/admin/settings/team");
  return {
    url,
    req: new Request(url, {
      method,
      headers: { cookie: `rollcall_csrf=${seed}`, origin: url.origin, ...headers },
    }),
    state: {
      appSecret,
      input,
      csrfToken: "",
      config: { appUrl: new URL("http://localhost/") },
      session: { id: session },
    },
    next: () => Promise.resolve(new Response("done")),
  };
}

// The contexts have what the guard uses, and nothing else.
const ask = async (options: Parameters<typeof context>[0]) =>
  await requireCsrfToken(context(options) as never);

describe("the guard against requests of other sites", () => {
  it("takes the token of the page, in a header or in a form", async () => {
    assert.equal((await ask({ headers: { "x-csrf-token": token } })).status, 200);
    assert.equal((await ask({ input: { _token: token } })).status, 200);
  });

  it("refuses a request without a token, or with another session's", async () => {
    await assert.rejects(ask({}), { reason: "csrf_token_missing" });
    const headers = { "x-csrf-token": token };
    await assert.rejects(ask({ headers, session: "another" }), { reason: "csrf_token_mismatch" });
  });

  it("refuses a request that a page of another site sent, whatever token it has", async () => {
    const headers = { "x-csrf-token": token, origin: "http://evil.example" };
    await assert.rejects(ask({ headers }), { status: 403 });
  });

  it("asks for no token where nothing is changed", async () => {
    assert.equal((await ask({ method: "GET" })).status, 200);
  });
});

describe("the token of a page", () => {
  const provide = async (headers: Record<string, string>) => {
    // It has what the token needs of a context, and nothing else.
    const page = context({ method: "GET", headers });
    const response = await provideCsrfToken(page as never);
    return { token: page.state.csrfToken, cookies: response.headers.getSetCookie() };
  };

  it("belongs to the browser's cookie, which is kept", async () => {
    const { token, cookies } = await provide({});
    assert(isCsrfToken(appSecret, token, seed, "session"));
    assert.deepEqual(cookies, []);
  });

  it("comes with a cookie where the browser has none, or one of another form", async () => {
    for (const cookie of ["", "rollcall_csrf=forged"]) {
      const { cookies } = await provide({ cookie });
      assert.equal(cookies.length, 1);
      assert.match(cookies[0], /^rollcall_csrf=(?=.*; HttpOnly).+; SameSite=Lax/);
    }
  });
});

const config = { appUrl: new URL("http://localhost") } as Config;

/** The full name of the cookie "csrf". */
const name = nameOf("csrf");

describe("a cookie of the request", () => {
  const rows: [cookies: string, value: string | undefined][] = [
    [`${name}=v`, "v"],
    [`a=1; ${name}=x=y; b=2`, "x=y"],
    [`${name}=old;${name}=new`, "new"],
    [`${name}=`, ""],
    ["", undefined],
    [`other_${name}=v; ${name}er=v; ${name}`, undefined],
    // Cookies without a name, for which @std/http throws.
    [`=x; ${name}=v`, "v"],
    [`${name}=v;`, "v"],
    [`;;=;${name}=v;=`, "v"],
  ];
  for (const [cookie, value] of rows) {
    it(`is ${JSON.stringify(value)} in "${cookie}"`, () => {
      assert.equal(readCookie(new Headers({ cookie }), config, "csrf"), value);
    });
  }
});

function nameOf(name: string): string {
  const headers = new Headers();
  writeCookie(headers, config, name, "");
  return headers.get("set-cookie")!.split("=")[0];
}

describe("claiming a socket", () => {
  it("is refused for a user who is disabled during the request", async () => {
    const session = { id: "1", user: { id: "a".repeat(32), role: "user", limits: null } };
    let isDisabled = false;
    const askWhile = (happening: () => void) => {
      const state = {
        session,
        visitor: { ...session.user, kind: "user" },
        config: { admitGuests: false },
        accounts: { session: () => Promise.resolve(isDisabled ? null : session) },
        allServers: {
          claimSocket() {
            happening();
            return Promise.resolve("claimed");
          },
        },
      };
      const context = { state, req: new Request("http://localhost/") };
      // It has what the claim uses of a context, and nothing else.
      return claimSocketOrRefuse(context as unknown as Context<State>, "1.2");
    };
    assert.equal(await askWhile(() => {}), null);
    const refusal = await askWhile(() => isDisabled = true);
    assert.equal(refusal?.status, 403);
    assert.equal((await refusal?.json()).reason, "not_signed_in");
  });
});
