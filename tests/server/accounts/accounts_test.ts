import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { PasswordWork, type WorkCause } from "@/server/accounts/passwords.ts";
import { BusyError } from "@/server/net/window_limits.ts";
import { csrfToken, isCsrfSeed, isCsrfToken, newCsrfSeed } from "@/server/accounts/csrf_token.ts";
import { guestCookie, newGuest, readGuestCookie } from "@/server/accounts/guest.ts";
import { SessionWatch } from "@/server/accounts/sessions.ts";
import { searchUsers } from "@/server/accounts/users.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

/** Work that a test ends. */
function startedWork(work: PasswordWork, client: string, cause?: WorkCause) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const state = { hasStarted: false, end: resolve, fail: reject };
  const outcome = work.run(client, () => {
    state.hasStarted = true;
    return promise;
  }, cause);
  outcome.catch(() => {});
  return Object.assign(state, { outcome });
}

describe("the work of passwords", () => {
  it("runs at its limit, and the rest in the order in which it came", async () => {
    const work = new PasswordWork({ maxRunning: 2 });
    const all = ["a", "b", "c", "d"].map((client) => startedWork(work, client));
    const started = () => all.map(({ hasStarted }) => hasStarted);
    assert.deepEqual(started(), [true, true, false, false]);
    all[1].end();
    await all[1].outcome;
    assert.deepEqual(started(), [true, true, true, false]);
    all[0].fail(new Error("of the database"));
    await assert.rejects(all[0].outcome, /of the database/);
    assert.deepEqual(started(), [true, true, true, true]);
    all[2].end();
    all[3].end();
    await Promise.all([all[2].outcome, all[3].outcome]);
    const next = startedWork(work, "a");
    assert(next.hasStarted);
    next.end();
    await next.outcome;
  });

  it("is refused as busy beyond 12 of a client, and other clients' work is not", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const all = Array.from({ length: 12 }, () => startedWork(work, "a"));
    await assert.rejects(startedWork(work, "a").outcome, BusyError);
    all.push(startedWork(work, "b"));
    for (const { end } of all) end();
    await Promise.all(all.map(({ outcome }) => outcome));
  });

  it("is refused as busy beyond 32 that run and wait, of however many clients", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const all = Array.from({ length: 32 }, (_, index) => startedWork(work, `client ${index}`));
    const refused = startedWork(work, "another");
    await assert.rejects(
      refused.outcome,
      (error) => error instanceof BusyError && error.retryAfterSeconds === 5,
    );
    assert(!refused.hasStarted);
    for (const { end } of all) end();
    await Promise.all(all.map(({ outcome }) => outcome));
  });

  it("has room of its own for each cause, and one place for a user's own change", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const all = Array.from({ length: 32 }, (_, index) => startedWork(work, `client ${index}`));
    all.push(startedWork(work, "ada", "known_device"), startedWork(work, "ada", "admin"));
    for (let n = 0; n < 6; n++) all.push(startedWork(work, `user ${n}`, "own_change"));
    await assert.rejects(startedWork(work, "user 0", "own_change").outcome, BusyError);
    await assert.rejects(startedWork(work, "user 6", "own_change").outcome, BusyError);
    for (const { end } of all) end();
    await Promise.all(all.map(({ outcome }) => outcome));
  });

  it("gives each cause its turn, whatever waits of another", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const strangers = Array.from({ length: 9 }, (_, n) => startedWork(work, `client ${n}`));
    const known = startedWork(work, "ada", "known_device");
    const change = startedWork(work, "ben", "own_change");
    for (const next of [strangers[0], known, strangers[1], change]) {
      assert(next.hasStarted);
      next.end();
      await next.outcome;
    }
    for (const { end } of strangers) end();
    await Promise.all(strangers.map(({ outcome }) => outcome));
  });
});

const secret = "a secret of the app";

