import assert from "node:assert/strict";
import { afterAll, beforeAll, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import {
  addressesIn,
  type Answer,
  HttpVisitor,
  withoutScripts,
} from "../../fixtures/http_visitor.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import {
  addApp,
  type MadeLink,
  makeEmbed,
  makeInvite,
  makeLink,
  makeMark,
  makeReceiver,
  makeRule,
  makeSiteTag,
  makeToken,
} from "../../fixtures/admin_forms.ts";
import { until } from "../../fixtures/eventually.ts";
import { describe } from "../../fixtures/long_run.ts";
import { isBelow, PathProxy } from "../../fixtures/path_proxy.ts";
import { cleo as cleoAccount, moveInWithForms, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { app } from "../../realtime/harness.ts";
import { mailSettings, type Sample, table } from "./authorization/table.ts";

const prefix = "/team/rollcall";
const metricsToken = "token-of-the-tests";

for (const strips of [false, true]) {
  const group = strips ? describe.inLongRun : describe;
  group(`below a path that the proxy ${strips ? "strips" : "passes on"}`, () => {
    let server: Rollcall;
    let proxy: PathProxy;
    let ada: HttpVisitor;
    let stranger: HttpVisitor;
    let link: MadeLink;
    let routes: Record<string, Sample[]>;

    beforeAll(async () => {
      server = await Rollcall.start({
        APP_URL: `http://localhost${prefix}/`,
        PUSHER_APP_ID: app.id,
        PUSHER_APP_KEY: app.key,
        PUSHER_APP_SECRET: app.secret,
        METRICS_TOKEN: metricsToken,
        ...mailSettings,
      });
      proxy = await PathProxy.before(server.origin, { prefix, strips });
      const published = { origin: proxy.origin, setupToken: () => server.setupToken() };
      [ada] = await moveInWithForms(published, "user");
      // An admin who is not counted would be no member of any channel.
      await ada.submit("/admin/online/counted", { counted: "yes" });
      stranger = new HttpVisitor(proxy.origin);
      link = await makeLink(ada);
      routes = table({
        cleoId: await userId(ada, cleoAccount),
        guestId: `guest-${"0".repeat(32)}`,
        appId: await addApp(ada, "Chat"),
        linkId: link.id,
        embedId: (await makeEmbed(ada)).id,
        siteTagId: (await makeSiteTag(ada)).id,
        markId: await makeMark(ada),
        receiverId: await makeReceiver(ada),
        ruleId: await makeRule(ada),
        tokenId: (await makeToken(ada)).id,
        inviteId: await makeInvite(ada),
        socketId: "1.2",
      });
    });
    afterAll(async () => {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    const connect = () => AdmittedSocket.connect(proxy, app.key, ada);

    it("the printed URLs are below it", () => {
      assert.match(server.origin, /^http:\/\/localhost:\d+\/team\/rollcall$/);
      assert.ok(server.log.includes(`${server.origin}/setup?token=`), server.log);
    });

    it("no page, redirect or cookie leads elsewhere, and no link is broken", async () => {
      await using tab = await connect();
      await tab.join("presence-chart");
      await logHasEntries(ada);
      const asked = new Set<string>();
      const named = new Set<string>();
      const queue = Object.entries(routes)
        .filter(([route]) => route.startsWith("GET "))
        .flatMap(([, samples]) => samples.map(({ path }) => path));
      queue.push(link.path, "/nothing", "/admin/nothing");
      while (queue.length > 0) {
        const path = queue.pop()!.split("#")[0];
        if (asked.has(path)) continue;
        asked.add(path);
        assert.ok(asked.size < 500, "the crawl comes to an end");
        for (const visitor of [stranger, ada]) {
          const answer = await visitor.get(path);
          for (const below of leadsTo(path, answer)) {
            named.add(below.path);
            if (visitor === ada && below.isLink) queue.push(below.path);
          }
          if (visitor === ada && !isUnknown(path)) assert.ok(answer.status < 400, path);
        }
      }
      for (const drawn of ["/admin/activity/activity.csv", "/sign-out", "/broadcasting/auth"]) {
        assert.ok(named.has(drawn), `${drawn} is named`);
      }
      const scripts = [...asked].filter((path) => /^\/_fresh\/js\/.*\.js$/.test(path));
      const styles = [...asked].filter((path) => /\.css\?/.test(path));
      assert.ok(scripts.length > 8 && styles.length > 0, [...asked].join("\n"));
      assert.deepEqual(proxy.strays, []);
    });

    // The app gets the same requests in both cases, as the tests of prefixed_app.ts show.
    if (!strips) {
      it("forms redirect below it, with and without confirmation", async () => {
        const posts = Object.entries(routes).filter(([route]) => route.startsWith("POST "))
          .flatMap(([, samples]) => samples).filter(({ access }) => access !== "signed out");
        for (const confirmed of ["", "yes"]) {
          for (const { path, fields } of posts) {
            await ada.get("/admin/settings/server");
            const answer = await ada.submit(path, { ...fields, confirmed });
            assert.ok(answer.status < 500, `${path}: ${answer.text}`);
            leadsTo(path, answer);
          }
        }
        await ada.submit("/admin/online/counted", { counted: "yes" });
        assert.deepEqual(proxy.strays, []);
      });
    }

    it("the API answers below it, and its page has this address", async () => {
      const { token } = await makeToken(ada, { name: "Below a path" });
      const program = new HttpVisitor(proxy.origin);
      const headers = { authorization: `Bearer ${token}` };
      const { text } = await program.send("GET", "/api/v1/online", undefined, headers);
      assert.equal(JSON.parse(text).state, "live");
      assert.match(
        (await ada.get("/admin/settings/api")).text,
        /\/team\/rollcall\/api\/v1\/online/,
      );
    });

    it("a site tag's script and what it asks are below it", async () => {
      const { script, auth } = await makeSiteTag(ada);
      assert.equal((await stranger.get(script)).status, 200);
      const body = new URLSearchParams({ socket_id: "1.2" });
      const asked = await stranger.send("POST", auth, body, { origin: "https://example.com" });
      assert.equal(asked.status, 200, asked.text);
      assert.deepEqual(proxy.strays, []);
    });

    it("sign-in redirects to the wanted page, and sign-out to sign-in", async () => {
      const visitor = new HttpVisitor(proxy.origin);
      const wanted = await visitor.get("/admin/activity?who=ben");
      const [, path] = wanted.headers.get("location")?.split(prefix) ?? [];
      assert.equal(path, "/sign-in?return=%2Fadmin%2Factivity%3Fwho%3Dben");
      const { text } = await visitor.get(path);
      const [, returnTo] = text.match(/name="return" value="([^"]*)"/) ?? [];
      const signedIn = await visitor.submit("/sign-in", {
        email: "ada@example.com",
        password: "correct horse battery",
        return: returnTo,
      });
      assert.equal(signedIn.headers.get("location"), `${prefix}/admin/activity?who=ben`);
      for (const elsewhere of ["//evil.example", "https://evil.example", "/../../other"]) {
        const { headers } = await visitor.get(`/sign-in?return=${encodeURIComponent(elsewhere)}`);
        assert.ok(isBelow(prefix, headers.get("location") ?? ""), elsewhere);
      }
      await visitor.get("/");
      const signedOut = await visitor.submit("/sign-out", {});
      assert.equal(signedOut.headers.get("location"), `${prefix}/sign-in`);
      assert.equal((await visitor.get("/")).status, 303);
    });

    it("the activity log can be downloaded", async () => {
      const { status, headers, text } = await ada.get("/admin/activity/activity.csv");
      assert.deepEqual([status, headers.get("content-type")], [200, "text/csv; charset=utf-8"]);
      assert.match(text, /^\W*\w/);
    });

    it("sockets open and are authorized", async () => {
      await using socket = await connect();
      const { data } = await socket.join("presence-chart");
      assert.equal(data.presence.count, 1);
    });

    it("calls of other servers are accepted, signed with and without it", async () => {
      const { id: appId, key, secret } = app;
      const host = new URL(proxy.origin).host + prefix;
      const plain = new PusherServer({ appId, key, secret, host });
      const prefixed = new PusherServer({ appId, key, secret, host: new URL(proxy.origin).host });
      // The library's types do not have its configuration.
      const { config } = prefixed as unknown as { config: { prefixPath(path: string): string } };
      config.prefixPath = (path) => `${prefix}/apps/${appId}${path}`;
      await using socket = await connect();
      await socket.join("presence-chart");
      for (const [name, library] of Object.entries({ plain, prefixed })) {
        const response = await library.trigger("presence-chart", name, { text: "hello" });
        assert.deepEqual(await response.json(), {});
        assert.deepEqual((await socket.next(name)).data, { text: "hello" });
        const list = await library.get({ path: "/channels" });
        assert.deepEqual(await list.json(), { channels: { "presence-chart": {} } });
      }
      const unsigned = await fetch(`${proxy.origin}/apps/${appId}/nothing`);
      assert.deepEqual([unsigned.status, (await unsigned.json()).reason], [404, "unknown_call"]);
    });

    it("probes are answered below it and without it", async () => {
      const local = server.origin.slice(0, -prefix.length);
      for (const origin of [proxy.origin, server.origin, local]) {
        assert.equal(await (await fetch(`${origin}/up`)).text(), "up\n", origin);
      }
      const headers = { authorization: `Bearer ${metricsToken}` };
      const metrics = await (await fetch(`${proxy.origin}/metrics`, { headers })).text();
      assert.match(metrics, /route="socket"/);
      assert.match(metrics, /route="probe"/);
      assert.match(metrics, /route="api"/);
      assert.match(metrics, /route="auth"/);
    });

    /** The paths that an answer names. Fails when one is not below the prefix. */
    function leadsTo(asked: string, answer: Answer): { path: string; isLink: boolean }[] {
      for (const cookie of answer.headers.getSetCookie()) {
        assert.ok(`${cookie};`.toLowerCase().includes(`; path=${prefix};`), `${asked}: ${cookie}`);
      }
      const here = new URL(proxy.origin + asked);
      // The scripts of pages that connect an app hold blocks of code for the reader's own app.
      const hasCode = /^\/admin\/(settings\/connect|online)\b/.test(asked);
      const own = addressesIn(hasCode ? { ...answer, text: withoutScripts(answer.text) } : answer);
      // The documentation names specifications, too.
      const elsewhere = asked.startsWith("/docs/") ? /^(https|mailto):/ : /^$/;
      return own.filter(({ address }) => !elsewhere.test(address)).map(({ address, isLink }) => {
        const url = new URL(address, here);
        assert.equal(url.host, here.host, `${asked} names ${address}`);
        assert.ok(isBelow(prefix, url.pathname), `${asked} names ${address}`);
        return { path: url.pathname.slice(prefix.length) + url.search, isLink };
      });
    }
  });
}

/** Waits for the first entry of the activity log, which is written a moment after the join. */
async function logHasEntries(admin: HttpVisitor): Promise<void> {
  await until(
    async () => (await admin.get("/admin/activity")).text.includes("Download CSV"),
    "the activity log had an entry",
  );
}

/** Paths with unknown ids, or ids of what no longer exists. */
function isUnknown(path: string): boolean {
  return /^\/(setup|demo|sign-in\/oidc|(admin\/)?nothing|wallboard\/x|invite\/|reset-password\/|admin\/people\/guest-)/
    .test(path);
}

it("installations on one host do not affect each other's cookies", async () => {
  await using root = await Rollcall.start();
  await using below = await Rollcall.start({ APP_URL: "http://localhost/rollcall" });
  await using deeper = await Rollcall.start({ APP_URL: "http://localhost/rollcall/two" });
  const visitors: HttpVisitor[] = [];
  for (const server of [root, below, deeper]) {
    const visitor = new HttpVisitor(server.origin);
    // The worst case: a browser that sends every cookie everywhere.
    for (const [name, value] of visitors.at(-1)?.cookies ?? []) visitor.cookies.set(name, value);
    await visitor.setUp(await server.setupToken(), {
      name: "Ada",
      email: "ada@example.com",
      password: "correct horse battery",
    });
    visitors.push(visitor);
  }
  const { cookies } = visitors.at(-1)!;
  assert.equal(cookies.size, 9, [...cookies.keys()].join());
  for (const { origin } of visitors) {
    const everywhere = new HttpVisitor(origin);
    for (const [name, value] of cookies) everywhere.cookies.set(name, value);
    assert.equal((await everywhere.get("/admin/online")).status, 200, origin);
    const { status } = await everywhere.submit("/admin/settings/wallboards", { name: "Hall" });
    assert.equal(status, 201, origin);
  }
});
