import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import type { Person } from "@/shared/online.ts";
import { makeToken } from "../../fixtures/admin_forms.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { EventFollower } from "../../fixtures/event_follower.ts";
import { eventually, until } from "../../fixtures/eventually.ts";
import { HttpVisitor, withoutScripts } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

/** What an app signs for a member. */
interface SignedMember {
  user_id: string;
  user_info?: unknown;
  rollcall?: unknown;
}

describe("the names that your own app gives to its users", () => {
  let server: Rollcall;
  let ada: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "0",
    });
    [ada] = await moveIn(server);
    await using page = await AdmittedSocket.connect(server, app.key, ada);
    await page.join("presence-chart");
    await using _ = await join({ user_id: "0" });
    // The first user of an app has admins' pages connect again that are counted.
    await page.closeCode();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Subscribes as a member; resolves once it has joined. */
  async function join(member: SignedMember): Promise<AdmittedSocket> {
    const client = await AdmittedSocket.connect(server, app.key, new HttpVisitor(server.origin));
    subscribe(client, member);
    await client.next("pusher_internal:subscription_succeeded");
    return client;
  }

  function subscribe(client: AdmittedSocket, member: SignedMember): void {
    const channel = "presence-chart";
    const channelData = JSON.stringify(member);
    const auth = signChannel(app, client.socketId, channel, channelData);
    client.subscribe(channel, { auth, channel_data: channelData });
  }

  /** The people online, by id. */
  async function people(): Promise<Record<string, Partial<Person>>> {
    const { people } = JSON.parse((await ada.get("/admin/online/snapshot")).text);
    return Object.fromEntries(people.map((person: Person) => [person.id, person]));
  }

  /** The names in the log of a person, newest first, once it has that many entries. */
  const logged = (who: string, count: number) =>
    eventually(async () => {
      const path = `/admin/activity/activity.csv?who=${encodeURIComponent(who)}`;
      const rows: Record<string, string>[] = parse((await ada.get(path)).text, { columns: true });
      return rows.length === count ? rows.map(({ name }) => name) : undefined;
    }, `the log had ${count} entries of ${who}`);

  it("are in the live view, from beside user_info or inside of it, and else from its name", async () => {
    const rollcall = { name: "Ann Ek", detail: "ann@example.com", url: "https://crm.example/1" };
    await using _1 = await join({ user_id: "1", user_info: { id: 1 }, rollcall });
    await using _2 = await join({ user_id: "2", user_info: { id: 2, rollcall: { name: "Bo" } } });
    await using _3 = await join({ user_id: "3", user_info: { name: "Cy" } });
    await using _4 = await join({
      user_id: "4",
      user_info: { name: "Public" },
      rollcall: { name: "Di" },
    });
    await using _5 = await join({ user_id: "5", rollcall: { detail: "no name" } });
    await using _6 = await join({ user_id: "6", user_info: { rollcall: [] } });
    const shown = await people();
    assert.deepEqual(
      Object.entries(shown).map(([id, { name, detail, url }]) => [id, name, detail, url]),
      [
        ["1", "Ann Ek", "ann@example.com", "https://crm.example/1"],
        ["2", "Bo", undefined, undefined],
        ["3", "Cy", undefined, undefined],
        ["4", "Di", undefined, undefined],
        ["5", "5", "no name", undefined],
        ["6", "6", undefined, undefined],
      ],
    );
    const { text } = await ada.get("/admin/online");
    for (const name of ["Ann Ek", "ann@example.com", "Bo", "Cy", "Di"]) {
      assert.ok(text.includes(name));
    }
    assert.doesNotMatch(text, /Public/);
  });

  it("are nowhere of a person whose app signed that they are private, who counts all the same", async () => {
    const channel = "presence-chart";
    const recorded = new URLSearchParams({ app: app.id, name: channel, record: "yes" });
    await ada.get(`/admin/channels/channel?${recorded}`);
    const { token } = await makeToken(ada);
    const follower = new EventFollower();
    const authorization = { authorization: `Bearer ${token}` };
    const events = `${server.origin}/api/v1/online/events`;
    const ended = follower.read(await fetch(events, { headers: authorization }));
    const rollcall = {
      private: true,
      name: "Secret Name",
      detail: "secret",
      url: "https://secret/",
    };
    await using tab = await join({ user_id: "7", user_info: { name: "Secret Info" }, rollcall });
    const report = (client: AdmittedSocket, path: string) => {
      const data = { path, device: "phone" };
      client.socket.send(JSON.stringify({ event: "client-rollcall-page", channel, data }));
    };
    report(tab, "/secret/page");
    await using other = await join({ user_id: "8", rollcall: { private: false, name: "Shown" } });
    report(other, "/shop");
    await until(async () => (await people())["8"].page?.path === "/shop", "a page was shown");
    const shown = await people();
    assert.deepEqual([shown["7"].name, shown["7"].page, shown["8"].name], [
      "7",
      undefined,
      "Shown",
    ]);
    await until(() => follower.people.has("8"), "the stream had both");
    const hidden = new URLSearchParams({ app: app.id, name: channel });
    const { lines, inspection } = JSON.parse(
      (await ada.get(`/admin/channels/events?${hidden}`)).text,
    );
    const added = lines.find(({ name }: { name: string }) => name.endsWith("member_added"));
    const number = String(added.number);
    const opened = { app: app.id, name: channel, inspection, number };
    const { text: eventData } = await ada.submit("/admin/channels/data", opened);
    assert.match(eventData, /user_id/);
    const places = [
      "/admin/online",
      "/admin/online/snapshot",
      "/admin/people/7",
      "/admin/people/7/now",
      "/admin/activity",
      `/admin/channels/channel?${hidden}`,
    ];
    const texts = await Promise.all(places.map(async (path) => (await ada.get(path)).text));
    const api = await fetch(`${server.origin}/api/v1/online`, { headers: authorization });
    const { text: exported } = await ada.submit("/admin/people/7/export", {});
    texts.push(await api.text(), JSON.stringify(follower.events), exported, eventData, server.log);
    for (const text of texts) assert.equal(text.match(/secret (name|info)|\/secret/i), null);
    assert.deepEqual(await logged("7", 1), [""]);
    await follower.cut();
    await ended;
  });

  it("come with the live changes and the ticker", async () => {
    await using admin = await AdmittedSocket.connect(server, app.key, ada);
    await admin.join("private-rollcall.online");
    // A page begins with the list, and is sent the changes from then on.
    await ada.get("/admin/online/snapshot");
    await using _ = await join({ user_id: "20", rollcall: { name: "Eve" } });
    const seen: string[] = [];
    while (!seen.includes("activity Eve") || !seen.includes("joined Eve")) {
      const { data } = await admin.next("App\\Events\\OnlineChanged");
      for (const change of data.changes) {
        if (change.type === "joined") seen.push(`joined ${change.person.name}`);
        if (change.type === "activity") seen.push(`activity ${change.entry.name}`);
      }
    }
  });

  it("reach no other client", async () => {
    await using watcher = await join({ user_id: "30", user_info: { id: 30 } });
    const rollcall = {
      name: "Hidden Name",
      detail: "hidden detail",
      url: "https://hidden.example",
    };
    await using member = await join({ user_id: "31", user_info: { id: 31, rollcall }, rollcall });
    const { data } = await watcher.next("pusher_internal:member_added");
    assert.deepEqual(data, { user_id: "31", user_info: { id: 31 } });
    await using late = await AdmittedSocket.connect(server, app.key, ada);
    const list = await late.join("presence-chart");
    assert.doesNotMatch(JSON.stringify([list, member.frames, late.frames]), /hidden|rollcall/i);
    assert.doesNotMatch(server.log, /hidden|Ann Ek/i);
  });

  it("are on the page of a person, with the second line and a link, and markup in them is inert", async () => {
    const rollcall = {
      name: "Max <b>Moe</b>",
      detail: "<i>Sales</i>",
      url: 'https://crm.example/?a="><script>1</script>',
    };
    await using _ = await join({ user_id: "40", rollcall });
    const { text } = await ada.get("/admin/people/40");
    assert.match(text, /Max &lt;b>Moe&lt;\/b>/);
    assert.match(text, /&lt;i>Sales&lt;\/i>/);
    assert.match(text, /<a href="https:\/\/crm\.example\/\?a=[^<"]*"[^>]*>Open in your app<\/a>/);
    for (const html of [text, (await ada.get("/admin/online")).text]) {
      assert.doesNotMatch(withoutScripts(html), /<b>|<i>|<script>/);
    }
  });

  it("are in the admin log as they were when an admin acted", async () => {
    const member = await join({ user_id: "50", rollcall: { name: "Before" } });
    assert.ok((await ada.submit("/admin/people/50/disconnect", {})).status < 400);
    assert.equal(await member.closeCode(), 4009);
    await using _ = await join({ user_id: "50", rollcall: { name: "After" } });
    const { text } = await ada.get("/admin/activity/admins?action=member_removed");
    assert.match(text, /Before/);
    assert.doesNotMatch(text, /After/);
  });

  it("are searched for in the log, which keeps the name of the time", async () => {
    await (await join({ user_id: "60", rollcall: { name: "Zoé Old" } })).close();
    assert.deepEqual(await logged("60", 2), ["Zoé Old", "Zoé Old"]);
    const second = await join({ user_id: "60", rollcall: { name: "Zoé New" } });
    await second.close();
    assert.deepEqual(await logged("60", 4), ["Zoé New", "Zoé New", "Zoé Old", "Zoé Old"]);
    assert.deepEqual(await logged("zoé n", 4), await logged("60", 4), "a name finds the person");
    const { text } = await ada.get("/admin/activity?who=ZOE");
    assert.match(text, /Zoé Old/);
    assert.match(
      (await ada.get("/admin/people/60")).text,
      /<h1[^>]*>\s*Zoé New/,
      "after the last leave",
    );
  });

  it("are refused when a field has a wrong type, with the field, and unknown fields are ignored", async () => {
    await using client = await AdmittedSocket.connect(
      server,
      app.key,
      new HttpVisitor(server.origin),
    );
    for (
      const [rollcall, field] of [
        [{ name: 7 }, "name"],
        [{ url: "javascript:alert(1)" }, "url"],
        [{ quiet: "yes" }, "quiet"],
      ] as const
    ) {
      for (const data of [{ rollcall }, { user_info: { rollcall } }]) {
        subscribe(client, { user_id: "70", ...data });
        const { data: { error } } = await client.next("pusher:subscription_error");
        assert.match(error, new RegExp(`rollcall\\.${field}`), error);
      }
    }
    await using _ = await join({ user_id: "71", rollcall: { name: "Fay", badge: { any: [1] } } });
    assert.equal((await people())["71"].name, "Fay");
  });
});
