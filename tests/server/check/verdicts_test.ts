import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  clientAddressVerdict,
  clockVerdict,
  installationVerdict,
} from "@/server/check/steps/installation.ts";
import { signatureVerdict, triggerVerdict } from "@/server/check/steps/signature.ts";
import { pageVerdict } from "@/server/check/steps/page.ts";
import { certificateVerdict } from "@/server/check/steps/tls.ts";
import {
  isSelfRequest,
  newSelfRequest,
  readSelfRequestAnswer,
  type ReceivedRequest,
  selfRequestAnswer,
} from "@/server/check/self_request.ts";
import { printable, printableAddress, type Verdict } from "@/server/check/step.ts";
import { parseConfig } from "@/server/config/config.ts";
import { socketAddress } from "@/server/check/protocol_client.ts";
import { addressBelow, addressOf, targetOf } from "@/server/check/target.ts";
import { targetAt } from "./harness.ts";

/** Asserts a verdict's state, and what was found and how to fix it as one text. */
function assertVerdict(verdict: Verdict, state: Verdict["state"], expected: RegExp): void {
  const text = `${verdict.found} ${"change" in verdict ? verdict.change : ""}`;
  assert.equal(verdict.state, state, text);
  assert.match(text, expected);
}

describe("the verdict on a clock", () => {
  const off = (serverSeconds: number, headerSeconds = serverSeconds) =>
    clockVerdict({ serverSeconds, headerSeconds });

  it("is ok for differences of up to a minute", () => {
    for (const seconds of [0, 1, -59]) {
      assertVerdict(off(seconds), "ok", /match \(\d+\.\d s apart\)/);
    }
    assertVerdict(off(0, NaN), "ok", /0\.0 s apart/);
  });

  it("is a failure when only the Date header is off, which a proxy writes", () => {
    assertVerdict(off(0, 90), "failed", /clock is right, but the Date header is 90 s ahead.*proxy/);
  });

  it("is a failure for larger differences, and states whether signatures are already refused", () => {
    assertVerdict(off(-90), "failed", /90 s behind .* 600 s, signatures are refused\. Synchronize/);
    assertVerdict(off(700), "failed", /700 s ahead of .* refused, as they are now/);
  });
});

describe("the verdict on a certificate", () => {
  const now = Date.parse("2026-01-01");
  const seen = {
    host: "a.example.com",
    validFrom: now - 1,
    validTo: Date.parse("2026-01-09"),
    isForHost: true,
    names: "a.example.com",
    distrust: null as string | null,
    isGiven: false,
  };

  it("states the days left, and asks for a renewal when they are less than 14", () => {
    assertVerdict(
      certificateVerdict(seen, now),
      "ok",
      /2026-01-09 \(8 days left\)\. Check that it gets renewed/,
    );
    const long = { ...seen, validTo: Date.parse("2026-03-01") };
    assertVerdict(certificateVerdict(long, now), "ok", /59 days left\)\. $/);
  });

  const faults: [what: string, change: Partial<typeof seen>, expected: RegExp][] = [
    ["that has expired", { validTo: now - 1 }, /expired on 2025-12-31.*Renew it/],
    ["for another host", { isForHost: false, names: "b.example.com" }, /but for b\.example\.com/],
    ["that signed itself", { distrust: "DEPTH_ZERO_SELF_SIGNED_CERT" }, /Self-signed/],
    [
      "that signed itself and that DENO_CERT names",
      { distrust: "DEPTH_ZERO_SELF_SIGNED_CERT", isGiven: true },
      /the one that `DENO_CERT` names.*Make an authority/,
    ],
    ["without its chain", { distrust: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, /Serve the full chain/],
  ];
  for (const [what, change, expected] of faults) {
    it(`is a failure for a certificate ${what}`, () => {
      assertVerdict(certificateVerdict({ ...seen, ...change }, now), "failed", expected);
    });
  }

  it("is a failure for a certificate that is not valid yet", () => {
    const early = { ...seen, validFrom: now + 86_400_000 };
    assertVerdict(certificateVerdict(early, now), "failed", /not valid before 2026-01-02.*clock/);
  });
});