describe("the CSRF token", () => {
  it("is accepted from the browser and the session that it was made for", () => {
    const seed = newCsrfSeed();
    for (const session of [null, "session1"]) {
      assert(isCsrfToken(secret, csrfToken(secret, seed, session), seed, session));
    }
  });

  it("is another for every page, and any page's is valid, so that several tabs work", () => {
    const seed = newCsrfSeed();
    const tokens = Array.from({ length: 50 }, () => csrfToken(secret, seed, "session1"));
    assert.equal(new Set(tokens).size, 50);
    for (const token of tokens) assert(isCsrfToken(secret, token, seed, "session1"));
  });

  it("shares no part with another, so that the size of a compressed page does not show it", () => {
    const seed = newCsrfSeed();
    const [one, other] = [1, 2].map(() => csrfToken(secret, seed, "session1"));
    for (let at = 0; at + 8 <= one.length; at++) {
      assert(!other.includes(one.slice(at, at + 8)), `${one} and ${other}`);
    }
  });

  it("is refused from another browser, session or installation", () => {
    const seed = newCsrfSeed();
    const token = csrfToken(secret, seed, "session1");
    assert(!isCsrfToken(secret, token, newCsrfSeed(), "session1"));
    assert(!isCsrfToken(secret, token, seed, "session2"));
    assert(!isCsrfToken(secret, token, seed, null));
    assert(!isCsrfToken("another secret", token, seed, "session1"));
    assert(!isCsrfToken(secret, csrfToken(secret, seed, null), seed, "session1"));
  });

  it("is refused when missing, changed or truncated, and without the cookie", () => {
    const seed = newCsrfSeed();
    const token = csrfToken(secret, seed, null);
    const changed = [0, 42, 43, 84, 85].map((at) =>
      token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
    );
    for (const wrong of [null, undefined, "", token.slice(0, -1), ...changed]) {
      assert(!isCsrfToken(secret, wrong, seed, null));
    }
    for (const more of ["A", "=", " ", "AAAA", "!"]) {
      assert(!isCsrfToken(secret, token + more, seed, null));
    }
    assert(!isCsrfToken(secret, token, undefined, null));
  });

  it("is refused with a cookie that has not the form of a seed", () => {
    assert(isCsrfSeed(newCsrfSeed()));
    for (const seed of [undefined, "", "x", `${newCsrfSeed()}x`, "<".repeat(32)]) {
      assert(!isCsrfSeed(seed));
      assert(!isCsrfToken(secret, csrfToken(secret, seed ?? "", null), seed, null));
    }
  });
});

describe("a guest's cookie", () => {
  it("identifies the guest that it was made for", () => {
    const guest = newGuest();
    assert.match(guest.id, /^guest-[0-9a-f]{32}$/);
    assert.deepEqual(readGuestCookie(secret, guestCookie(secret, guest)), guest);
  });

  it("has another id for each new guest", () => {
    assert.notEqual(newGuest().id, newGuest().id);
  });

  it("is refused under another secret, and with a signature for another purpose", () => {
    const guest = newGuest();
    assert.equal(readGuestCookie("another secret", guestCookie(secret, guest)), null);
    const borrowed = `${guest.id}.${csrfToken(secret, guest.id, null)}`;
    assert.equal(readGuestCookie(secret, borrowed), null);
  });

  it("is refused when missing, truncated, or with another guest's signature", () => {
    const [one, another] = [newGuest(), newGuest()];
    const [, signature] = guestCookie(secret, another).split(".");
    for (const wrong of [undefined, "", one.id, `${one.id}.`, `${one.id}.${signature}`]) {
      assert.equal(readGuestCookie(secret, wrong), null);
    }
  });

  it("is refused for an id that no guest has, with a valid signature too", () => {
    for (const id of ["", "admin", "a".repeat(32), `guest-${"A".repeat(32)}`, "guest-1"]) {
      assert.equal(readGuestCookie(secret, guestCookie(secret, { id })), null);
    }
  });

  it("is refused when any of its characters is changed", () => {
    const cookie = guestCookie(secret, newGuest());
    fc.assert(fc.property(
      fc.nat(cookie.length - 1),
      fc.string({ minLength: 1, maxLength: 1 }),
      (index, character) => {
        const changed = cookie.slice(0, index) + character + cookie.slice(index + 1);
        fc.pre(changed !== cookie);
        assert.equal(readGuestCookie(secret, changed), null);
      },
    ));
  });
});

