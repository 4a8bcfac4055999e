import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Accounts } from "@/server/accounts/accounts.ts";
import { PasswordWork } from "@/server/accounts/passwords.ts";
import { BusyError } from "@/server/net/window_limits.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { addUser, describeOnEachEngine, password, reasonOf, signIn, type Store } from "./stores.ts";

const attemptsOfPeer = 10;
const attemptsOnAccount = 30;

const attemptsFromKnownPeer = 60;
const attemptsOfDevice = 30;

/** Signs in as `name` from `peer` with a wrong password. */
async function guess(
  accounts: Accounts,
  name: string,
  peer: string,
  device?: string,
): Promise<string> {
  const input = { email: `${name}@example.org`, password: "wrong password" };
  return reasonOf(await accounts.signIn(input, peer, device));
}

/** Signs in with the right password; returns the browser's device cookie. */
async function deviceOf(
  accounts: Accounts,
  name: string,
  peer: string,
  device?: string,
): Promise<string> {
  const input = { email: `${name}@example.org`, password };
  const result = await accounts.signIn(input, peer, device);
  assert(result.ok, JSON.stringify(result));
  return result.device;
}

/** Uses all attempts of a peer, without the time that ten password checks take. */
async function exhaust(store: Store, accounts: Accounts, peer: string): Promise<void> {
  assert.equal(await guess(accounts, "unknown", peer), "wrong_credentials");
  await store.query(`update "rateLimit" set "count" = ${attemptsOfPeer}`);
}

describeOnEachEngine("the limit of sign-ins of a peer", (store) => {
  it("refuses the 11th attempt in a minute, the right password too, with the seconds to wait", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    for (let i = 0; i < attemptsOfPeer; i++) {
      assert.equal(await guess(accounts, `unknown${i}`, "192.0.2.1"), "wrong_credentials");
    }
    const result = await accounts.signIn({ email: "ada@example.org", password }, "192.0.2.1");
    assert(!result.ok && result.reason === "rate_limited");
    assert(result.retryAfterSeconds >= 1 && result.retryAfterSeconds <= 60);
  });

  it("states how many attempts are left, down to none, and again all after a minute", async () => {
    const accounts = await store.open();
    const left = async (device?: string) => {
      const input = { email: "ada@example.org", password: "wrong password" };
      const result = await accounts.signIn(input, "192.0.2.1", device);
      assert(!result.ok && result.reason === "wrong_credentials");
      return result.attemptsLeft;
    };
    await addUser(accounts, "ada");
    const device = await deviceOf(accounts, "ada", "192.0.2.9");
    const stated: number[] = [];
    for (let i = 0; i < attemptsOfPeer; i++) stated.push(await left());
    assert.deepEqual(stated, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert.equal(await left(device), attemptsOfDevice - 1, "the device has its own");
    await store.query(`update "rateLimit" set "lastRequest" = "lastRequest" - 60000`);
    assert.equal(await left(), attemptsOfPeer - 1);
    await store.query(`update "rateLimit" set "lastRequest" = "lastRequest" - 60000`);
    await store.query(`update "signInAttempt" set "count" = ${attemptsOnAccount - 2}`);
    assert.equal(await left(), 1, "the account has fewer left than the peer");
  });

  for (const peer of ["192.0.2.1", "2001:db8:1:2::3"]) {
    it(`does not count successful sign-ins from ${peer}`, async () => {
      const accounts = await store.open();
      await addUser(accounts, "ada");
      for (let i = 0; i < attemptsOfPeer + 2; i++) await signIn(accounts, "ada", peer);
    });
  }

  it("counts failed attempts on other accounts, with successful sign-ins in between", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await exhaust(store, accounts, "192.0.2.1");
    await store.query(`update "rateLimit" set "count" = ${attemptsOfPeer - 2}`);
    const outcomes: string[] = [];
    for (let i = 0; i < 3; i++) {
      outcomes.push(await guess(accounts, "unknown", "192.0.2.1"));
      if (i < 1) await signIn(accounts, "ada", "192.0.2.1");
    }
    assert.deepEqual(outcomes, ["wrong_credentials", "wrong_credentials", "rate_limited"]);
  });

  it("leaves other peers their attempts", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await exhaust(store, accounts, "192.0.2.1");
    await signIn(accounts, "ada", "192.0.2.2");
  });

  it("ends after a minute", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await exhaust(store, accounts, "192.0.2.1");
    await store.query(`update "rateLimit" set "lastRequest" = "lastRequest" - 60000`);
    await signIn(accounts, "ada", "192.0.2.1");
  });

  it("survives a restart", async () => {
    await exhaust(store, await store.open(), "192.0.2.1");
    assert.equal(await guess(await store.open(), "ada", "192.0.2.1"), "rate_limited");
  });

  it("holds for a whole /64 network of IPv6, in every spelling", async () => {
    const accounts = await store.open();
    await exhaust(store, accounts, "2001:db8::1");
    assert.equal(await guess(accounts, "ada", "2001:0DB8:0:0:ffff::1%eth0"), "rate_limited");
    assert.equal(await guess(accounts, "ada", "2001:db8:0:1::1"), "wrong_credentials");
  });

  it("counts all peers without an address as one", async () => {
    const accounts = await store.open();
    await exhaust(store, accounts, "");
    assert.equal(await guess(accounts, "ada", "@socket\n, 192.0.2.1"), "rate_limited");
  });

  it("holds for attempts at the same time in two processes", async () => {
    const [here, there] = [await store.open(), await store.open()];
    const reasons = await Promise.all(
      Array.from(
        { length: 2 * attemptsOfPeer },
        (_, i) => guess(i % 2 ? here : there, `unknown${i}`, "192.0.2.1"),
      ),
    );
    const tried = reasons.filter((reason) => reason === "wrong_credentials");
    assert.equal(tried.length, attemptsOfPeer);
  });

  it("deletes the counts of attempts that have expired", async () => {
    const accounts = await store.open();
    for (let i = 0; i < 5; i++) await guess(accounts, `unknown${i}`, `192.0.2.${i}`);
    await store.query(`update "rateLimit" set "lastRequest" = "lastRequest" - 60000`);
    await store.query(`update "signInAttempt" set "since" = "since" - 900000`);
    await guess(accounts, "unknown", "192.0.2.9");
    assert.equal((await store.query(`select 1 as one from "rateLimit"`)).length, 1);
    assert.equal((await store.query(`select 1 as one from "signInAttempt"`)).length, 1);
  });

  it("deletes very many expired counts a batch with each attempt, and counts from 1 again", async () => {
    const database = await store.database();
    const accounts = await store.open();
    for (let i = 0; i < attemptsOnAccount; i++) await guess(accounts, "ada", `192.0.2.${i}`);
    await store.query(`update "signInAttempt" set "since" = "since" - 900000`);
    const ids = Array.from({ length: 500 }, (_, index) => `old ${index}`);
    await database.queries.insertInto("signInAttempt")
      .values(ids.map((account) => ({ account, count: 9, since: 0 }))).execute();
    await database.queries.insertInto("rateLimit")
      .values(ids.map((key) => ({ id: key, key, count: 9, lastRequest: 0 }))).execute();
    const rows = async (table: string) =>
      (await store.query(`select 1 as one from "${table}"`)).length;
    assert.equal(await guess(accounts, "ada", "198.51.100.1"), "wrong_credentials");
    const [first, limits] = [await rows("signInAttempt"), await rows("rateLimit")];
    assert.ok(first > 100 && first < 500, `${first} counts of accounts`);
    assert.ok(limits > 100, `${limits} counts of peers`);
    for (let attempts = 0; attempts < 3; attempts++) {
      await guess(accounts, "ada", `198.51.100.${attempts + 2}`);
    }
    assert.equal(await rows("signInAttempt"), 1);
    assert.ok(await rows("rateLimit") <= attemptsOnAccount + 4);
  });
});

