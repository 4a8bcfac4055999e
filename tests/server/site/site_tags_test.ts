import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { newGuest, readGuestCookie, readSiteGuest, siteGuest } from "@/server/accounts/guest.ts";
import type { Core } from "@/server/core.ts";
import { admits, SiteTags, type SiteVisit } from "@/server/site/site_tags.ts";
import { readSiteTagSettings, type SiteTag, siteTokens } from "@/server/site/stored_site_tags.ts";
import { embedTokens } from "@/server/embed/embed_links.ts";
import type { AppOnAllServers, CloseOptions } from "@/realtime/server.ts";
import { mostSiteTags } from "@/shared/limits.ts";
import { siteOf, sitePath } from "@/shared/site.ts";
import { describeOnDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const secret = "a secret of the tests";
const origin = "https://example.com";
const clientAddress = "192.0.2.1";

/** A server whose sockets are those that a test claims. */
class Server {
  readonly clock = new ManualClock();
  readonly claimed: [socket: string, owner: string][] = [];
  readonly closed: [owner: string, options: CloseOptions | undefined][] = [];
  claim: "claimed" | "foreign" | "unreachable" = "claimed";
  /** What happens while the server of the socket is asked. */
  meanwhile = () => Promise.resolve();
  tags!: SiteTags;

  static async open(store: TestDatabase): Promise<Server> {
    const server = new Server();
    const allServers = partOf<AppOnAllServers>({
      async claimSocket(socket, { userId }) {
        server.claimed.push([socket, userId]);
        await server.meanwhile();
        return server.claim;
      },
      closeUser: (owner, options) => void server.closed.push([owner, options]),
    });
    const core: Core = partOf({
      database: await store.open(),
      appSecret: secret,
      pusherApp: partOf<Core["pusherApp"]>({ key: "key", secret: "secret" }),
      allServers,
    });
    server.tags = new SiteTags(core, () => {}, server.clock);
    return server;
  }

  async create(origins = [origin]): Promise<SiteTag> {
    const tag = await this.tags.create({ name: "Blog", origins, createdBy: "ada" });
    assert.ok(tag);
    return tag;
  }

  visit(tag: SiteTag, visit: Partial<SiteVisit> = {}) {
    return this.tags.admit(tag, { origin, socketId: "1.2", guest: "", clientAddress, ...visit });
  }
}

describeOnDatabase("site tags", (store) => {
  it("are known by their tokens to every server, with their origins, until revoked", async () => {
    const [one, other] = [await Server.open(store), await Server.open(store)];
    const tag = await one.create();
    const token = one.tags.tokenOf(tag);
    assert.deepEqual(await other.tags.check(token, "192.0.2.1"), { ok: true, tag });
    await one.tags.change(tag.id, { name: "News", origins: ["https://example.org"] });
    const changed = await other.tags.check(token, "192.0.2.1");
    assert.deepEqual(changed.ok && changed.tag.origins, ["https://example.org"]);
    assert.equal((await one.tags.revoke(tag.id))?.name, "News");
    assert.deepEqual(await other.tags.check(token, "192.0.2.1"), { ok: false, reason: "unknown" });
    assert.equal(await one.tags.revoke(tag.id), null);
  });

  it("own the sockets of their visitors, which a revocation closes", async () => {
    const server = await Server.open(store);
    const tag = await server.create();
    const visit = await server.visit(tag);
    assert.ok(visit.ok);
    assert.deepEqual(server.claimed, [["1.2", `site.${tag.id}`]]);
    const { user_id: id, rollcall } = JSON.parse(visit.authorization.channel_data);
    assert.deepEqual(rollcall, { quiet: true });
    assert.equal(readSiteGuest(secret, visit.authorization.guest)?.id, id);
    await server.tags.revoke(tag.id);
    const reason = "This site tag has been revoked";
    assert.deepEqual(server.closed, [[`site.${tag.id}`, { reason }]]);
  });

  it("sign nothing when they are revoked, or lose the origin, while the socket is claimed", async () => {
    const server = await Server.open(store);
    const [revoked, changed] = [await server.create(), await server.create()];
    server.meanwhile = async () => void await server.tags.revoke(revoked.id);
    assert.deepEqual(await server.visit(revoked), { ok: false, reason: "unknown" });
    const origins = ["https://example.org"];
    server.meanwhile = async () =>
      void await server.tags.change(changed.id, { name: "Blog", origins });
    assert.deepEqual(await server.visit(changed), { ok: false, reason: "origin_refused" });
    assert.equal(server.closed.at(-1)?.[1]?.code, 4200);
  });

  it("sign for no socket of another visitor, or of a server that does not answer", async () => {
    const server = await Server.open(store);
    const tag = await server.create();
    for (const claim of ["foreign", "unreachable"] as const) {
      server.claim = claim;
      assert.deepEqual(await server.visit(tag), { ok: false, reason: `${claim}_socket` });
    }
  });

  it("keep sockets when an origin is added, and close none of an origin that is refused", async () => {
    const server = await Server.open(store);
    const tag = await server.create();
    await server.tags.change(tag.id, { name: "Blog", origins: [origin, "https://example.org"] });
    assert.deepEqual(server.closed, []);
    const refused = await server.visit(tag, { origin: "https://example.net" });
    assert.deepEqual(refused, { ok: false, reason: "origin_refused" });
    assert.deepEqual(server.claimed, []);
  });

  it("store when they were last used, to the minute", async () => {
    const server = await Server.open(store);
    const tag = await server.create();
    const lastUsedAt = async () => (await server.tags.find(tag.id))?.lastUsedAt;
    await server.visit(tag);
    const first = await lastUsedAt();
    assert.equal(first, server.clock.date());
    server.clock.advance(59_000);
    await server.visit(tag);
    assert.equal(await lastUsedAt(), first);
    server.clock.advance(1_000);
    await server.visit(tag);
    assert.equal(await lastUsedAt(), server.clock.date());
  });

  it("sign for a bounded number of visitors at the same time, and leave room for other addresses", async () => {
    const server = await Server.open(store);
    const tag = await server.create();
    const answered = Promise.withResolvers<void>();
    server.meanwhile = () => answered.promise;
    const failureOf = async (address: string) => {
      const visit = await server.visit(tag, { clientAddress: address });
      return visit.ok ? null : visit.reason;
    };
    const ofStranger = Array.from({ length: 101 }, () => failureOf("2001:db8::1"));
    const isRefused = async (visit: Promise<string | null>) =>
      assert.equal(await withTimeout(visit, "a visitor too many was refused"), "busy");
    await isRefused(ofStranger[100]);
    await isRefused(failureOf("2001:db8::2"));
    const ofOthers = Array.from({ length: 901 }, (_, n) => failureOf(`192.0.${n % 200}.1`));
    await isRefused(ofOthers[900]);
    answered.resolve();
    const waiting = [...ofStranger.slice(0, -1), ...ofOthers.slice(0, -1)];
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([null]));
    assert.equal(await failureOf("2001:db8::1"), null);
  });

  it("are limited in number, and their requests per client, wrong tokens apart", async () => {
    const server = await Server.open(store);
    const tag = await server.create();
    for (let number = 1; number < mostSiteTags; number++) await server.create();
    const settings = { name: "Blog", origins: [origin], createdBy: "ada" };
    assert.equal(await server.tags.create(settings), null);
    const token = server.tags.tokenOf(tag);
    const reasonOf = async (token: string, address: string) => {
      const check = await server.tags.check(token, address);
      return check.ok ? "found" : check.reason;
    };
    for (let time = 0; time < 600; time++) await server.tags.check("wrong", "192.0.2.1");
    assert.equal(await reasonOf("wrong", "192.0.2.1"), "rate_limited");
    for (let time = 0; time < 600; time++) {
      assert.equal(await reasonOf(token, "192.0.2.1"), "found");
    }
    assert.equal(await reasonOf(token, "192.0.2.1"), "rate_limited");
    assert.equal(await reasonOf(token, "192.0.2.2"), "found");
    server.clock.advance(60_000);
    assert.equal(await reasonOf(token, "192.0.2.1"), "found");
  });
});

