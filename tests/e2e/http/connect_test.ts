import assert from "node:assert/strict";
import Pusher from "pusher";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { addApp, audited, credential, revealed } from "../../fixtures/admin_forms.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import type { AppCredentials } from "@/realtime/app_config.ts";

/** The status of a call that a server library of an app makes. */
async function callAs({ id, key, secret }: AppCredentials, server: Rollcall): Promise<number> {
  const port = new URL(server.origin).port;
  const library = new Pusher({ appId: id, key, secret, host: "127.0.0.1", port });
  try {
    return (await library.get({ path: "/channels" })).status;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

describe("the page that connects an app", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start();
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The id of the app of Rollcall's own pages. */
  const ownId = async () => credential((await ada.get("/admin/settings/connect")).text, "App ID");

  it("adds an app that works at once, and shows it with the name of the time in the admin log", async () => {
    const id = await addApp(ada, " Shop <1> ");
    const { text } = await ada.get(`/admin/settings/connect?app=${id}&done=added`);
    assert.match(text, /App added\./);
    assert.match(text, /aria-current="page"[^>]*>\s*Shop &lt;1>/, "it is the one that is shown");
    assert.match((await audited(ada))[0], /^Ada Added an app Shop &lt;1>$/);
    const shop = await revealed(ada, id);
    assert.equal(await callAs(shop, server), 200);
    assert.equal(await callAs({ ...shop, secret: "x".repeat(40) }, server), 401);
    const own = await revealed(ada, await ownId());
    await using page = await AdmittedSocket.connect(server, own.key, ada);
    await page.join("presence-chart");
    await using _ = await AdmittedSocket.joinAs(server, shop, "7");
    // The first user of an app has admins' pages connect again that are counted.
    await page.closeCode();
    assert.equal((await ada.get("/admin/online/snapshot")).text.includes('"users":0'), true);
  });

  it("keeps sockets open while an app is renamed and its secret replaced, and closes them when it is removed", async () => {
    const id = await addApp(ada, "Blog");
    const before = await revealed(ada, id);
    const member = await AdmittedSocket.joinAs(server, before, "7");
    const renamed = await ada.submit(`/admin/settings/connect/apps/${id}/rename`, {
      name: "Diary",
    });
    assert.equal(renamed.headers.get("location"), `/admin/settings/connect?app=${id}&done=renamed`);
    assert.match((await audited(ada))[0], /^Ada Renamed an app .*Diary$/);
    const rotated = await ada.submit(`/admin/settings/connect/apps/${id}/rotate`, {});
    assert.equal(rotated.headers.get("location"), `/admin/settings/connect?app=${id}&done=rotated`);
    assert.match((await audited(ada))[0], /^Ada Replaced the secret of an app Diary$/);
    const after = await revealed(ada, id);
    assert.notEqual(after.secret, before.secret);
    assert.equal(await callAs(before, server), 401, "the old secret signs nothing");
    assert.equal(await callAs(after, server), 200);
    assert.equal(member.socket.readyState, WebSocket.OPEN);
    await using other = await AdmittedSocket.joinAs(server, after, "8");
    assert.equal((await member.next("pusher_internal:member_added")).data.user_id, "8");

    const question = await ada.submit(`/admin/settings/connect/apps/${id}/remove`, {
      confirmed: "",
    });
    assert.match(question.text, /Remove Diary\?/, "it asks first");
    const removed = await ada.submit(`/admin/settings/connect/apps/${id}/remove`, {});
    assert.equal(removed.headers.get("location"), "/admin/settings/connect?done=removed");
    assert.equal(await member.closeCode(), 4001);
    assert.equal(await other.closeCode(), 4001);
    assert.match((await audited(ada))[0], /^Ada Removed an app Diary$/);
    assert.equal(await callAs(after, server), 404);
    assert.equal(
      (await ada.submit(`/admin/settings/connect/apps/${id}/rename`, { name: "A" })).status,
      404,
    );
    const status = await ada.get(`/admin/settings/connect/status?app=${id}`);
    assert.equal(status.status, 404);
  });

  it("replaces the secret of the app of its own pages, which go on to work", async () => {
    const id = await ownId();
    const before = await revealed(ada, id);
    await using tab = await AdmittedSocket.connect(server, before.key, ben);
    await tab.join("presence-chart");
    assert.equal((await ada.submit(`/admin/settings/connect/apps/${id}/rotate`, {})).status, 303);
    await using other = await AdmittedSocket.connect(server, before.key, ada);
    await other.join("presence-chart");
    await other.join("private-rollcall.online");
    assert.equal(tab.socket.readyState, WebSocket.OPEN);
    assert.equal(await callAs(before, server), 401);
    assert.equal(await callAs(await revealed(ada, id), server), 200);
    assert.equal((await ada.submit(`/admin/settings/connect/apps/${id}/remove`, {})).status, 422);
  });

  it("has the secret in the answer of a click that the admin log records, and nowhere else", async () => {
    const id = await addApp(ada, "Vault");
    const { secret } = await revealed(ada, id);
    assert.match((await audited(ada))[0], /^Ada Revealed the secret of an app Vault$/);
    const { headers } = await ada.submit(`/admin/settings/connect/apps/${id}/secret`, {});
    assert.match(headers.get("cache-control") ?? "", /no-store/);
    const shop = await AdmittedSocket.joinAs(server, await revealed(ada, id), "7");
    shop.subscribe("private-a", { auth: `${(await revealed(ada, id)).key}:${"0".repeat(64)}` });
    await shop.next("pusher:subscription_error");
    await shop.close();
    await ada.submit(`/admin/settings/connect/apps/${id}/rename`, { name: "Safe" });
    const paths = [
      `/admin/settings/connect?app=${id}`,
      `/admin/settings/connect?app=${id}&at=public`,
      `/admin/settings/connect/status?app=${id}`,
      `/admin/settings/connect/apps/${id}/secret`,
      "/admin/activity/admins",
      "/admin/online",
      "/admin/online/snapshot",
      "/admin/settings/server",
    ];
    for (const path of paths) {
      const { status, text } = await ada.get(path);
      assert.ok(status < 400, path);
      assert.ok(!text.includes(secret), path);
    }
    assert.ok(!server.log.includes(secret), "the log");
  });

  it("refuses a malformed name beside its field, with what was typed, and changes nothing", async () => {
    const id = await addApp(ada, "Kept");
    const before = await audited(ada);
    for (
      const [path, name, error] of [
        ["/admin/settings/connect", "  ", /Enter a name\./],
        ["/admin/settings/connect", "x".repeat(101), /At most 100 characters/],
        [`/admin/settings/connect/apps/${id}/rename`, "", /Enter a name\./],
        [`/admin/settings/connect/apps/${id}/rename`, `"a\u0007b`, /Remove control characters\./],
      ] as const
    ) {
      const { status, text } = await ada.submit(path, { name });
      assert.equal(status, 422, path);
      assert.match(text, error);
      assert.match(text, /aria-invalid/);
      if (name.trim()) {
        assert.ok(text.includes(`value="${name.replace('"', "&quot;").trim()}"`), name);
      }
    }
    assert.deepEqual(await audited(ada), before);
    assert.match((await ada.get(`/admin/settings/connect?app=${id}`)).text, /value="Kept"/);
  });

  it("is for admins only", async () => {
    const id = await addApp(ada, "Hidden");
    const { key } = await revealed(ada, id);
    await ben.get("/");
    const answers = [
      await ben.get("/admin/settings/connect"),
      await ben.get(`/admin/settings/connect/status?app=${id}`),
      await ben.submit("/admin/settings/connect", { name: "Mine" }),
      ...await Promise.all(
        ["secret", "rename", "rotate", "remove"].map((action) =>
          ben.submit(`/admin/settings/connect/apps/${id}/${action}`, { name: "Mine" })
        ),
      ),
    ];
    for (const { status, text } of answers) {
      assert.equal(status, 403);
      assert.ok(!text.includes(key));
    }
    assert.match((await ada.get(`/admin/settings/connect?app=${id}`)).text, /value="Hidden"/);
  });

  it("answers 404 for an app and an action that do not exist", async () => {
    const id = await ownId();
    for (const path of ["0/secret", "%00/rename", `${id}/explode`, `${id}/toString`]) {
      assert.equal(
        (await ada.submit(`/admin/settings/connect/apps/${path}`, {})).status,
        404,
        path,
      );
    }
  });
});

it("apps that admins added are served after a restart, with their names, keys and secrets", async () => {
  const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
  const before = await Rollcall.start({}, dataFolder);
  const [ada] = await moveIn(before);
  const id = await addApp(ada, "Shop");
  const shop = await revealed(ada, id);
  const ownId = credential((await ada.get("/admin/settings/connect")).text, "App ID");
  await ada.submit(`/admin/settings/connect/apps/${ownId}/rotate`, {});
  await ada.submit(`/admin/settings/connect/apps/${ownId}/rename`, { name: "Intranet" });
  const own = await revealed(ada, ownId);
  await before.stop();
  await using after = await Rollcall.start({}, dataFolder);
  assert.equal(await callAs(shop, after), 200);
  assert.equal(await callAs(own, after), 200);
  const again = new HttpVisitor(after.origin);
  for (const [name, value] of ada.cookies) again.cookies.set(name, value);
  const { text } = await again.get("/admin/settings/connect");
  assert.match(text, /aria-label="Apps"[^]*>Intranet<[^]*>Shop</);
});

describe("the page where a list in the settings has the apps", () => {
  it("shows them, and changes none", async () => {
    const shop = { id: "shop", key: "shop-key", secret: "a-secret-of-the-shop" };
    const blog = { id: "blog", key: "blog-key", secret: "a-secret-of-the-blog", name: "Blog" };
    await using server = await Rollcall.start({ APPS: JSON.stringify([shop, blog]) });
    const [ada] = await moveIn(server);
    const { text } = await ada.get("/admin/settings/connect?app=blog");
    assert.match(text, /listed in the server's settings/);
    assert.doesNotMatch(text, /Add app|Replace secret|Remove app|>Rename</);
    assert.equal(credential(text, "Key"), blog.key);
    for (
      const [path, fields] of [
        ["/admin/settings/connect", { name: "More" }],
        ["/admin/settings/connect/apps/blog/rename", { name: "Diary" }],
        ["/admin/settings/connect/apps/blog/rotate", {}],
        ["/admin/settings/connect/apps/blog/remove", {}],
      ] as [string, Record<string, string>][]
    ) {
      const { status, text } = await ada.submit(path, fields);
      assert.equal(status, 422, path);
      assert.match(text, /defined in the server's settings/, path);
    }
    assert.deepEqual(await audited(ada), []);
    assert.equal((await revealed(ada, "blog")).secret, blog.secret);
    assert.equal(await callAs(blog, server), 200);
  });
});
