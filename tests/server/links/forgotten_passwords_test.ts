import { strict as assert } from "node:assert";
import { beforeEach, it } from "@std/testing/bdd";
import type { Accounts } from "@/server/accounts/accounts.ts";
import { AuditLog } from "@/server/audit/audit_log.ts";
import { ForgottenPasswords, lookupDelayMs } from "@/server/links/forgotten_passwords.ts";
import type { Mailer } from "@/server/mail/mailer.ts";
import type { Mail } from "@/server/mail/mail.ts";
import type { Database } from "@/server/database/database.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { addUser, describeOnEachEngine, quickHashing, secret } from "../accounts/stores.ts";
import { openAccounts } from "@/server/accounts/accounts.ts";

const newPassword = "another good password";
const client = "192.0.2.7";
const quietly = () => Promise.resolve();

describeOnEachEngine("a link for who forgot the password", (store) => {
  let database: Database;
  let accounts: Accounts;
  let clock: ManualClock;
  let links: ForgottenPasswords;
  let mails: Mail[];
  const appUrl = new URL("https://example.com/team/rollcall");

  beforeEach(async () => {
    database = await store.database();
    accounts = await openAccounts({
      database,
      secret,
      appUrl,
      secureCookies: true,
      passwordHashing: quickHashing,
    });
    clock = new ManualClock();
    mails = [];
    links = linksOf(database);
    hasRoom = true;
  });

  let hasRoom = true;

  function linksOf(of: Database): ForgottenPasswords {
    const mailer = partOf<Mailer>({
      get canTake() {
        return hasRoom;
      },
      send(mail: Mail) {
        mails.push(mail);
        return Promise.resolve({ ok: true });
      },
    });
    const auditLog = new AuditLog(of);
    const config = { appUrl };
    return new ForgottenPasswords({ config, database: of, accounts, auditLog, mailer }, clock);
  }

  /** Asks, and waits until what follows is done. */
  async function ask(email: string, from = client): Promise<number | null> {
    const wait = await links.ask(email, from);
    clock.advance(lookupDelayMs);
    await links.stop();
    links = linksOf(database);
    return wait;
  }

  const tokenOf = ({ text }: Mail) =>
    text.match(/https:\/\/example\.com\/team\/rollcall\/reset-password\/(\S+)\n/)?.[1] ?? "";
  const follow = (token: string) =>
    accounts.links.follow({ token, password: newPassword }, client, quietly);

  it("is sent to the account's own email, below APP_URL, works once, and is recorded", async () => {
    await addUser(accounts, "ada");
    const ben = await addUser(accounts, "ben", "user");
    assert.equal(await ask(ben.email), null);
    assert.deepEqual(mails.map(({ to }) => to), [ben.email]);
    assert.ok((await follow(tokenOf(mails[0]))).ok);
    assert.ok(!(await follow(tokenOf(mails[0]))).ok);
    const signedIn = await accounts.signIn({ email: ben.email, password: newPassword }, client);
    assert.ok(signedIn.ok);
    const { entries } = await new AuditLog(database).read({ limit: 10 });
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target?.id]),
      [["reset_link_requested", ben.id]],
    );
  });

  it("is looked up only once the answer is on its way, which is the same for every email", async () => {
    const ada = await addUser(accounts, "ada");
    const answers = [await links.ask(ada.email, client), await links.ask("x@example.org", client)];
    assert.deepEqual(answers, [null, null]);
    clock.advance(lookupDelayMs - 1);
    assert.equal(clock.timers, 2);
    assert.equal(await accounts.links.resetLink(ada.id), null);
    assert.equal(mails.length, 0);
    clock.advance(1);
    await links.stop();
    assert.equal(mails.length, 1);
  });

  it("is not sent to who has no account, is disabled, or has no password", async () => {
    await addUser(accounts, "ada");
    const ben = await addUser(accounts, "ben", "user");
    const cleo = await addUser(accounts, "cleo", "user");
    await accounts.setDisabled(ben.id, true);
    await database.queries.updateTable("account").set({ password: null })
      .where("userId", "=", cleo.id).execute();
    for (const email of [ben.email, cleo.email, "nobody@example.org"]) {
      assert.equal(await ask(email), null);
    }
    assert.deepEqual(mails, []);
    assert.deepEqual((await new AuditLog(database).read({ limit: 10 })).entries, []);
  });

  it("goes to one email three times an hour, whoever asks, and then to no one", async () => {
    const ada = await addUser(accounts, "ada");
    for (let asked = 0; asked < 5; asked++) {
      assert.equal(await ask(ada.email, `192.0.2.${asked}`), null);
    }
    assert.equal(mails.length, 3);
    assert.ok(!(await follow(tokenOf(mails[1]))).ok, "a later link replaces it");
    assert.ok((await follow(tokenOf(mails[2]))).ok);
  });

  it("is asked for by one client ten times in fifteen minutes, whatever the email", async () => {
    for (let asked = 0; asked < 10; asked++) {
      assert.equal(await links.ask(`person-${asked}@example.org`, client), null);
    }
    const wait = await links.ask("another@example.org", client);
    assert.ok(wait !== null && wait > 0 && wait <= 900, String(wait));
    assert.equal(await links.ask("another@example.org", "192.0.2.8"), null);
    assert.equal(clock.timers, 11);
    await links.stop();
    assert.equal(clock.timers, 0);
  });

  it("is not made while too many emails wait, so that the one before goes on working", async () => {
    const ada = await addUser(accounts, "ada");
    await ask(ada.email);
    hasRoom = false;
    assert.equal(await ask(ada.email), null, "the same answer");
    assert.equal(mails.length, 1);
    assert.ok((await follow(tokenOf(mails[0]))).ok);
  });

  it("replaces a link that an admin made, who sees it and can revoke it", async () => {
    const ada = await addUser(accounts, "ada");
    const ben = await addUser(accounts, "ben", "user");
    const made = await accounts.links.reset({ userId: ben.id, createdBy: ada.id }, quietly);
    assert.ok(made.ok);
    await ask(ben.email);
    assert.ok(!(await follow(made.value.token)).ok);
    const link = await accounts.links.resetLink(ben.id);
    assert.equal(link?.createdBy, ben.id);
    await accounts.links.revoke(link.id, quietly);
    assert.ok(!(await follow(tokenOf(mails[0]))).ok);
  });

  it("ends when the account is disabled", async () => {
    await addUser(accounts, "ada");
    const ben = await addUser(accounts, "ben", "user");
    await ask(ben.email);
    await accounts.setDisabled(ben.id, true);
    await accounts.setDisabled(ben.id, false);
    assert.ok(!(await follow(tokenOf(mails[0]))).ok);
  });
});
