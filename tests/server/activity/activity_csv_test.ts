import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { activityCsv, activityCsvHeader, activityCsvLine } from "@/server/activity/activity_csv.ts";
import { leaveReasons } from "@/realtime/events/server_events.ts";
import { type ActivityEntry, visitorKinds } from "@/server/activity/activity_log.ts";

const noon = Date.UTC(2023, 10, 17, 12, 30, 15, 7);

/** What a spreadsheet takes as a formula, or trims to one. */
const dangerous = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];

/** What some spreadsheets skip before it: spaces, a byte order mark and other invisible characters. */
const skipped = [" ", "\u00a0", "\u3000", "\ufeff", "\u200b", "\u2060", "\u0000", "\u0301"];

const cell = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(...dangerous, ...skipped, '"', "'", ",", ";", " ", "x", "cmd|' /C calc'!A1"),
  )
    .map((parts) => parts.join("")),
);

function parsed(text: string): string[][] {
  // As bytes, as a browser gets it.
  return parse(new TextEncoder().encode(text), { record_delimiter: "\r\n" });
}

function neutral(text: string): string {
  const seen = text.slice(Math.max(0, text.search(/[\p{L}\p{N}\p{P}\p{S}]/u)));
  const isFormula = /^[\t\r\n]/.test(text) || dangerous.some((start) => seen.startsWith(start));
  return isFormula ? `'${text}` : text;
}

describe("the activity log as CSV", () => {
  it("begins with a header and has times in UTC", () => {
    const joined: ActivityEntry = {
      channel: "presence-chart",
      change: "joined",
      at: noon,
      userId: "7f",
      kind: "user",
      name: null,
    };
    const left: ActivityEntry = {
      ...joined,
      change: "left",
      at: noon + 60_000,
      reason: "timed_out",
    };
    const text = activityCsvHeader + activityCsvLine(joined, 'Ada "the first", Lovelace') +
      activityCsvLine(left, null);
    assert.deepEqual(parsed(text), [
      ["time", "user_id", "name", "kind", "change", "reason"],
      ["2023-11-17T12:30:15.007Z", "7f", 'Ada "the first", Lovelace', "user", "joined", ""],
      ["2023-11-17T12:31:15.007Z", "7f", "", "user", "left", "timed_out"],
    ]);
  });

  it("is exported whole, page by page, with the header first", async () => {
    const pages = [["7f", "8a"], ["9b"]].map((ids) =>
      ids.map((userId): ActivityEntry => ({
        channel: "presence-chart",
        change: "joined",
        at: noon,
        userId,
        kind: "user",
        name: null,
      }))
    );
    const each = async function* () {
      yield* pages;
    };
    const account = { id: "8a", name: "Ada", email: "ada@example.org", role: "user" as const };
    const accounts = [{ ...account, disabled: false, createdAt: new Date(0) }];
    const pieces = await Array.fromAsync(activityCsv(each(), () => Promise.resolve(accounts)));
    assert.deepEqual(parsed(pieces.join("")).map(([, id, name]) => [id, name]), [
      ["user_id", "name"],
      ["7f", ""],
      ["8a", "Ada"],
      ["9b", ""],
    ]);
  });

  it("keeps the text of every cell, and escapes cells that a spreadsheet would run as a formula", () => {
    const entry = fc.record({
      channel: fc.constant("presence-chart"),
      change: fc.constant("left" as const),
      at: fc.integer({ min: 0, max: 4e12 }),
      userId: cell,
      kind: fc.constantFrom(...visitorKinds),
      name: fc.constant(null),
      reason: fc.constantFrom(...leaveReasons),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map(([entry, name]) => activityCsvLine(entry, name)).join("");
        const found = parsed(text);
        assert.deepEqual(
          found,
          rows.map(([{ at, userId, kind, reason }, name]) => [
            new Date(at).toISOString(),
            neutral(userId.toWellFormed()),
            neutral(name.toWellFormed()),
            kind,
            "left",
            reason,
          ]),
        );
        for (const cell of found.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/);
      }),
      { numRuns: 1_000 },
    );
  });
});
