import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import { next } from "../pusher_client.ts";

export const watching = new Suite("watchlist", "Watchlists");

const event = "pusher_internal:watchlist_events";

watching.rule(
  "watchlist.at-once",
  "A user who signs in with a `watchlist` is sent which of those users are online and which " +
    "offline.",
  sources.watchlist,
  async (harness) => {
    await harness.set({ watchlist: true });
    await harness.signedIn({ userId: "bob" });
    const client = await harness.signedIn({ userId: "ann", watchlist: ["bob", "cleo"] });
    await client.settled();
    const [{ data }] = client.received(event);
    assert.deepEqual(JSON.parse(data), {
      events: [{ name: "online", user_ids: ["bob"] }, { name: "offline", user_ids: ["cleo"] }],
    });
  },
);

watching.rule(
  "watchlist.changes",
  "It is then sent when one of them comes online, with the first connection that signs in, and " +
    "goes offline, with the end of the last.",
  sources.watchlist,
  async (harness) => {
    await harness.set({ watchlist: true });
    const client = await harness.signedIn({ userId: "ann", watchlist: ["bob"] });
    const seen: string[] = [];
    for (const name of ["online", "offline"]) {
      const note = ({ user_ids }: { user_ids: string[] }) => seen.push(`${name} ${user_ids}`);
      client.user.watchlist.bind(name, note);
    }
    const tabs = [
      await harness.signedIn({ userId: "bob" }),
      await harness.signedIn({ userId: "bob" }),
    ];
    await harness.signedIn({ userId: "cleo" });
    const offline = next(client.user.watchlist, "offline");
    for (const tab of tabs) tab.disconnect();
    await offline;
    assert.deepEqual(seen, ["online bob", "offline bob"]);
  },
);

watching.rule(
  "watchlist.limit",
  "A watchlist has up to 100 users. A longer one is ignored, with `pusher:error` 4302, which " +
    "does not close the connection.",
  sources.watchlist,
  async (harness) => {
    await harness.set({ watchlist: true });
    const ids = Array.from({ length: 101 }, (_, index) => `user-${index}`);
    const over = await harness.signedIn({ userId: "ann", watchlist: ids });
    await over.settled();
    assert.deepEqual(over.received("pusher:error").map(({ data }) => data.code), [4302]);
    assert.deepEqual(over.received(event), []);
    const within = await harness.signedIn({ userId: "bob", watchlist: ids.slice(1) });
    await within.settled();
    const [{ data }] = within.received(event);
    assert.deepEqual(JSON.parse(data).events[0].user_ids, ids.slice(1));
  },
);

watching.rule(
  "watchlist.opt-in",
  "An app may enable watchlists; by default they are ignored.",
  sources.watchlist,
  async (harness) => {
    const client = await harness.signedIn({ userId: "ann", watchlist: ["bob"] });
    await harness.signedIn({ userId: "bob" });
    await client.settled();
    assert.deepEqual(client.received(event), []);
  },
);
