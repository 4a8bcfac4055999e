import assert from "node:assert/strict";
import { addDeliveries } from "@/server/alert/alert_deliveries.ts";
import { newRuleState } from "@/server/alert/alert_rules.ts";
import { recipientsOf, storeReceiver } from "@/server/alert/stored_receivers.ts";
import { storeRule } from "@/server/alert/stored_rules.ts";
import { join } from "node:path";
import { beforeEach, it } from "@std/testing/bdd";
import { openLeaves } from "@/cli/commands/user.ts";
import { ActivityLog, type NewEntry } from "@/server/activity/activity_log.ts";
import { type AuditEntry, AuditLog } from "@/server/audit/audit_log.ts";
import type { Database } from "@/server/database/database.ts";
import { writeBackup } from "@/server/database/database_backup.ts";
import { addUndelivered } from "@/server/database/webhook_outbox.ts";
import { personExport } from "@/server/privacy/person_export.ts";
import { removeActivity, removePerson } from "@/server/privacy/person_removal.ts";
import { isStored, type StoredPerson } from "@/server/privacy/stored_person.ts";
import { removedPerson } from "@/shared/audit.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

const ada = { id: "ada", name: "Ada" };
const nadia = { id: "member-4711", name: "Nadia Quill" };
const person: StoredPerson = { id: nadia.id, appId: "1" };
const email = "nadia.quill@example.com";
const elsewhere: StoredPerson = { id: nadia.id, appId: "2", otherApp: ["2", "Shop"] };
const traces = /member-4711|nadia/i;

const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  at: 1,
  actor: ada,
  action: "message_sent_to_all",
  target: null,
  details: {},
  ...change,
});

const visit = (userId: string, name: string, channel = "presence-chart"): NewEntry => ({
  channel,
  at: 1_000,
  userId,
  kind: "foreign",
  name,
  change: "joined",
});

