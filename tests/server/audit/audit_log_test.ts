import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { type AuditEntry, AuditLog } from "@/server/audit/audit_log.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const noon = Date.UTC(2023, 10, 17, 12);
const ada = { id: "a".repeat(32), name: "Ada" };
const ben = { id: "b".repeat(32), name: "Ben" };

function entry(change: Partial<AuditEntry> = {}): AuditEntry {
  return { at: noon, actor: ada, action: "user_disabled", target: ben, details: {}, ...change };
}

describeOnDatabase("the admin log", (store) => {
  it("lists actor, action, target and time, newest first", async () => {
    const log = new AuditLog(await store.open());
    const entries = [
      entry(),
      entry({ action: "message_sent_to_all", target: null, details: { message: "Hi", count: 3 } }),
      entry({ at: noon + 1, actor: ben, target: ada, details: { mayReturn: false, role: null } }),
    ];
    for (const one of entries) await log.append(one);
    const reopened = new AuditLog(await store.open());
    assert.deepEqual(await reopened.read({ limit: 10 }), {
      entries: entries.toReversed(),
      next: null,
    });
  });

  it("can be filtered by actor, action and target, page by page", async () => {
    const log = new AuditLog(await store.open());
    for (let index = 0; index < 7; index++) await log.append(entry({ details: { index } }));
    await log.append(entry({ at: noon + 5, actor: ben, action: "user_added" }));
    await log.append(entry({ at: noon + 6, target: null, action: "alert_changed" }));
    const count = async (filter: Parameters<AuditLog["read"]>[0]) =>
      (await log.read(filter)).entries.length;
    assert.equal(await count({ actorId: ada.id, limit: 100 }), 8);
    assert.equal(await count({ actorId: ben.id, limit: 100 }), 1);
    assert.equal(await count({ action: "alert_changed", limit: 100 }), 1);
    assert.equal(await count({ targetId: ben.id, limit: 100 }), 8);
    assert.equal(await count({ targetId: ben.id, actorId: ben.id, limit: 100 }), 1);
    assert.equal(await count({ targetId: "\0", limit: 100 }), 0);
    const found: unknown[] = [];
    let before: string | undefined;
    for (let pages = 0; pages === 0 || before && pages < 9; pages++) {
      const page = await log.read({ action: "user_disabled", limit: 2, before });
      found.push(...page.entries.map(({ details }) => details.index));
      before = page.next ?? undefined;
    }
    assert.deepEqual(found, [6, 5, 4, 3, 2, 1, 0]);
  });

  it("keeps an entry of a transaction only when it commits", async () => {
    const database = await store.open();
    const log = new AuditLog(database);
    const failed = database.exclusively(async (transaction) => {
      // Outside of the transaction, SQLite would wait for its end.
      await withTimeout(log.append(entry(), transaction), "the entry was stored");
      throw new Error("The deed failed");
    });
    await assert.rejects(failed, /The deed failed/);
    assert.deepEqual((await log.read({ limit: 1 })).entries, []);
    await database.exclusively((transaction) => log.append(entry(), transaction));
    assert.equal((await log.read({ limit: 9 })).entries.length, 1);
  });

  it("lists the actors by their latest names", async () => {
    const log = new AuditLog(await store.open());
    assert.deepEqual(await log.actors(), []);
    await log.append(entry());
    await log.append(entry({ actor: ben }));
    await log.append(entry({ actor: { ...ada, name: "Ada Lovelace" } }));
    assert.deepEqual(await log.actors(), [{ ...ada, name: "Ada Lovelace" }, ben]);
  });

  it("truncates long text, and keeps names with any characters", async () => {
    const log = new AuditLog(await store.open());
    const name = '\0\'); drop table "auditEntry"; --\ud800';
    const actor = { id: ada.id, name: "💡".repeat(100) };
    const message = "💡".repeat(2_000);
    await log.append(entry({ actor, target: { id: ben.id, name }, details: { message } }));
    const [{ actor: by, target, details }] = (await log.read({ limit: 1 })).entries;
    assert.equal(by.name, "💡".repeat(50));
    assert.equal(target!.name, name.replace("\0", "\ufffd").toWellFormed());
    assert.equal(details.message, "💡".repeat(249) + "…");
  });

  it("refuses an entry with a secret, nested or too many details", async () => {
    const log = new AuditLog(await store.open());
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`d${index}`, index]));
    for (
      const details of [
        { password: "x" },
        { newPassword: "x" },
        { sessionToken: "x" },
        { appSecret: "x" },
        { cookie: "x" },
        { guestCookie: "x" },
        { signature: "x" },
        { passphrase: "x" },
        { authorization: "x" },
        { "with space": 1 },
        // Nothing of this type could be passed, but JSON can have it.
        { nested: { a: 1 } } as unknown as AuditEntry["details"],
        { number: NaN },
        many,
      ]
    ) {
      await assert.rejects(log.append(entry({ details })), JSON.stringify(details));
    }
    assert.deepEqual((await log.read({ limit: 1 })).entries, []);
  });
});
