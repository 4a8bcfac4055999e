import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  isSelfRequest,
  newSelfRequest,
  readSelfRequestAnswer,
  selfRequestAnswer,
} from "@/server/check/self_request.ts";

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