describeOnEachDatabase("a person who is forgotten", (test) => {
  let database: Database;
  beforeEach(async () => {
    database = await test.open();
    const activity = new ActivityLog(database);
    // Many rows between other rows move between the pages of the file.
    for (let round = 0; round < 40; round++) {
      const others = Array.from(
        { length: 40 },
        (_, number) => visit(`u${number}`, `User ${number}`),
      );
      await activity.write([...others, visit(nadia.id, nadia.name), visit(nadia.id, "Nadia Q.")]);
    }
    const log = new AuditLog(database);
    const entries: Partial<AuditEntry>[] = [
      { action: "message_sent", target: nadia, details: { text: "Please call me" } },
      { action: "person_blocked", target: nadia, details: { reason: "Rude" } },
      { action: "person_blocked", target: nadia, details: { app: "Shop", reason: "Spam" } },
      { action: "attendance_exported", details: { who: nadia.id } },
      { details: { text: "nadia quill, log out. Quillers stay" } },
      { actor: nadia, action: "app_added", target: { id: "9", name: "Forum" } },
      { action: "user_disabled", target: { id: "u1", name: "User 1" }, details: { openPages: 2 } },
    ];
    for (const one of entries) await log.append(entry(one));
    const block = { reason: "Rude", blockedAt: 5, blockedBy: ada.id };
    await database.queries.insertInto("blockedPerson").values([
      { appId: "1", userId: nadia.id, name: nadia.name, ...block },
      { appId: "1", userId: "u1", name: "User 1", ...block },
    ]).execute();
    const left = (id: string) =>
      JSON.stringify({ name: "member_removed", channel: "presence-chart", user_id: id });
    const waiting = { appId: "1", webhook: "digest", acceptedAt: 1 };
    await addUndelivered(database.queries, [
      { ...waiting, id: "one", events: `${left(nadia.id)},${left("u1")}`, count: 2 },
      { ...waiting, id: "two", events: left(nadia.id), count: 1 },
    ]);
    await alertAbout(nadia.id, nadia.name);
    await alertAbout("u1", "User 1");
    // Of a rule that was deleted since, about another person with the same id.
    await addDeliveries(database.queries, ["ops"], {
      rule: "deleted",
      channel: "presence-desk",
      app: elsewhere.appId,
      at: 1,
      phase: "active",
      users: 1,
      condition: { kind: "person", userId: nadia.id, personName: "Nadia of Shop" },
    });
    for (const target of [`${email}, ops@example.com`, email.toUpperCase()]) {
      const settings = { url: "mailto:", target };
      const emails = { name: "Ops", kind: "email" as const, settings, createdBy: ada.id };
      const receiver = await storeReceiver(database, emails);
      await alertAbout("u1", "User 1", recipientsOf(receiver!));
    }
  });

  /** A rule of alerts about a person, and what a receiver was told of it. */
  async function alertAbout(
    userId: string,
    personName: string,
    receivers = ["ops"],
  ): Promise<void> {
    const condition = { kind: "person" as const, userId, personName, change: "both" as const };
    const setting = { name: "Watch", enabled: true, condition, holdSeconds: 0 };
    const state = newRuleState(condition, undefined);
    const rule = await storeRule(
      database,
      { channel: "presence-chart", setting, state },
      () => Promise.resolve(),
    );
    const told = { kind: condition.kind, userId, personName };
    const message = { channel: "presence-chart", at: 1, phase: "active" as const, users: 1 };
    // The second is of a rule that was deleted since.
    for (const id of [rule?.id ?? "", "deleted"]) {
      await addDeliveries(database.queries, receivers, { ...message, rule: id, condition: told });
    }
  }

  async function forget(who = person): Promise<boolean> {
    const done = entry({ at: 9, action: "person_forgotten", target: removedPerson });
    await removePerson(database, who, {
      ...who === person && { known: [email] },
      async begin(transaction) {
        await new AuditLog(database).append(done, transaction);
        return true;
      },
    });
    return await removeActivity(database, who);
  }

  /** All rows of all tables, as text. */
  async function stored(): Promise<string> {
    const tables = await database.queries.introspection.getTables();
    const rows = await Promise.all(tables.map(({ name }) => test.query(`select * from "${name}"`)));
    return JSON.stringify(rows);
  }

  it("is in no table any more, and all others are", async () => {
    assert.ok(traces.test(await stored()));
    assert.equal(await forget(), true);
    assert.deepEqual(await isStored(database.queries, person), false);
    const after = await stored();
    // The entry and the delivery of another app are of another person with the same id.
    assert.equal(after.match(/member-4711/g)?.length, 2);
    await forget(elsewhere);
    assert.equal((await stored()).match(traces), null);
    const [{ count }] = await test.query("select count(*) as count from attendance");
    assert.equal(Number(count), 40 * 40);
    const [{ blocked }] = await test.query('select count(*) as blocked from "blockedPerson"');
    assert.equal(Number(blocked), 1);
    for (const table of ["alertRule", "alertDelivery"]) {
      const [{ kept }] = await test.query(`select count(*) as kept from "${table}"`);
      assert.equal(Number(kept), table === "alertRule" ? 3 : 4, table);
    }
    const waiting = await test.query('select id, events, count from "undeliveredWebhook"');
    assert.deepEqual(waiting.map(({ id, count }) => [id, Number(count)]), [["one", 1]]);
    assert.match(String(waiting[0].events), /"user_id":"u1"/);
  });

  it("is “A removed person” in the admin log, without what was written to the person or by the person", async () => {
    await forget();
    const { entries } = await new AuditLog(database).read({ limit: 100 });
    const shown = entries.map(({ actor, action, target, details }) => [
      actor.name,
      action,
      target?.name ?? null,
      details,
    ]);
    const gone = removedPerson.name;
    assert.deepEqual(shown.reverse(), [
      ["Ada", "message_sent", gone, {}],
      ["Ada", "person_blocked", gone, {}],
      ["Ada", "person_blocked", nadia.name, { app: "Shop", reason: "Spam" }],
      ["Ada", "attendance_exported", null, { who: gone }],
      ["Ada", "message_sent_to_all", null, { text: `${gone}, log out. Quillers stay` }],
      [gone, "app_added", "Forum", {}],
      ["Ada", "user_disabled", "User 1", { openPages: 2 }],
      ["Ada", "person_forgotten", gone, {}],
    ]);
  });

  it("stays whole when the entry of the action cannot be stored", async () => {
    const before = await stored();
    const begin = () => Promise.reject(new Error("no"));
    await assert.rejects(removePerson(database, person, { begin }), /no/);
    assert.equal(await stored(), before);
  });

  it("is known by an alert alone", async () => {
    await forget();
    await removeActivity(database, person);
    assert.equal(await isStored(database.queries, person), false);
    await alertAbout(nadia.id, nadia.name);
    assert.equal(await isStored(database.queries, person), true);
  });

  it("is exported before, with no other person", async () => {
    const read = async () => (await Array.fromAsync(personExport(database, person))).join("");
    const text = await read();
    const exported = JSON.parse(text);
    const { activity, auditLog, blocks, names, onlineSince, webhookEventsToBeSent } = exported;
    assert.equal(activity.length, 80);
    assert.deepEqual(activity[0], {
      at: new Date(1_000).toISOString(),
      channel: "presence-chart",
      change: "joined",
      reason: null,
      name: "Nadia Q.",
    });
    assert.deepEqual(names.toSorted(), ["Nadia Q.", "Nadia Quill"]);
    assert.deepEqual(blocks.length, 1);
    assert.deepEqual(onlineSince[0].name, "Nadia Q.");
    assert.deepEqual(auditLog.map(({ action, is }: Record<string, string>) => [action, is]), [
      ["message_sent", "about this person"],
      ["person_blocked", "about this person"],
      ["app_added", "by this person"],
    ]);
    assert.equal(webhookEventsToBeSent.length, 2);
    const about = { kind: "person", userId: nadia.id, personName: nadia.name };
    const condition = { ...about, change: "both" };
    const place = { channel: "presence-chart" };
    assert.deepEqual(exported.alertRules, [
      { ...place, name: "Watch", enabled: true, condition, holdSeconds: 0 },
    ]);
    const message = { ...place, at: new Date(1).toISOString(), phase: "active", condition: about };
    assert.deepEqual(exported.alertMessages, [message, message]);
    assert.doesNotMatch(text, /Ada|User \d|"u\d/);
    await forget();
    const { id, app, exportedAt, ...rest } = JSON.parse(await read());
    assert.deepEqual([id, app, typeof exportedAt], [person.id, "1", "string"]);
    for (const value of Object.values(rest)) {
      assert.ok(value === null || (value as []).length === 0);
    }
  });

  if (test.engine === "sqlite") {
    it("is in no byte of the database's files, nor of a backup", async () => {
      // So many entries that an index has several pages of them, whose entries move when others go.
      const log = new AuditLog(database);
      await database.exclusively(async (transaction) => {
        for (let number = 0; number < 2_000; number++) {
          const text = `${"x".repeat(number * 37 % 300)} ${nadia.name}`;
          const target = number % 2 ? nadia : { id: `u${number}`, name: "User" };
          await log.append(entry({ target, details: { text } }), transaction);
        }
      });
      await forget();
      await forget(elsewhere);
      const backup = join(test.dataFolder, "backup.sqlite");
      await writeBackup(backup, test.dataFolder, []);
      for (const { name } of Deno.readDirSync(test.dataFolder)) {
        const bytes = await Deno.readFile(join(test.dataFolder, name));
        assert.equal(new TextDecoder("latin1").decode(bytes).match(traces), null, name);
      }
    });
  }
});

describeOnEachDatabase("a user who is deleted by the command line", (test) => {
  it("has left once the leave of each channel is stored, and those from before are none", async () => {
    const database = await test.open();
    const activity = new ActivityLog(database);
    const channels = ["presence-chart", "presence-desk", "presence-shop"];
    const join = (channel: string) => visit(nadia.id, nadia.name, channel);
    const leave = (channel: string): NewEntry => ({
      ...join(channel),
      change: "left",
      reason: "closed",
    });
    await activity.write([join("presence-desk"), leave("presence-desk"), ...channels.map(join)]);
    await activity.write([join("1/presence-chart"), visit("u1", "User 1")]);
    const late = [...channels];
    const pause = async () => {
      const channel = late.shift();
      if (channel !== undefined) await activity.write([leave(channel), leave("1/presence-chart")]);
    };
    const leaves = await openLeaves(database, nadia.id, pause);
    assert.equal(await leaves.stored(), true);
    assert.deepEqual(late, []);
    assert.equal(await (await openLeaves(database, nadia.id, pause)).stored(), true);
    await activity.write([join("presence-chart")]);
    const none = await openLeaves(database, nadia.id, () => Promise.resolve());
    assert.equal(await none.stored(), false, "no server runs");
  });
});