describe("the verdict on a client address", () => {
  const from = { address: "192.0.2.7", port: 5000 };
  const proxy = { address: "10.0.0.2", port: 6000 };
  const sees = {
    peer: proxy,
    isPeerTrusted: false,
    client: proxy.address,
    forwardedFor: ["192.0.2.7"],
    proxyHeaders: [] as string[],
  };
  const [plain, secure] = [targetAt("http://a.example.com"), targetAt("https://a.example.com")];

  it("is that there is no proxy when both ends see the same connection", () => {
    const direct = { ...sees, peer: from, client: from.address, forwardedFor: [] };
    assertVerdict(clientAddressVerdict(plain, direct, from), "ok", /No proxy.*192\.0\.2\.7/);
    const mapped = { ...from, address: "::ffff:192.0.2.7" };
    assertVerdict(clientAddressVerdict(plain, { ...direct, peer: mapped }, from), "ok", /No proxy/);
  });

  it("is ok behind a trusted proxy, in each form in which it writes the address", () => {
    for (const entry of ["192.0.2.7", "192.0.2.7:5000", "::ffff:192.0.2.7"]) {
      const trusted = { isPeerTrusted: true, client: "192.0.2.7", forwardedFor: [entry] };
      assertVerdict(
        clientAddressVerdict(plain, { ...sees, ...trusted }, from),
        "ok",
        /Trusted proxy/,
      );
    }
  });

  it("names the untrusted proxy, also when it is the second of two", () => {
    assertVerdict(
      clientAddressVerdict(plain, sees, from),
      "failed",
      /proxies, including 10\.0\.0\.2/,
    );
    const second = { ...sees, isPeerTrusted: true, client: "10.0.0.3" };
    const both = { ...second, forwardedFor: ["192.0.2.7", "10.0.0.3"] };
    assertVerdict(clientAddressVerdict(plain, both, from), "failed", /including 10\.0\.0\.3/);
  });

  it("names the untrusted proxy that runs on the machine of the check", () => {
    const local = { ...sees, forwardedFor: [proxy.address] };
    assertVerdict(clientAddressVerdict(plain, local, from), "failed", /including 10\.0\.0\.2/);
  });

  it("assumes a proxy without headers when the address is https and the server has no TLS", () => {
    const silent = { ...sees, forwardedFor: [] };
    assertVerdict(clientAddressVerdict(secure, silent, from), "failed", /hides client addresses/);
    assertVerdict(
      clientAddressVerdict({ ...secure, hasTls: true }, silent, from),
      "ok",
      /No forwarding headers/,
    );
    assertVerdict(clientAddressVerdict(plain, silent, from), "ok", /No forwarding headers/);
  });
});

describe("the verdict on responses of a server", () => {
  const response = {
    status: 503,
    headers: {},
    from: { address: "", port: 0 },
    sentAt: 0,
    answeredAt: 0,
  };
  const page = {
    ...response,
    status: 200,
    body: '<meta name="csrf-token"/><title>Sign in · Rollcall</title>',
  };

  it("is a failure when /up reports a missing database or a stopping server", () => {
    const target = targetAt("https://a.example.com");
    const upOf = (body: string) => pageVerdict(target, { page, up: { ...response, body } });
    assertVerdict(upOf("no database\n"), "failed", /DATABASE_URL/);
    assertVerdict(upOf("draining\n"), "failed", /is stopping/);
  });

  it("is a failure when /up reports that the server, or all of several, does not reach Redis", () => {
    const target = targetAt("https://a.example.com");
    const upOf = (status: number, body: string) =>
      pageVerdict(target, { page, up: { ...response, status, body } });
    // The second of each is what former releases said.
    for (const fault of ["partitioned", "cut off"]) {
      const up = `${fault}: other servers reach Redis, and this one does not\n`;
      assertVerdict(upOf(503, up), "failed", /other servers do/);
    }
    for (const fault of ["stale", "numbers stand still"]) {
      const up = `up, but ${fault} since 2026-01-01T10:02:11.000Z: no Redis\n`;
      assertVerdict(upOf(200, up), "failed", /numbers are not updating.*REDIS_URL/);
    }
    assertVerdict(upOf(200, "up, but 2 of 3 servers answer\n"), "ok", /Page loaded/);
  });

  it("is ok for several processes that share the count, and a failure unless all do", () => {
    const received = (process: string, sharesCount: boolean): ReceivedRequest => ({
      process,
      sharesCount,
      time: 1,
      client: "",
      host: "",
      forwardedFor: [],
      peer: { address: "", port: null },
      isPeerTrusted: false,
      proxyHeaders: [],
      hasCookie: true,
      hasOrigin: true,
    });
    const judge = (...answers: ReceivedRequest[]) => installationVerdict(answers, 200);
    assertVerdict(judge(received("a", false), received("a", false)), "ok", /Reached this server/);
    assertVerdict(
      judge(received("a", true), received("b", true), received("a", true)),
      "ok",
      /Reached 2 servers, which share the count/,
    );
    assertVerdict(
      judge(received("a", true), received("b", false)),
      "failed",
      /2 processes .* not all of them share the count.*same REDIS_URL/s,
    );
    assertVerdict(
      judge(received("a", false), received("b", false)),
      "failed",
      /Each counts only its own users.*run one process/s,
    );
  });

  it("suggests a fix for each refusal of the HTTP API", () => {
    const target = targetAt("https://a.example.com");
    const refused = (reason: string, status = 401) =>
      triggerVerdict(target, { status, body: JSON.stringify({ reason }) });
    assertVerdict(refused("expired_timestamp"), "failed", /clocks are too far apart/);
    assertVerdict(refused("invalid_signature"), "failed", /no rewrite/);
    assertVerdict(refused("over_quota", 403), "failed", /API_REQUESTS_PER_SECOND/);
    assertVerdict(
      triggerVerdict(target, { status: 413, body: "<h1>" }),
      "failed",
      /client_max_body/,
    );
    const hosted = { ...target, usesExternalServer: true };
    assertVerdict(triggerVerdict(hosted, { status: 401, body: "" }), "failed", /PUSHER_APP_ID/);
  });

  it("is a failure for a wrong member count and for a missing answer to a subscription", () => {
    assertVerdict(
      signatureVerdict("presence", { kind: "succeeded", count: 2 }),
      "failed",
      /reports 2 members/,
    );
    assertVerdict(
      signatureVerdict("presence", { kind: "succeeded", count: 1 }),
      "ok",
      /signatures accepted/,
    );
    assertVerdict(
      signatureVerdict("private", { kind: "silent", code: "ETIMEDOUT" }),
      "failed",
      /both directions/,
    );
  });
});

