import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { activityCsv, activityCsvHeader, activityCsvLine } from "@/server/activity/activity_csv.ts";
import { leaveReasons } from "@/realtime/events/server_events.ts";
import { type ActivityEntry, visitorKinds } from "@/server/activity/activity_log.ts";
import {
  activityQueryString,
  matchPeople,
  readActivityQuery,
} from "@/server/activity/activity_query.ts";
import type { User } from "@/server/accounts/accounts.ts";
import { LogExpiry } from "@/server/database/log_expiry.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

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
    const rest = { limits: null, disabled: false, language: null, createdAt: new Date(0) };
    const accounts = [{ ...account, ...rest }];
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

function read(query: string) {
  return readActivityQuery(new URLSearchParams(query));
}

describe("the query of the activity page", () => {
  it("has no filter for the empty fields of a form", () => {
    const empty = { who: "", kind: undefined, since: undefined, until: undefined };
    assert.deepEqual({ ...empty, ...read("") }, empty);
    assert.deepEqual({ ...empty, ...read("who=&kind=&from=&until=") }, empty);
  });

  it("reads times as UTC, with and without a Z", () => {
    const at = Date.UTC(2026, 0, 5, 12, 30);
    for (const text of ["2026-01-05T12:30", "2026-01-05T12:30:00.000Z"]) {
      assert.equal(read(`from=${text}`)?.since, at);
      assert.equal(read(`until=${text}`)?.until, at);
    }
  });

  it("is null for an invalid value, unlike an empty one", () => {
    const refused = ["kind=robot", "from=2026-13-01T00:00", "until=today", "from=2026-01-05"];
    for (const query of [...refused, `who=${"a".repeat(255)}`]) {
      assert.equal(read(query), null, query);
    }
  });

  it("is the same after writing it to a URL and reading it", () => {
    const time = fc.integer({ min: 0, max: Date.UTC(9999, 0) });
    const query = fc.record({
      who: fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => text.trim()),
      kind: fc.option(fc.constantFrom(...visitorKinds), { nil: undefined }),
      since: fc.option(time, { nil: undefined }),
      until: fc.option(time, { nil: undefined }),
    });
    fc.assert(fc.property(query, (asked) => {
      const none = { kind: undefined, since: undefined, until: undefined };
      assert.deepEqual({ ...none, ...read(activityQueryString(asked)) }, { ...none, ...asked });
    }));
  });
});

const [ada, ben, bendix, ruben] = ["Ada Bell", "Ben", "Bendix", "Ruben"].map((
  name,
  index,
): User => ({
  id: String(index).repeat(32),
  name,
  email: `${name.split(" ")[0].toLowerCase()}@x.org`,
  role: "user",
  limits: null,
  disabled: false,
  language: null,
  createdAt: new Date(0),
}));
const accounts = [ada, ben, bendix, ruben];

/** The users whose own app gave them names that begin with a text. */
function named(text: string): Promise<string[]> {
  return Promise.resolve(text === "ben" ? ["7"] : text === "zoe" ? ["8"] : []);
}

/** A row: what is typed, and whom it means. */
const table: [text: string, filter: object][] = [
  ["ben", { userId: [ben.id, bendix.id, ruben.id, "7", "ben"] }],
  [" BELL ", { userId: [ada.id, "BELL"] }],
  ["zoe", { userId: ["8", "zoe"] }],
  ["ben@x.org", { userId: [ben.id] }],
  [bendix.id, { userId: [bendix.id] }],
  ["Guest 3f2A", { guestIdStart: "guest-3f2a" }],
  [`guest-${"3f2a".repeat(8)}`, { guestIdStart: `guest-${"3f2a".repeat(8)}` }],
  ["Guest of honour", { userId: "Guest of honour" }],
  ["42", { userId: "42" }],
];

describe("the person filter of the activity log", () => {
  for (const [text, filter] of table) {
    it(`resolves ${JSON.stringify(text)}`, async () => {
      assert.deepEqual((await matchPeople(text, accounts, named)).filter, filter);
    });
  }

  it("is null when more than 500 people match", async () => {
    const many = Array.from({ length: 501 }, () => ben);
    assert.equal((await matchPeople("ben", many, named)).filter, null);
    const ids = (_: string, limit: number) => Promise.resolve(Array(limit).fill("7"));
    assert.equal((await matchPeople("zoe", accounts, ids)).filter, null);
  });
});

const minute = 60_000;
const day = 24 * 60 * minute;

/** A tick of the event loop, in which a batch ends. */
const term = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A log with some batches of old entries. */
class BatchLog {
  readonly asked: number[] = [];
  failure: unknown;

  constructor(public batches: number) {}

  forgetSome(olderThan: number): Promise<boolean> {
    this.asked.push(olderThan);
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(--this.batches < 0);
  }
}

describe("the expiry of the activity log", () => {
  it("deletes old entries at its start and then every ten minutes", async () => {
    const [clock, log, failures] = [new ManualClock(), new BatchLog(0), [] as unknown[]];
    clock.advance(10 * day);
    const failed = (error: unknown) => failures.push(error);
    const expiry = new LogExpiry(partOf(log), 3, failed, clock);
    await term();
    for (const failure of ["no database", undefined]) {
      log.failure = failure;
      clock.advance(10 * minute);
      await term();
    }
    assert.deepEqual(log.asked, [0, 10, 20].map((minutes) => 7 * day + minutes * minute));
    await expiry.stop();
    assert.deepEqual([failures, clock.timers], [["no database"], 0]);
  });

  it("lets other work be done after each batch, until all that is old is gone", async () => {
    const [clock, log] = [new ManualClock(), new BatchLog(3)];
    const expiry = new LogExpiry(partOf(log), 3, assert.ifError, clock);
    for (let batch = 1; batch <= 4; batch++) {
      await term();
      assert.equal(log.asked.length, batch);
      clock.advance(1_000);
    }
    await term();
    assert.equal(log.asked.length, 4);
    await expiry.stop();
  });

  it("ends with the batch that is under way when it is stopped", async () => {
    const [clock, log] = [new ManualClock(), new BatchLog(3)];
    const expiry = new LogExpiry(partOf(log), 3, assert.ifError, clock);
    await expiry.stop();
    assert.deepEqual([log.asked.length, clock.timers], [1, 0]);
  });
});
