import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { LargeRows, type ShownRows } from "@/components/online_table/large_rows.ts";
import type { WantedRows } from "@/components/online_table/row_window.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { OnlineRows } from "@/shared/large_channel.ts";
import type { OnlineTableQuery } from "@/shared/online_table.ts";
import { personCalled } from "../../fixtures/doubles.ts";

const byName: OnlineTableQuery = { search: "", sort: { column: "name", descending: false } };

describe("the rows of a large channel", () => {
  const { fetch: originalFetch } = globalThis;
  let time: FakeTime;
  let page: EventTarget & { hidden: boolean };
  let wanted: WantedRows;
  let shown: ShownRows[];
  let requests: { query: URLSearchParams; answer(rows?: Partial<OnlineRows>): Promise<void> }[];
  let rows: LargeRows;
  beforeEach(() => {
    time = new FakeTime(1_000_000);
    page = Object.assign(new EventTarget(), { hidden: false, documentElement: { dataset: {} } });
    Object.assign(globalThis, { document: page });
    [shown, requests, wanted] = [[], [], { first: 0, end: 10, anchors: [] }];
    globalThis.fetch = (input) => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      const query = new URL(String(input), "http://localhost").searchParams;
      requests.push({
        query,
        async answer(rows) {
          const known = { at: 0, total: 1_000, hits: 1_000, offset: 0, people: people(0, 100) };
          // Read without waiting for the event loop.
          const json = () => Promise.resolve({ ...known, ...rows });
          resolve(Object.assign(new Response(null, { status: rows ? 200 : 500 }), { json }));
          await time.tickAsync(0);
        },
      });
      return promise;
    };
    rows = new LargeRows({} as ClientSettings, () => wanted, (some) => shown.push(some));
  });
  afterEach(() => {
    rows.stop();
    globalThis.fetch = originalFetch;
    Reflect.deleteProperty(globalThis, "document");
    time.restore();
  });

  const people = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => personCalled(`row ${from + index}`));
  const looksAt = (first: number, ...anchors: WantedRows["anchors"]) => {
    wanted = { first, end: first + 10, anchors };
    rows.look();
  };

  it("are asked for when the page is connected, and placed where they belong", async () => {
    rows.ask(byName, null);
    assert.equal(requests.length, 0);
    rows.ask(byName, 1);
    assert.deepEqual(Object.fromEntries(requests[0].query), {
      only: "",
      offset: "0",
      limit: "100",
      q: "",
      sort: "name",
    });
    await requests[0].answer({ offset: 500, hits: 900 });
    const [{ people, query }] = shown;
    assert.equal(query, byName);
    assert.deepEqual([people.length, Object.keys(people).length], [900, 100]);
    assert.equal(people[500].name, "row 0");
  });

  it("are asked for again every two seconds while people come and go, with what stays in place", async () => {
    rows.ask(byName, 1);
    await requests[0].answer({});
    time.tick(10_000);
    assert.equal(requests.length, 1);
    rows.ask(byName, 2);
    await requests[1].answer({});
    looksAt(20, { id: "row 25", row: 25 }, { id: "row 20", row: 20 });
    rows.ask(byName, 3);
    time.tick(1_999);
    assert.equal(requests.length, 2);
    time.tick(1);
    assert.deepEqual(requests[2].query.getAll("anchor"), ["25:row 25", "20:row 20"]);
  });

  it("are asked for at once where they are visible and not known, one request at a time", async () => {
    rows.ask(byName, 1);
    await requests[0].answer({});
    looksAt(85);
    assert.equal(requests.length, 1);
    looksAt(95);
    looksAt(400);
    looksAt(700);
    assert.equal(requests.length, 2);
    assert.equal(requests[1].query.get("offset"), "50");
    await requests[1].answer({ offset: 50, people: people(50, 150) });
    assert.equal(requests[2].query.get("offset"), "655");
    await requests[2].answer({ offset: 655, people: people(655, 755) });
    assert.equal(requests.length, 3);
    assert.equal(shown.at(-1)?.people[700].name, "row 700");
  });

  it("begin at the top with another search, and only the last one is asked for", async () => {
    rows.ask(byName, 1);
    await requests[0].answer({});
    looksAt(80, { id: "row 80", row: 80 });
    for (const search of ["a", "ad", "ada"]) rows.ask({ ...byName, search }, 1);
    assert.equal(requests[1].query.get("q"), "a");
    await requests[1].answer({});
    const { query } = requests[2];
    assert.deepEqual([query.get("q"), query.get("offset")], ["ada", "0"]);
    assert.deepEqual(query.getAll("anchor"), []);
    await requests[2].answer({ hits: 0, people: [] });
    assert.deepEqual(shown.at(-1)?.people, []);
    assert.equal(requests.length, 3);
  });

  it("are asked for again two seconds after a failure", async () => {
    rows.ask(byName, 1);
    await requests[0].answer();
    time.tick(1_999);
    assert.equal(requests.length, 1);
    time.tick(1);
    await requests[1].answer({});
    assert.equal(shown.length, 1);
  });

  it("are not brought up to date while the page is hidden, and at once when it is not", async () => {
    rows.ask(byName, 1);
    await requests[0].answer({});
    page.hidden = true;
    rows.ask(byName, 2);
    time.tick(60_000);
    assert.equal(requests.length, 1);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(requests.length, 2);
  });

  it("are neither asked for nor shown after a stop", async () => {
    rows.ask(byName, 1);
    rows.stop();
    await requests[0].answer({});
    rows.ask(byName, 2);
    page.dispatchEvent(new Event("visibilitychange"));
    time.tick(60_000);
    assert.deepEqual([shown.length, requests.length], [0, 1]);
  });
});
