import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { eventually, until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const environment = {
  PUSHER_APP_KEY: key,
  PUSHER_APP_SECRET: "s".repeat(20),
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
  ADMIT_GUESTS: "true",
};
const formula = '=HYPERLINK("http://x.example","<b>Cleo</b>")';

/** The lines of the table on a page of the log: who, kind, and what. */
function rowsOf(html: string): string[][] {
  const body = html.match(/<tbody>([^]*)<\/tbody>/)?.[1] ?? "";
  return body.split("</tr>").slice(0, -1).map((row) =>
    row.split(/<\/t[dh]>/).slice(1, -1).map((cell) => cell.replace(/<[^>]*>/g, " ").trim())
      .map((text) => text.replace(/\s+/g, " "))
  );
}

describe("the activity log", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let others: HttpVisitor[];

  /** Comes online and goes again. */
  async function visit(visitor: HttpVisitor): Promise<void> {
    await using socket = await AdmittedSocket.connect(server, key, visitor);
    await socket.join("presence-chart");
  }

  /** The rows of the log for a query, once it has this many. */
  async function rows(count: number, query = ""): Promise<string[][]> {
    return await eventually(async () => {
      const found = rowsOf((await ada.get(`/admin/activity${query}`)).text);
      return found.length >= count ? found : undefined;
    }, `the log had ${count} rows for "${query}"`);
  }

  beforeAll(async () => {
    server = await Rollcall.start(environment);
    [ada, ...others] = await moveIn(server, "user");
    const added = { name: formula, email: "formula@example.com", password: ben.password };
    await ada.submit("/admin/settings/team", { ...added, role: "user" });
    await others[1].submit("/sign-out", {});
    await others[1].signIn(added);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("shows joins and leaves with reasons, newest first", async () => {
    await visit(others[0]);
    assert.deepEqual((await rows(2)).slice(0, 2), [
      ["Ben", "Rollcall account", "Left closed the page"],
      ["Ben", "Rollcall account", "Joined"],
    ]);
  });

  it("is filtered by name, kind and time", async () => {
    await visit(others[1]);
    const all = await rows(4);
    assert.equal(all.length, 4);
    const named = await rows(2, "?who=BEN");
    assert.deepEqual(named.map(([who]) => who), ["Ben", "Ben"]);
    assert.equal((await rows(0, "?kind=guest")).length, 0);
    const hour = 3_600_000;
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString().slice(0, 16);
    assert.equal((await rows(4, `?from=${ago(hour)}`)).length, 4);
    assert.equal((await rows(0, `?until=${ago(hour)}`)).length, 0);
  });

  it("answers 400 for an invalid filter", async () => {
    for (const query of ["?kind=robot", "?from=yesterday", `?who=${"a".repeat(300)}`]) {
      assert.equal((await ada.get(`/admin/activity${query}`)).status, 400, query);
      assert.equal((await ada.get(`/admin/activity/activity.csv${query}`)).status, 400, query);
    }
  });

  it("escapes names", async () => {
    const { text } = await ada.get(`/admin/activity?who=${encodeURIComponent('"><b>x</b>')}`);
    assert.equal(text.includes("<b>"), false);
    assert.equal((await ada.get("/admin/activity")).text.includes("<b>"), false);
  });

  it("links to older and newer pages", async () => {
    for (let time = 0; time < 30; time++) await visit(others[0]);
    await until(
      async () => /(.*\r\n){65}/.test((await ada.get("/admin/activity/activity.csv")).text),
      "the log had 64 entries",
    );
    assert.equal((await rows(50, "?who=ben")).length, 50);
    const { text } = await ada.get("/admin/activity?who=ben");
    const older = text.match(/href="([^"]*before=[^"]*)"/)![1].replaceAll("&amp;", "&");
    const next = rowsOf((await ada.get(older)).text);
    assert.equal(next.length, 12);
    assert.ok(next.every(([who]) => who === "Ben"), "the filter stays");
  });

  it("is exported as CSV with names, the same filter, and no formula", async () => {
    const { status, headers, text } = await ada.get("/admin/activity/activity.csv?who=formula");
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
    assert.match(
      headers.get("content-disposition")!,
      /^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const records: Record<string, string>[] = parse(text, { columns: true });
    assert.deepEqual(
      records.map(({ name, kind, change, reason }) => [name, kind, change, reason]),
      [
        [`'${formula}`, "user", "left", "closed"],
        [`'${formula}`, "user", "joined", ""],
      ],
    );
    const all: Record<string, string>[] = parse(
      (await ada.get("/admin/activity/activity.csv")).text,
      { columns: true },
    );
    assert.equal(all.length, 64);
  });

  it("shows who was disconnected by an admin", async () => {
    await using socket = await AdmittedSocket.connect(server, key, others[1]);
    await socket.join("presence-chart");
    const id = (await ada.get("/admin/settings/team")).text
      .match(/formula@example\.com[^]*?\/admin\/settings\/team\/(\w+)"/)![1];
    await ada.submit(`/admin/settings/team/${id}/disable`, {});
    const [[, , what]] = await rows(4, "?who=formula");
    assert.equal(what, "Left disconnected by an admin or your app");
  });

  it("is for admins only", async () => {
    const stranger = new HttpVisitor(server.origin);
    for (const path of ["/admin/activity", "/admin/activity/activity.csv"]) {
      assert.equal((await others[0].get(path)).status, 403, path);
      assert.equal((await stranger.get(path)).status, 303, path);
    }
  });
});
