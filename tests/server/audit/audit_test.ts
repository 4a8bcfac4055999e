import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { audit, audited } from "@/server/audit/audit.ts";
import {
  type AuditEntry,
  auditFilter,
  type AuditLog,
  auditPath,
  readAuditQuery,
} from "@/server/audit/audit_log.ts";
import { partOf } from "../../fixtures/doubles.ts";

const ada = { id: "ada", name: "Ada" };
const ben = { id: "ben", name: "Ben" };

function auditor(isSignedIn = true) {
  const stored: [AuditEntry, unknown][] = [];
  const append = (entry: AuditEntry, queries?: unknown) => {
    stored.push([entry, queries]);
    return Promise.resolve(stored.length);
  };
  // Of what a session has, only the id and the name are recorded.
  const user = { ...ada, email: "ada@example.org", role: "admin" as const, limits: null };
  return {
    stored,
    auditLog: partOf<AuditLog>({ append }),
    session: isSignedIn ? { id: "session", user } : null,
  };
}

describe("recording an action", () => {
  it("names the signed-in admin, the action and its target", async () => {
    const one = auditor();
    const before = Date.now();
    await audit(one, "user_disabled", ben, { openPages: 2 });
    const [[{ at, ...entry }]] = one.stored;
    assert.deepEqual(entry, {
      actor: ada,
      action: "user_disabled",
      target: ben,
      details: { openPages: 2 },
    });
    assert.ok(at >= before && at <= Date.now());
  });

  it("fails without a signed-in admin, so that no action is without one", async () => {
    const one = auditor(false);
    await assert.rejects(audit(one, "user_disabled", ben), /no one is signed in/);
    assert.deepEqual(one.stored, []);
  });

  it("is part of the action's transaction", async () => {
    const one = auditor();
    const transaction = {};
    // The transaction is passed on, not used.
    await audited(one, "user_enabled")(transaction as never, ben);
    assert.equal(one.stored[0][1], transaction);
  });
});

describe("the filter of the audit page", () => {
  const read = (query: string) => readAuditQuery(new URLSearchParams(query));

  it("is read from the address, and written into the next page's", () => {
    const query = read("actor=ada&target=ben&action=user_added");
    assert.deepEqual(auditFilter(query), {
      actorId: "ada",
      targetId: "ben",
      action: "user_added",
    });
    const path = auditPath(query, "cursor");
    assert.deepEqual(read(path.split("?")[1]), query);
    assert.match(path, /^\/admin\/activity\/admins\?.*before=cursor/);
    assert.equal(auditPath({}), "/admin/activity/admins");
  });

  it("ignores what is not valid", () => {
    assert.deepEqual(auditFilter(read(`actor=&target=${"x".repeat(1_000)}&action=nothing`)), {
      actorId: undefined,
      targetId: undefined,
      action: undefined,
    });
  });
});