describe("the watch of sessions", () => {
  it("closes connections of a session that ended elsewhere, at the next try after a failure", async () => {
    const clock = new ManualClock();
    const open = new Set(["going", "over"]);
    const closed: string[] = [];
    const failures: unknown[] = [];
    let isAway = true;
    const watch = new SessionWatch(
      partOf({
        endedSessions(ids) {
          if (isAway) return Promise.reject(new Error("the database is away"));
          return Promise.resolve(ids.filter((id) => id === "over"));
        },
      }),
      () =>
        partOf({
          connections: partOf({
            sessionIds: () => new Set(open),
            closeSession(id, options) {
              closed.push(`${id} ${options?.code} ${options?.cause}`);
              return Number(open.delete(id));
            },
          }),
        }),
      (error) => failures.push(error),
      clock,
    );
    const look = async () => {
      clock.advance(2_500);
      await until(() => clock.timers > 0, "the next look was set");
    };
    await look();
    assert.deepEqual([closed.length, failures.length], [0, 1]);
    isAway = false;
    await look();
    assert.deepEqual(closed, [], "an action that ends a session closes its connections itself");
    await look();
    assert.deepEqual(closed, ["over 4200 signed_out"]);
    await watch.stop();
    assert.equal(clock.timers, 0);
  });

  it("does not look again when it was stopped during a look", async () => {
    const clock = new ManualClock();
    const looks: (() => void)[] = [];
    const watch = new SessionWatch(
      partOf({
        endedSessions: () => new Promise((resolve) => looks.push(() => resolve([]))),
      }),
      () =>
        partOf({
          connections: partOf({ sessionIds: () => new Set(), closeSession: () => 0 }),
        }),
      (error) => assert.fail(String(error)),
      clock,
    );
    clock.advance(2_500);
    const stopped = watch.stop();
    assert.equal(looks.length, 1);
    looks[0]();
    await stopped;
    assert.equal(clock.timers, 0);
  });
});

function user(name: string, email = `${name.toLowerCase()}@example.org`) {
  const id = "0".repeat(32);
  return {
    id,
    name,
    email,
    role: "user" as const,
    limits: null,
    disabled: false,
    language: null,
    createdAt: new Date(0),
  };
}

const people = [user("Ada"), user("Ünal", "unal@example.org"), user("Ben", "b@elsewhere.example")];

describe("the search for users", () => {
  const names = (query: string | null, page: string | null = null) =>
    searchUsers(people, { query, page }).users.map(({ name }) => name);

  it("matches a part of the name or email, in any case", () => {
    assert.deepEqual(names("AD"), ["Ada"]);
    assert.deepEqual(names("üN"), ["Ünal"]);
    assert.deepEqual(names("ELSEWHERE"), ["Ben"]);
    assert.deepEqual(names("example.org"), ["Ada", "Ünal"]);
    assert.deepEqual(names(" "), ["Ada", "Ünal", "Ben"]);
    assert.deepEqual(names(null), ["Ada", "Ünal", "Ben"]);
    assert.deepEqual(names("[.*"), []);
  });

  it("has pages of 50, and the nearest for a page that does not exist", () => {
    const many = Array.from({ length: 120 }, (_, index) => user(`Person ${index}`));
    const pages = (page: string | null) => {
      const { users, page: number, pages, found, total } = searchUsers(many, { query: "", page });
      assert.deepEqual([pages, found, total], [3, 120, 120]);
      return [number, users.length, users[0].name];
    };
    assert.deepEqual(pages(null), [1, 50, "Person 0"]);
    assert.deepEqual(pages("2"), [2, 50, "Person 50"]);
    assert.deepEqual(pages("3"), [3, 20, "Person 100"]);
    for (const page of ["9", "1e99", "Infinity"]) {
      assert.deepEqual(pages(page), [3, 20, "Person 100"]);
    }
    for (const page of ["0", "-1", "x", "", "NaN", "0.5"]) {
      assert.deepEqual(pages(page), [1, 50, "Person 0"]);
    }
    assert.deepEqual(searchUsers([], { query: "x".repeat(999), page: "1" }), {
      users: [],
      found: 0,
      total: 0,
      page: 1,
      pages: 1,
      query: "x".repeat(100),
    });
  });
});