describeOnEachEngine("the limit of sign-ins to an account", (store) => {
  /** Leaves one attempt, without the time that 29 password checks take. */
  async function exhaustNearly(accounts: Accounts): Promise<void> {
    await guess(accounts, "ada", "198.51.100.1");
    await store.query(`update "signInAttempt" set "count" = ${attemptsOnAccount - 1}`);
  }

  it("refuses the 31st attempt of all peers together, with the seconds to wait", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await exhaustNearly(accounts);
    assert.equal(await guess(accounts, "ada", "198.51.100.2"), "wrong_credentials");
    const result = await accounts.signIn({ email: "ada@example.org", password }, "198.51.100.3");
    assert(!result.ok && result.reason === "rate_limited");
    assert(result.retryAfterSeconds > 800 && result.retryAfterSeconds <= 900);
    await store.query(`update "signInAttempt" set "since" = "since" - 900000`);
    await signIn(accounts, "ada", "198.51.100.3");
  });

  it("is the same for an email address without an account", async () => {
    const accounts = await store.open();
    await exhaustNearly(accounts);
    assert.equal(await guess(accounts, "ada", "198.51.100.2"), "wrong_credentials");
    assert.equal(await guess(accounts, "ada", "198.51.100.3"), "rate_limited");
  });

  it("does not apply to a peer from which the owner has signed in", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await signIn(accounts, "ada", "2001:db8::1");
    await exhaustNearly(accounts);
    await guess(accounts, "ada", "198.51.100.2");
    assert.equal(await guess(accounts, "ada", "198.51.100.3"), "rate_limited");
    await signIn(accounts, "ada", "2001:db8::2");
  });

  it("restarts when the owner signs in", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await exhaustNearly(accounts);
    await signIn(accounts, "ada", "198.51.100.2");
    assert.equal(await guess(accounts, "ada", "198.51.100.3"), "wrong_credentials");
    assert.equal(await guess(accounts, "ada", "198.51.100.4"), "wrong_credentials");
  });

  it("is larger for a peer from which the owner has signed in, and not absent", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await signIn(accounts, "ada", "198.51.100.1");
    await guess(accounts, "ada", "198.51.100.1");
    await store.query(`update "signInAttempt" set "count" = ${attemptsFromKnownPeer - 1}`);
    assert.equal(await guess(accounts, "ada", "198.51.100.1"), "wrong_credentials");
    assert.equal(await guess(accounts, "ada", "198.51.100.1"), "rate_limited");
    assert.equal(await guess(accounts, "ada", "198.51.100.2"), "wrong_credentials");
  });

  it("does not count attempts of a peer that has none left", async () => {
    const accounts = await store.open();
    await exhaust(store, accounts, "198.51.100.1");
    for (let i = 0; i < attemptsOnAccount + 1; i++) {
      assert.equal(await guess(accounts, "ada", "198.51.100.1"), "rate_limited");
    }
    assert.equal(await guess(accounts, "ada", "198.51.100.2"), "wrong_credentials");
  });
});