describe("what a site tag decides by", () => {
  it("is the origin as the browser states it, whole", () => {
    const tag: SiteTag = partOf({ origins: [origin] });
    assert.ok(admits(tag, origin));
    for (
      const other of [
        null,
        "null",
        "",
        "http://example.com",
        `${origin}:8443`,
        `${origin}.evil.org`,
      ]
    ) assert.ok(!admits(tag, other), `${other}`);
  });

  it("is a token that only this installation signs, and for nothing else", () => {
    const id = "A".repeat(22);
    assert.equal(siteTokens.idIn(secret, siteTokens.tokenOf(secret, id)), id);
    for (
      const token of [
        siteTokens.tokenOf("another", id),
        embedTokens.tokenOf(secret, id),
        id,
        "",
        "x",
      ]
    ) {
      assert.equal(siteTokens.idIn(secret, token), null);
    }
  });

  it("is a guest that it signed itself, which is no cookie of a guest", () => {
    const guest = newGuest();
    const text = siteGuest(secret, guest);
    assert.deepEqual(readSiteGuest(secret, text), guest);
    assert.equal(readGuestCookie(secret, text), null);
    assert.equal(readSiteGuest("another", text), null);
    assert.equal(readSiteGuest(secret, guest.id), null);
  });

  it("are settings with at least one origin, each once", () => {
    const origins = `${origin}\nhttps://www.example.com, ${origin}`;
    const read = readSiteTagSettings({ name: " Blog ", origins });
    const settings = { name: "Blog", origins: [origin, "https://www.example.com"] };
    assert.deepEqual(read, { ok: true, settings });
    for (
      const origins of ["", "example.com", "https://example.com/blog", "https://*.example.com"]
    ) {
      const refused = readSiteTagSettings({ name: "Blog", origins });
      assert.equal(!refused.ok && refused.field, "origins", origins);
    }
  });

  it("is a path of its own for the script and for visitors", () => {
    for (const asked of ["script", "auth"] as const) {
      assert.deepEqual(siteOf(sitePath("token", asked)), { token: "token", asked });
    }
    for (
      const path of ["/site/token", "/site/token/", "/site/a/b.js", "/site/.js", "/sites/a.js"]
    ) {
      assert.equal(siteOf(path), null);
    }
  });
});
