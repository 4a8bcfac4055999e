import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { connectionAt, guideAddresses } from "@/server/apps/app_connection.ts";
import { joinedAttempts, RejectedAttempts } from "@/server/apps/rejected_attempts.ts";
import { appSettings } from "@/realtime/app_config.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import type { Rejection } from "@/realtime/server.ts";

const app = {
  id: "7",
  name: "Shop",
  key: "shop-key",
  isOwn: true,
  mayRotate: true,
  mayRemove: false,
};

/** The addresses of guides, as text. */
function addresses(publicUrl: string, origin: string): string[] {
  return guideAddresses(new URL(publicUrl), origin).map(({ id, url }) => `${id} ${url.href}`);
}

describe("the addresses of guides", () => {
  it("are this machine and an example while there is no public one", () => {
    assert.deepEqual(addresses("http://localhost:8000", "http://localhost:8000"), [
      "here http://localhost:8000/",
      "public https://rollcall.example.com/",
    ]);
  });

  it("are this machine and the public one where both are used", () => {
    assert.deepEqual(addresses("https://live.example.org/rollcall", "http://127.0.0.1:8000"), [
      "here http://127.0.0.1:8000/rollcall",
      "public https://live.example.org/rollcall",
    ]);
  });

  it("are for TLS for a page behind a proxy with TLS on this machine", () => {
    assert.deepEqual(
      addresses("https://localhost:8443/rollcall", "http://localhost:8443")[0],
      [
        "here https://localhost:8443/rollcall",
      ][0],
    );
    assert.equal(addresses("https://localhost", "http://localhost")[0], "here https://localhost/");
  });

  it("are only the public one for a page that was reached there", () => {
    assert.deepEqual(addresses("https://live.example.org", "https://live.example.org"), [
      "public https://live.example.org/",
    ]);
  });
});

describe("the connection of an app", () => {
  it("has host, port, scheme and path, and the secret only when it is revealed", () => {
    const url = new URL("https://live.example.org/rollcall");
    assert.deepEqual(connectionAt(app, "s3cret", url), {
      id: "7",
      key: "shop-key",
      secret: "s3cret",
      scheme: "https",
      host: "live.example.org",
      port: 443,
      path: "/rollcall",
    });
    const local = connectionAt(app, null, new URL("http://localhost:8000"));
    assert.deepEqual([local.port, local.path, local.scheme], [8_000, "", "http"]);
    assert.match(local.secret, /reveal/);
  });
});

const shop = appSettings({ id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" });

function rejection(changes: Partial<Rejection> = {}): Rejection {
  return { reason: "wrong_origin", from: "client", message: "Origin not allowed", ...changes };
}

describe("the rejected attempts of an app", () => {
  it("show the beginning of the signature that was expected, and neither the whole nor the secret", () => {
    const attempts = new RejectedAttempts();
    const signedText = "1.2:presence-chart:{}";
    const signature = "0".repeat(64);
    attempts.add(rejection({ reason: "wrong_signature", signedText, signature }), shop, 5);
    const [attempt] = attempts.of("shop");
    const whole = signChannel(shop, "1.2", "presence-chart", "{}").split(":")[1];
    const expected = `${whole.slice(0, 8)}…`;
    assert.deepEqual(attempt.signature, { signedText, expected, received: signature });
    assert.match(attempt.remedy, /secret of this page/);
    assert.ok(!JSON.stringify(attempt).includes(shop.secret));
    assert.ok(!JSON.stringify(attempt).includes(whole.slice(0, 9)));
  });

  it("count alike ones together, the newest first", () => {
    const attempts = new RejectedAttempts();
    for (const at of [1, 2]) {
      const signed = { signedText: `${at}.1:private-a`, signature: String(at) };
      attempts.add(rejection({ reason: "wrong_signature", message: `${at}`, ...signed }), shop, at);
    }
    attempts.add(rejection({ message: "Origin not allowed: https://a.example" }), shop, 3);
    attempts.add(rejection({ message: "Origin not allowed: https://b.example" }), shop, 4);
    const shown = attempts.of("shop").map(({ at, times, title }) => [at, times, title]);
    assert.deepEqual(shown, [
      [4, 1, "Origin not allowed"],
      [3, 1, "Origin not allowed"],
      [2, 2, "Wrong signature"],
    ]);
  });

  it("are the app's, and attempts that name no app, until the app is forgotten", () => {
    const attempts = new RejectedAttempts();
    attempts.add(rejection(), shop, 1);
    attempts.add(rejection({ reason: "unknown_app", message: "App key x" }), undefined, 2);
    attempts.add(rejection(), appSettings({ ...shop, id: "blog" }), 3);
    assert.deepEqual(attempts.of("shop").map(({ at }) => at), [2, 1]);
    attempts.forget("shop");
    assert.deepEqual(attempts.of("shop").map(({ at }) => at), [2]);
  });

  it("are at most 50, of which 10 are shown", () => {
    const attempts = new RejectedAttempts();
    for (let at = 0; at < 60; at++) attempts.add(rejection({ message: `Origin ${at}` }), shop, at);
    assert.deepEqual(attempts.of("shop").map(({ at }) => at), [
      59,
      58,
      57,
      56,
      55,
      54,
      53,
      52,
      51,
      50,
    ]);
    const blog = appSettings({ ...shop, id: "blog" });
    for (let at = 60; at < 110; at++) {
      attempts.add(rejection({ message: `Origin ${at}` }), blog, at);
    }
    assert.deepEqual(attempts.of("shop"), []);
  });

  it("of several servers are joined: alike ones together, with the signature that is expected now", () => {
    const [here, there] = [new RejectedAttempts(), new RejectedAttempts()];
    const signedText = "1.2:presence-chart:{}";
    for (const [attempts, at] of [[here, 5], [there, 7]] as const) {
      const signed = { signedText, signature: String(at) };
      attempts.add(rejection({ reason: "wrong_signature", ...signed }), shop, at);
      attempts.add(rejection({ message: `Origin ${at}` }), shop, at + 1);
    }
    const later = { rejection: { ...rejection(), reason: "of_a_later_release" }, at: 9, times: 1 };
    const sent = there.counted("shop");
    assert.ok(!JSON.stringify(sent).includes("expected"), "no server sends a signature to another");
    const joined = joinedAttempts([...here.counted("shop"), ...sent, later as never], shop);
    assert.deepEqual(joined.map(({ at, times, title }) => [at, times, title]), [
      [8, 1, "Origin not allowed"],
      [7, 2, "Wrong signature"],
      [6, 1, "Origin not allowed"],
    ]);
    const whole = signChannel(shop, "1.2", "presence-chart", "{}").split(":")[1];
    const expected = `${whole.slice(0, 8)}…`;
    assert.deepEqual(joined[1].signature, { signedText, expected, received: "7" });
  });
});