describeOnEachEngine("the limit of sign-ins of a device that has signed in before", (store) => {
  it("lets the owner in while strangers have used up the attempts of the account and the address", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const device = await deviceOf(accounts, "ada", "192.0.2.1");
    await store.query(`delete from "session"`);
    await exhaust(store, accounts, "192.0.2.7");
    await guess(accounts, "ada", "192.0.2.8");
    await store.query(`update "signInAttempt" set "count" = ${attemptsOnAccount}`);
    assert.equal(await guess(accounts, "ada", "192.0.2.9"), "rate_limited");
    assert.equal(await guess(accounts, "unknown", "192.0.2.7"), "rate_limited");
    assert.equal(await deviceOf(accounts, "ada", "192.0.2.7", device), device);
  });

  it("gives the device 30 attempts in 15 minutes, and none to others", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const device = await deviceOf(accounts, "ada", "192.0.2.1");
    await store.query(`delete from "session"`);
    const other = await deviceOf(accounts, "ada", "192.0.2.2");
    await store.query(`delete from "session"`);
    assert.notEqual(device, other);
    await guess(accounts, "ada", "192.0.2.3", device);
    await store.query(`update "signInAttempt" set "count" = ${attemptsOfDevice - 1}`);
    assert.equal(await guess(accounts, "ada", "192.0.2.3", device), "wrong_credentials");
    assert.equal(await guess(accounts, "ada", "192.0.2.3", device), "rate_limited");
    assert.equal(await guess(accounts, "ada", "192.0.2.3", other), "wrong_credentials");
    assert.equal(await guess(accounts, "ada", "192.0.2.3"), "wrong_credentials");
  });

  it("does not hold for another account, another secret, or an altered cookie", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await addUser(accounts, "bob");
    const device = await deviceOf(accounts, "ada", "192.0.2.1");
    const elsewhere = await store.open({ secret: "another secret of at least 32 characters" });
    const foreign = await deviceOf(elsewhere, "ada", "192.0.2.1");
    await exhaust(store, accounts, "192.0.2.7");
    const altered = `${device.startsWith("A") ? "B" : "A"}${device.slice(1)}`;
    for (const [name, cookie] of [["bob", device], ["ada", foreign], ["ada", altered]]) {
      assert.equal(await guess(accounts, name, "192.0.2.7", cookie), "rate_limited");
    }
    assert.equal(await guess(accounts, "ada", "192.0.2.7", device), "wrong_credentials");
  });
});

describeOnEachEngine("passwords at the same time", (store) => {
  it("are refused as busy beyond their limit, without counting as attempts", async () => {
    const passwordWork = new PasswordWork();
    const accounts = await store.open({ passwordWork });
    const token = await accounts.setupToken();
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const others = Array.from(
      { length: 32 },
      (_, index) => passwordWork.run(`${index}`, () => end),
    );
    for (let n = 0; n < 12; n++) others.push(passwordWork.run("admins", () => end, "admin"));
    const user = { name: "Ada", email: "ada@example.org", password };
    const isRefused = (work: Promise<unknown>) =>
      assert.rejects(withTimeout(work, "the work was refused"), BusyError);
    await isRefused(guess(accounts, "ada", "192.0.2.1"));
    await isRefused(accounts.createFirstAdmin(token, user));
    await isRefused(accounts.add({ ...user, role: "user" }));
    await isRefused(accounts.resetPassword("0".repeat(32), password));
    resolve();
    await Promise.all(others);
    assert.deepEqual(await store.query(`select * from "signInAttempt"`), []);
    assert((await accounts.createFirstAdmin(token, user)).ok);
  });
});
