import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Visitor } from "@/server/presence/channels.ts";
import type { Config } from "@/server/config/config.ts";
import { isObserver, liveCount, rememberCounted } from "@/http/counted_view.ts";
import { onlyServer } from "@/server/presence/servers.ts";
import type { State } from "@/http/state.ts";

const config = { appUrl: new URL("http://localhost"), pusher: {} } as Config;
const firstAppUser = { hasCome: false };
const admin: Visitor = { id: "ada", kind: "user", isAdmin: true };

/** What the browser sends after the switch was set. */
function requestAfter(isCounted: boolean): Headers {
  const answer = new Headers();
  rememberCounted(answer, config, isCounted);
  const [cookie] = answer.getSetCookie();
  assert.match(cookie, /; HttpOnly; Max-Age=31536000; SameSite=Lax/);
  return new Headers({ cookie: cookie.split(";")[0] });
}

describe("an observer", () => {
  it("is an admin whose browser remembers not to count them", () => {
    const state = { config, visitor: admin, firstAppUser };
    assert.equal(isObserver(state, requestAfter(false)), true);
    assert.equal(isObserver(state, requestAfter(true)), false);
    assert.equal(isObserver(state, new Headers()), false);
  });

  it("is, once an app has had a user, every admin whose browser does not remember to count them", () => {
    const state = { config, visitor: admin, firstAppUser: { hasCome: true } };
    assert.equal(isObserver(state, new Headers()), true);
    assert.equal(isObserver(state, requestAfter(false)), true);
    assert.equal(isObserver(state, requestAfter(true)), false);
  });

  it("is no one else, and no one on an external Pusher server", () => {
    const headers = requestAfter(false);
    const external = { ...config, pusher: { ...config.pusher, cluster: "eu" } };
    for (const hasCome of [false, true]) {
      const state = { config, visitor: admin, firstAppUser: { hasCome } };
      const user = { ...admin, isAdmin: false };
      assert.equal(isObserver({ ...state, visitor: user }, headers), false);
      assert.equal(isObserver({ ...state, visitor: null }, headers), false);
      assert.equal(isObserver({ ...state, config: external }, headers), false);
    }
  });

  it("is not added to the number in the HTML", () => {
    const state = {
      config,
      visitor: admin,
      pusherApp: { key: "key" },
      counted: [{ recovery: { shown: null } }],
      servers: onlyServer,
      ownApp: {
        presence: {
          counts: () => ({ users: 2, connections: 2 }),
          isMember: (_: string, id: string) => id === "ben",
        },
      },
    };
    const countOf = (isObserver: boolean) =>
      // The count uses nothing else of a state.
      liveCount({ ...state, isObserver } as unknown as State, new URL("http://localhost/"))
        .initialCount;
    assert.deepEqual([countOf(true), countOf(false)], [2, 3]);
  });
});
