import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { clientAddressVerdict } from "../../check/steps/client_address.ts";
import { clockVerdict } from "../../check/steps/clock.ts";
import { triggerVerdict } from "../../check/steps/event.ts";
import { pageVerdict } from "../../check/steps/page.ts";
import { signatureVerdict } from "../../check/steps/signature.ts";
import { certificateVerdict } from "../../check/steps/tls.ts";
import { answerTo, isSelfRequest, newSelfRequest, readAnswer } from "../../check/probe.ts";
import { shown, shownAddress } from "../../check/printable.ts";
import type { Verdict } from "../../check/verdict.ts";
import { subjectAt } from "./target.ts";

/** The state, and what was found and is to change in one text. */
function told(verdict: Verdict): [state: string, text: string] {
  return [verdict.state, `${verdict.found} ${"change" in verdict ? verdict.change : ""}`];
}

function assertTold(verdict: Verdict, state: string, text: RegExp): void {
  const [seen, said] = told(verdict);
  assert.equal(seen, state, said);
  assert.match(said, text);
}

describe("the verdict on a clock", () => {
  const off = (serverSeconds: number, headerSeconds = serverSeconds) =>
    clockVerdict({ serverSeconds, headerSeconds });

  it("is that it agrees, up to a minute", () => {
    for (const seconds of [0, 1, -59]) assertTold(off(seconds), "ok", /differ by \d+\.\d s/);
    assertTold(off(0, NaN), "ok", /0\.0 s/);
  });

  it("is that the server's is off, and whether signatures are refused by now", () => {
    assertTold(off(-90), "failed", /90 s behind .* 600 s, signatures are refused\. Let both/);
    assertTold(off(700), "failed", /700 s ahead of .* refused, as they are now/);
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
    distrust: null,
  };

  it("counts the days that are left, and calls for a renewal when they are few", () => {
    assertTold(certificateVerdict(seen, now), "ok", /2026-01-09, 8 days from now\. See that it/);
    const long = { ...seen, validTo: Date.parse("2026-03-01") };
    assertTold(certificateVerdict(long, now), "ok", /59 days from now\. $/);
  });

  it("is that it is not valid yet", () => {
    const early = { ...seen, validFrom: now + 86_400_000 };
    assertTold(certificateVerdict(early, now), "failed", /from 2026-01-02 on only.*clock/);
  });
});

describe("the verdict on where a request comes from", () => {
  const from = { address: "192.0.2.7", port: 5000 };
  const proxy = { address: "10.0.0.2", port: 6000 };
  const sees = {
    peer: proxy,
    isPeerTrusted: false,
    client: proxy.address,
    forwardedFor: ["192.0.2.7"],
    proxyHeaders: [] as string[],
  };
  const [plain, secure] = [subjectAt("http://a.example.com"), subjectAt("https://a.example.com")];

  it("is that nothing is in between when the connection is the same", () => {
    const direct = { ...sees, peer: from, client: from.address, forwardedFor: [] };
    assertTold(clientAddressVerdict(plain, direct, from), "ok", /No proxy.*192\.0\.2\.7/);
    const mapped = { ...from, address: "::ffff:192.0.2.7" };
    assertTold(clientAddressVerdict(plain, { ...direct, peer: mapped }, from), "ok", /No proxy/);
  });

  it("is right when the proxy is trusted, however it writes the address", () => {
    for (const entry of ["192.0.2.7", "192.0.2.7:5000", "::ffff:192.0.2.7"]) {
      const trusted = { isPeerTrusted: true, client: "192.0.2.7", forwardedFor: [entry] };
      assertTold(clientAddressVerdict(plain, { ...sees, ...trusted }, from), "ok", /is trusted/);
    }
  });

  it("names the proxy that is not trusted, the second of two as well", () => {
    assertTold(
      clientAddressVerdict(plain, sees, from),
      "failed",
      /proxies, 10\.0\.0\.2 among them/,
    );
    const second = { ...sees, isPeerTrusted: true, client: "10.0.0.3" };
    const both = { ...second, forwardedFor: ["192.0.2.7", "10.0.0.3"] };
    assertTold(clientAddressVerdict(plain, both, from), "failed", /10\.0\.0\.3 among them/);
  });

  it("finds a proxy that is silent by the TLS that somebody has to end", () => {
    const silent = { ...sees, forwardedFor: [] };
    assertTold(clientAddressVerdict(secure, silent, from), "failed", /does not say who asks/);
    assertTold(clientAddressVerdict({ ...secure, hasTls: true }, silent, from), "ok", /No proxy/);
    assertTold(clientAddressVerdict(plain, silent, from), "ok", /No proxy tells of itself/);
  });
});

describe("the verdict on answers that no proxy gives", () => {
  const answer = {
    status: 503,
    headers: {},
    from: { address: "", port: 0 },
    sentAt: 0,
    answeredAt: 0,
  };
  const page = {
    ...answer,
    status: 200,
    body: '<meta name="csrf-token"/><title>Sign in · Rollcall</title>',
  };

  it("tells a database that does not answer, and a server that is stopping", () => {
    const target = subjectAt("https://a.example.com");
    const upOf = (body: string) => pageVerdict(target, { page, up: { ...answer, body } });
    assertTold(upOf("no database\n"), "failed", /DATABASE_URL/);
    assertTold(upOf("draining\n"), "failed", /is stopping/);
  });

  it("tells the refusals of the HTTP API apart", () => {
    const target = subjectAt("https://a.example.com");
    const refused = (reason: string, status = 401) =>
      triggerVerdict(target, { status, body: JSON.stringify({ reason }) });
    assertTold(refused("expired_timestamp"), "failed", /clocks are too far apart/);
    assertTold(refused("invalid_signature"), "failed", /no rewrite/);
    assertTold(refused("over_quota", 403), "failed", /API_REQUESTS_PER_SECOND/);
    assertTold(triggerVerdict(target, { status: 413, body: "<h1>" }), "failed", /client_max_body/);
    const hosted = { ...target, isHosted: true };
    assertTold(triggerVerdict(hosted, { status: 401, body: "" }), "failed", /PUSHER_APP_ID/);
  });

  it("tells a server that does not count from one that is silent", () => {
    assertTold(signatureVerdict("presence", { kind: "succeeded", count: 2 }), "failed", /have 2/);
    assertTold(signatureVerdict("presence", { kind: "succeeded", count: 1 }), "ok", /Private and/);
    assertTold(
      signatureVerdict("private", { kind: "silent", code: "ETIMEDOUT" }),
      "failed",
      /both/,
    );
  });
});

describe("the question who a server is", () => {
  const secret = "s".repeat(32);
  const sighting = {
    ...{ process: "p", time: 1, isPeerTrusted: false, client: "c", forwardedFor: [] },
    ...{ proxyHeaders: [], host: "h", hasCookie: true, hasOrigin: true },
    peer: { address: "a", port: null },
  };

  it("is answered to whoever knows the secret, and believed from nobody else", () => {
    const question = newSelfRequest(secret);
    assert.ok(isSelfRequest(secret, question));
    const body = JSON.stringify(answerTo(secret, question, sighting));
    assert.deepEqual(readAnswer(secret, question, body), sighting);
    assert.equal(readAnswer(secret, newSelfRequest(secret), body), null, "of another question");
    const forged = JSON.stringify(answerTo("another secret", question, sighting));
    assert.equal(readAnswer(secret, question, forged), null);
    for (const text of ["", "{}", "no JSON", body.replace("true", "false")]) {
      assert.equal(readAnswer(secret, question, text), null, text);
    }
  });

  it("is no question when it is signed by others, changed or missing", () => {
    const question = newSelfRequest(secret);
    const changed = (question[0] === "A" ? "B" : "A") + question.slice(1);
    for (const text of [null, "", ".", changed, `${question}x`, newSelfRequest("another secret")]) {
      assert.ok(!isSelfRequest(secret, text), String(text));
    }
  });
});

describe("what strangers' servers say", () => {
  it("is shown on one line, short, and steers no terminal", () => {
    assert.equal(shown("a\u001b[31m\r\nb\u202ec"), "a [31m b c");
    assert.equal(shown("x".repeat(300)).length, 201);
  });

  it("is shown of an address without its query", () => {
    const base = new URL("https://a.example.com/x");
    assert.equal(shownAddress("/y?token=1#z", base), "https://a.example.com/y");
    assert.equal(shownAddress("https://[", base), "https://[");
  });
});