const app = { id: "1", key: "a-key-of-ours", secret: "a-secret-of-ours" };
const credentials = { PUSHER_APP_KEY: app.key, PUSHER_APP_SECRET: app.secret };

function target(environment: Record<string, string>) {
  return targetOf(parseConfig(environment), app, "k".repeat(32));
}

describe("the target of a check", () => {
  it("has the public address for pages, WebSockets and the HTTP API", () => {
    const own = target({ APP_URL: "https://rollcall.example.com:8443" });
    assert.equal(addressOf(own), "https://rollcall.example.com:8443");
    assert.equal(
      socketAddress(own).href,
      "wss://rollcall.example.com:8443/app/a-key-of-ours?protocol=7&client=rollcall-check&version=1",
    );
    assert.equal(addressBelow(own.api, "/apps/1/events").href, `${addressOf(own)}/apps/1/events`);
    assert.equal(own.usesExternalServer, false);
  });

  it("keeps the path of the public address before every path", () => {
    const address = new URL("https://example.com/rollcall");
    assert.equal(addressBelow(address, "/up").href, "https://example.com/rollcall/up");
    assert.equal(addressBelow(new URL(`${address}/`), "/up?a=b").href, `${address}/up?a=b`);
  });

  it("has Pusher's host names for WebSockets and HTTP API when a cluster is set", () => {
    const hosted = target({ ...credentials, PUSHER_APP_CLUSTER: "eu" });
    assert.equal(hosted.sockets.href, "wss://ws-eu.pusher.com/");
    assert.equal(hosted.api.href, "https://api-eu.pusher.com/");
    assert.deepEqual([hosted.usesExternalServer, hosted.isAppIdGiven], [true, false]);
  });

  it("has host, port and scheme of an external server for WebSockets and HTTP API", () => {
    const host = { PUSHER_HOST: "soketi.example.com", PUSHER_PORT: "6001", PUSHER_SCHEME: "http" };
    const hosted = target({ ...credentials, ...host, PUSHER_APP_ID: "1" });
    assert.equal(hosted.sockets.href, "ws://soketi.example.com:6001/");
    assert.equal(hosted.api.href, "http://soketi.example.com:6001/");
    assert.equal(hosted.isAppIdGiven, true);
  });
});

describe("the request that an installation sends to itself", () => {
  const secret = "s".repeat(32);
  const received = {
    process: "p",
    sharesCount: false,
    time: 1,
    isPeerTrusted: false,
    client: "c",
    forwardedFor: [],
    proxyHeaders: [],
    host: "h",
    hasCookie: true,
    hasOrigin: true,
    peer: { address: "a", port: null },
  };

  it("accepts an answer only if the same secret signed it for the same token", () => {
    const token = newSelfRequest(secret);
    assert.ok(isSelfRequest(secret, token));
    const body = JSON.stringify(selfRequestAnswer(secret, token, received));
    assert.deepEqual(readSelfRequestAnswer(secret, token, body), received);
    const other = newSelfRequest(secret);
    assert.equal(readSelfRequestAnswer(secret, other, body), null, "of another token");
    const forged = JSON.stringify(selfRequestAnswer("another secret", token, received));
    assert.equal(readSelfRequestAnswer(secret, token, forged), null);
    for (const text of ["", "{}", "no JSON", body.replace("true", "false")]) {
      assert.equal(readSelfRequestAnswer(secret, token, text), null, text);
    }
  });

  it("is refused when its token is missing, changed or signed with another secret", () => {
    const token = newSelfRequest(secret);
    const changed = (token[0] === "A" ? "B" : "A") + token.slice(1);
    for (const text of [null, "", ".", changed, `${token}x`, newSelfRequest("another secret")]) {
      assert.ok(!isSelfRequest(secret, text), String(text));
    }
  });
});

describe("text of other servers", () => {
  it("is printed on one line, shortened and without terminal control characters", () => {
    assert.equal(printable("a\u001b[31m\r\nb\u202ec"), "a [31m b c");
    assert.equal(printable("x".repeat(300)).length, 201);
  });

  it("is printed without query and fragment when it is an address", () => {
    const base = new URL("https://a.example.com/x");
    assert.equal(printableAddress("/y?token=1#z", base), "https://a.example.com/y");
    assert.equal(printableAddress("https://[", base), "https://[");
  });
});
