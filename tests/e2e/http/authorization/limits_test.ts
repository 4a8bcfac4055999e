import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../../fixtures/admitted_socket.ts";
import { eventually, until } from "../../../fixtures/eventually.ts";
import { HttpVisitor } from "../../../fixtures/http_visitor.ts";
import { AppClient } from "../../../fixtures/member_sockets.ts";
import { ben, moveIn, userId } from "../../../fixtures/people.ts";
import { Rollcall } from "../../../fixtures/rollcall.ts";
import { addSignedIn, password } from "../../../fixtures/signed_in.ts";
import { reportedPageEvent } from "@/realtime/protocol/incoming.ts";
import { inspectorChannel, totalsChannel, visitorChannel } from "@/server/presence/channels.ts";
import { countedTargets } from "@/server/presence/counted_target.ts";
import { isWithin, limitName } from "@/shared/permissions.ts";
import { neededPermission } from "@/http/route_permissions.ts";
import { routesOfFiles } from "../../../fixtures/route_files.ts";
import {
  cellsOf,
  channels,
  chart,
  choices,
  desk,
  keyOf,
  type Marked,
  own,
  type Reader,
  sees,
  shop,
  shopName,
  support,
} from "./limited_readers.ts";

describe("accounts that are limited to some apps and channels", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let stack: AsyncDisposableStack;
  let readers: Reader[];
  let ids: { pia: string };

  async function member(one: Marked, id = `${one.mark}-id`): Promise<AppClient> {
    const client = stack.use(await AppClient.connect(server, one.app));
    const { mark } = one;
    const rollcall = { name: `Ann ${mark}`, detail: `${mark} team`, url: `https://a.test/${mark}` };
    await client.join(one.channel, { user_id: id, user_info: { name: mark }, rollcall });
    client.send(one.channel, reportedPageEvent, { path: `/${mark}`, device: "phone" });
    return client;
  }

  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    const file = await Deno.makeTempFile({ suffix: ".json" });
    stack.defer(() => Deno.remove(file));
    const rules = { enable_client_messages: true };
    const apps = [{ ...own, ...rules }, { ...shop, ...rules, name: shopName }];
    await Deno.writeTextFile(file, JSON.stringify(apps));
    server = stack.use(
      await Rollcall.start({
        APPS_FILE: file,
        COUNTED_CHANNELS: [desk, support].map(keyOf).join(" "),
        PRESENCE_GRACE_MS: "0",
        DRAIN_MS: "0",
      }),
    );
    [ada] = await moveIn(server, "user");
    const pia = {
      name: `Pia ${chart.mark}`,
      email: `${chart.mark}@example.com`,
      role: "user",
    } as const;
    const dan = {
      name: `Dan ${desk.mark}`,
      email: `${desk.mark}@example.com`,
      role: "user",
    } as const;
    const [piaTab] = await addSignedIn(server, [pia, dan]);
    await piaTab.get("/");
    ids = { pia: await userId(ada, pia) };
    const tab = stack.use(await AdmittedSocket.connect(server, own.key, piaTab));
    await tab.join(chart.channel);
    await tab.join(visitorChannel(ids.pia));
    for (const one of channels) await member(one);
    await member(desk, await userId(ada, dan));
    const roles = ["viewer", "moderator"] as const;
    const accounts = choices.map((limits, number) => ({
      name: `Rae${number}`,
      email: `rae${number}@example.com`,
      role: roles[number % 2],
      limits,
    }));
    const visitors = await addSignedIn(server, accounts);
    readers = accounts.map(({ limits, role }, index) => (
      { what: `${role} of ${limits.map(limitName)}`, limits, role, visitor: visitors[index] }
    ));
    await until(async () => {
      const { text } = await ada.get("/admin/activity");
      return channels.every(({ isCounted, mark }) => !isCounted || text.includes(mark));
    }, "the activity was stored");
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it("have a row here for every route that viewers and moderators may request", async () => {
    const listed = new Set(cellsOf(readers[0], ids).map(({ route }) => route));
    const granted = (await routesOfFiles()).filter((route) => {
      const [method, path] = route.split(" ");
      const pattern = path.replaceAll(/\[(\w+)\]/g, ":$1");
      return path.startsWith("/admin") && neededPermission(method, pattern) !== "manage";
    });
    assert.deepEqual([...listed].sort(), granted.sort());
  });

  it("get what they may see, by each choice an admin has, and of nothing else a name, a page, a number or a way to it", async () => {
    let cells = 0;
    const shown = new Set<string>();
    for (const reader of readers) {
      await reader.visitor.get("/account");
      for (const { route, path, fields, status, location } of cellsOf(reader, ids)) {
        const { visitor } = reader;
        const answer = await (fields ? visitor.submit(path, fields) : visitor.get(path));
        const request = `${reader.what}: ${route} ${path}`;
        assert.equal(answer.status, status, request);
        if (location) assert.match(answer.headers.get("location") ?? "", location, request);
        for (const one of channels) {
          if (!sees(reader, one)) {
            assert.ok(!answer.text.includes(one.mark), `${request}: ${one.mark}`);
            const isAsked = path.includes(one.channel) ||
              path.includes(encodeURIComponent(one.channel));
            if (one !== chart && !isAsked) assert.ok(!answer.text.includes(one.channel), request);
          } else if (answer.text.includes(one.mark)) shown.add(`${reader.what} ${one.mark}`);
        }
        const seesShop = channels.some((one) => one.app === shop && sees(reader, one));
        if (!seesShop) assert.ok(!answer.text.includes(shopName), `${request}: ${shopName}`);
        cells++;
      }
      for (const one of channels.filter((one) => sees(reader, one))) {
        assert.ok(shown.has(`${reader.what} ${one.mark}`), `${reader.what} sees ${one.mark}`);
      }
    }
    assert.ok(cells > 2_000, `${cells} cells`);
  });

  it("have no link to a page that refuses them, and one to each counted channel that they may see", async () => {
    for (const reader of readers) {
      const { visitor, what } = reader;
      const counted = channels.filter((one) => one.isCounted && sees(reader, one));
      const paths = new Set<string>();
      const pages = [
        ...counted.length > 0 ? ["/admin/activity"] : [],
        ...counted.map((one) => `/admin/online?channel=${encodeURIComponent(keyOf(one))}`),
        ...channels.filter((one) => sees(reader, one)).map((one) =>
          `/admin/channels/channel?app=${one.app.id}&name=${one.channel}`
        ),
      ];
      for (const page of ["/", "/account", "/admin/channels", ...pages]) {
        const { status, text } = await visitor.get(page);
        assert.equal(status, 200, `${what}: ${page}`);
        for (const [, path] of text.matchAll(/<a\b[^>]*\bhref="(\/[^"#]*)/g)) {
          paths.add(path.replaceAll("&amp;", "&"));
        }
        const [choices = ""] = text.match(/<nav[^>]*aria-label="Counted channels"[^]*?<\/nav>/) ??
          [];
        const offered = [...choices.matchAll(/href="\/admin\/online(?:\?channel=([^"]+))?"/g)]
          .map(([, key]) => key ? decodeURIComponent(key) : keyOf(chart));
        const expected = page.startsWith("/admin/online") && counted.length > 1
          ? counted.map(keyOf)
          : [];
        assert.deepEqual(offered, expected, `${what}: ${page}`);
      }
      assert.equal(paths.has("/admin/online"), counted.length > 0, what);
      // Who opens the live view is in the list before the page has joined.
      const email = `rae${readers.indexOf(reader)}@example.com`;
      paths.delete(`/admin/people/${await userId(ada, { email })}`);
      for (const path of paths) {
        const { status } = await visitor.get(path);
        assert.ok(status < 400, `${what}: ${path} was answered with ${status}`);
      }
    }
  });

  it("are sent the sum of several counted channels, and none where they may see one", async () => {
    for (const reader of readers) {
      const counted = channels.filter((one) => one.isCounted && sees(reader, one));
      for (const one of counted) {
        const path = `/admin/online/snapshot?channel=${encodeURIComponent(keyOf(one))}`;
        const sum = JSON.parse((await reader.visitor.get(path)).text).counted;
        const keys = sum?.channels.map(({ key }: { key: string }) => key);
        const expected = counted.length > 1 ? counted.map(keyOf) : undefined;
        assert.deepEqual(keys, expected, `${reader.what}: ${path}`);
      }
    }
  });

  it("are sent over sockets what happens where they may see, and nothing of elsewhere", async () => {
    const targets = countedTargets(
      [{ channel: desk.channel }, { appId: shop.id, channel: support.channel }],
      own.id,
    );
    const followed: { reader: Reader; texts: string[] }[] = [];
    for (const reader of readers) {
      await reader.visitor.get("/");
      const tab = stack.use(await AdmittedSocket.connect(server, own.key, reader.visitor));
      const texts: string[] = [];
      tab.socket.addEventListener("message", ({ data }) => texts.push(data));
      await tab.join(chart.channel);
      const visible = targets.filter((target) => isWithin(reader.limits, target));
      const pages: [string, boolean][] = [
        ...targets.map((one): [string, boolean] => [one.pagesChannel, visible.includes(one)]),
        ...channels.map((one): [string, boolean] => [
          inspectorChannel({ appId: one.app.id, channel: one.channel }),
          sees(reader, one),
        ]),
        [totalsChannel(visible), visible.length > 0],
        ...visible.length < targets.length
          ? [[totalsChannel(targets), false] as [string, boolean]]
          : [],
      ];
      for (const [channel, isAdmitted] of pages) {
        const { status, text } = await tab.authorize(channel);
        assert.equal(status, isAdmitted ? 200 : 403, `${reader.what}: ${channel}`);
        if (!isAdmitted) continue;
        tab.subscribe(channel, JSON.parse(text));
        await tab.next("pusher_internal:subscription_succeeded");
      }
      // A page asks for the list and the events once it has joined.
      for (const one of channels.filter((one) => sees(reader, one))) {
        const headers = { "x-socket-id": tab.socketId };
        await reader.visitor.get(
          `/admin/channels/events?app=${one.app.id}&name=${one.channel}`,
          headers,
        );
        if (one.isCounted) {
          await reader.visitor.get(
            `/admin/online/snapshot?channel=${encodeURIComponent(keyOf(one))}`,
            headers,
          );
        }
      }
      followed.push({ reader, texts });
    }
    // Of a channel that is not counted, a page is sent the events.
    const lateIn = ({ isCounted, mark }: Marked) => isCounted ? `${mark}-late` : `client-${mark}`;
    for (const one of channels) {
      const client = await member(one, `${one.mark}-late`);
      // All who are signed in are members of the channel of the users online, and are sent such events.
      if (one !== chart) client.send(one.channel, `client-${one.mark}`, { text: one.mark });
    }
    for (const { reader, texts } of followed) {
      const seen = channels.filter((one) => sees(reader, one));
      await eventually(
        () =>
          seen.every((one) => texts.some((text) => text.includes(lateIn(one)))) ||
          undefined,
        `${reader.what} was sent what happened`,
      );
    }
    for (const { reader, texts } of followed) {
      for (const one of channels.filter((one) => !sees(reader, one))) {
        const leak = texts.find((text) =>
          text.includes(one.mark) || one !== chart && text.includes(one.channel) ||
          text.includes(`\\"key\\":\\"${keyOf(one)}\\"`)
        );
        assert.equal(leak, undefined, `${reader.what}: ${one.mark}`);
      }
    }
  });

  it("are limited by an admin, who is asked, at once: open pages connect again, signed out if they see less", async () => {
    const account = { ...ben, name: "Vee", email: "vee@example.com", role: "viewer" } as const;
    const [visitor] = await addSignedIn(server, [account]);
    await visitor.get("/");
    const path = `/admin/settings/team/${await userId(ada, account)}`;
    await ada.get(path);
    const choose = (fields: Record<string, string>) => ada.submit(`${path}/limits`, fields);
    const some = { sees: "some", [`limit:${own.id}/${desk.channel}`]: "on" };
    const asked = await choose({ ...some, confirmed: "" });
    assert.match(asked.text, /Change what Vee may see\?/);
    assert.match(asked.text, new RegExp(`name="limit:${own.id}/${desk.channel}" value="on"`));
    const none = await choose({ sees: "some" });
    assert.equal(none.status, 422);
    assert.match(none.text, /<h1[^>]*>Vee<[^]*Choose an app or a channel/);
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`limit:${own.id}/presence-${index}`, "on"]),
    );
    const tooMany = await choose({ ...some, ...many });
    assert.equal(tooMany.status, 422);
    assert.match(tooMany.text, /At most \d+ apps and channels/);
    assert.match(tooMany.text, new RegExp(`name="limit:${own.id}/${desk.channel}"[^>]*checked`));
    for (const [fields, isSignedIn] of [[some, false], [{ sees: "all" }, true]] as const) {
      await visitor.signIn(account);
      await using tab = await AdmittedSocket.connect(server, own.key, visitor);
      await tab.join(visitorChannel(path.split("/").at(-1)!));
      assert.match((await choose(fields)).headers.get("location") ?? "", /done=limits$/);
      assert.equal(await tab.closeCode(), 4200);
      assert.equal((await visitor.get("/admin/channels")).status, isSignedIn ? 200 : 303);
    }
    const { text } = await ada.get("/admin/activity/admins?action=limits_changed");
    assert.match(text, /everything → 4711\/presence-desk/);
    assert.match(text, /4711\/presence-desk → everything/);
  });

  it("are invited with limits, which hold from the first page on", async () => {
    await ada.get("/admin/settings/team");
    const fields = { email: "ivo@example.com", role: "viewer", sees: "some" };
    for (const sees of ["some", "neither"]) {
      const none = await ada.submit("/admin/settings/team/invites", { ...fields, sees });
      assert.equal(none.status, 422, sees);
      assert.match(none.text, /No link was made: Choose an app or a channel/);
    }
    const limit = `limit:${own.id}/${desk.channel}`;
    const made = await ada.submit("/admin/settings/team/invites", { ...fields, [limit]: "on" });
    assert.equal(made.status, 201);
    assert.match(made.text, new RegExp(`sees ${desk.channel} of [^<]*<[^]*name="${limit}"`));
    const [, path] = made.text.match(/(\/invite\/[\w-]+)/) ?? [];
    const ivo = new HttpVisitor(server.origin);
    await ivo.get(path);
    await ivo.submit(path, { name: "Ivo", password: ben.password });
    for (const [one, status] of [[desk, 200], [chart, 404], [support, 404]] as const) {
      const page = `/admin/online?channel=${encodeURIComponent(keyOf(one))}`;
      assert.equal((await ivo.get(page)).status, status, page);
    }
    const { text } = await ada.get("/admin/activity/admins?action=invite_created");
    assert.match(text, /4711\/presence-desk/);
  });

  it("act on no one whom they lost sight of while the request waited", async () => {
    const moderator = readers.find(({ limits, role }) =>
      role === "moderator" && limits.length === 1 && limits[0].channel === desk.channel
    )!;
    const email = `rae${readers.indexOf(moderator)}@example.com`;
    // The use of a session is stored once a minute: of a new one, it was not stored yet.
    const visitor = new HttpVisitor(server.origin);
    await visitor.signIn({ email, password });
    const [seen, lost] = ["seen", "lost"].map((what) => `${desk.mark}-${what}`);
    const clients = [await member(desk, seen), await member(desk, lost)];
    await visitor.get("/");
    const disconnect = (id: string) => visitor.submit(`/admin/people/${id}/disconnect`, {});
    assert.match((await disconnect(seen)).headers.get("location") ?? "", /done=/, "while it may");
    await clients[0].client.closed;
    using database = new DatabaseSync(join(server.dataFolder, "rollcall.sqlite"), {
      timeout: 10_000,
    });
    const { id } = database.prepare(`select "id" from "user" where "email" = ?`)
      .get(email) as { id: string };
    // The use of a session that was not seen for long is stored, once its user has been read.
    database.prepare(`update "session" set "updatedAt" = ? where "userId" = ?`)
      .run(new Date(Date.now() - 3_600_000).toISOString(), id);
    const others = JSON.stringify([{ app: shop.id, channel: null }]);
    database.exec(`create trigger "meanwhile" after update of "updatedAt" on "session"
      when new."userId" = '${id}'
      begin update "user" set "limits" = '${others}' where "email" = '${email}'; end`);
    assert.equal((await disconnect(lost)).status, 403);
    database.exec(`drop trigger "meanwhile"`);
    assert.match((await ada.get(`/admin/people/${lost}`)).text, /Online/);
    const { text } = await ada.get("/admin/activity/admins?action=member_removed");
    assert.match(text, new RegExp(seen));
    assert.doesNotMatch(text, new RegExp(lost));
  });
});

describe("a live view that no one else has come to", () => {
  it("connects an app for admins, and shows nothing of that to who may not open its page", async () => {
    await using server = await Rollcall.start();
    const [ada] = await moveIn(server);
    const accounts = (["viewer", "moderator"] as const)
      .map((role) => ({ name: role, email: `${role}@example.com`, role }));
    const readers = await addSignedIn(server, accounts);
    const waiting =
      /id="connect"[^]*href="\/admin\/settings\/connect"[^]*Waiting for the first user of your app/;
    assert.match((await ada.get("/admin/online")).text, waiting);
    for (const reader of readers) {
      const { status, text } = await reader.get("/admin/online");
      assert.equal(status, 200);
      assert.doesNotMatch(
        text,
        /\/admin\/settings\/connect|Waiting for the first user of your app/,
      );
    }
  });
});
