import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { onlyServer, viewOfServers } from "@/server/presence/servers.ts";
import { FakeServers, serverRow } from "../../fixtures/fake_servers.ts";

const now = 1_000_000;
const web1 = serverRow({ number: "1", lastBeatAt: now, isSelf: true });
const web2 = (lastBeatAt: number) => serverRow({ number: "2", lastBeatAt });

/** Whether the second server is lost; undefined when no page shows it. */
async function isLost(lastBeatAt: number, staleSince?: number): Promise<boolean | undefined> {
  const servers = new FakeServers();
  servers.change({ rows: [web1, web2(lastBeatAt)], staleSince });
  const view = await viewOfServers(servers, now);
  return view?.rows.find(({ number }) => number === "2")?.isLost;
}

describe("the servers on a page", () => {
  it("are none where there can be one only", async () => {
    assert.equal(await viewOfServers(onlyServer, now), null);
  });

  it("have a server as lost that has not reported for a lease, and for a minute more", async () => {
    assert.equal(await isLost(now - 10_000), false);
    assert.equal(await isLost(now - 10_001), true);
    assert.equal(await isLost(now - 70_000), true);
    assert.equal(await isLost(now - 70_001), undefined);
  });

  it("have none as lost that reported before this server lost Redis", async () => {
    assert.equal(await isLost(now - 40_000, now - 35_000), false);
    assert.equal(await isLost(now - 46_000, now - 35_000), true);
  });

  it("have this server always, however long ago its report is", async () => {
    const servers = new FakeServers();
    servers.change({ rows: [{ ...web1, lastBeatAt: 0 }] });
    const view = await viewOfServers(servers, now);
    assert.deepEqual(view?.rows.map(({ isLost }) => isLost), [false]);
  });

  it("are in the order of their starts, whatever order they are known in", async () => {
    const servers = new FakeServers();
    const rows = [[9, "1"], [5, "3"], [5, "2"]].map(([startedAt, number]) =>
      serverRow({ startedAt: Number(startedAt), number: String(number), lastBeatAt: now })
    );
    servers.change({ rows, alive: { alive: 3, known: 4 }, staleSince: now - 1 });
    const view = await viewOfServers(servers, now);
    assert.deepEqual(view?.rows.map(({ number }) => number), ["2", "3", "1"]);
    assert.deepEqual([view?.alive, view?.known, view?.staleSince], [3, 4, now - 1]);
  });
});
