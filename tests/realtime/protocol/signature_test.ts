import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  requestText,
  signChannel,
  signUser,
  verifyChannel,
  verifyUser,
} from "@/realtime/protocol/signature.ts";
import { app } from "../harness.ts";

const vectors = [
  {
    sign: () => signChannel(app, "1234.1234", "private-foobar"),
    digest: "58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4",
  },
  {
    sign: () => signUser(app, "1234.1234", '{"id":"12345"}'),
    digest: "4708d583dada6a56435fb8bc611c77c359a31eebde13337c16ab43aa6de336ba",
  },
  {
    sign: () =>
      signChannel(
        app,
        "1234.1234",
        "presence-foobar",
        '{"user_id":10,"user_info":{"name":"Mr. Channels"}}',
      ),
    digest: "31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80",
  },
];

const right = signChannel(app, "1.2", "private-a", "{}");
const wrong: Record<string, [auth: string, socketId: string, channel: string, data?: string]> = {
  "a forged signature": [`${app.key}:${"0".repeat(64)}`, "1.2", "private-a", "{}"],
  "a truncated signature": [right.slice(0, -1), "1.2", "private-a", "{}"],
  "an empty signature": [`${app.key}:`, "1.2", "private-a", "{}"],
  "an empty auth": ["", "1.2", "private-a", "{}"],
  "another key": [right.replace(app.key, "other"), "1.2", "private-a", "{}"],
  "a signature in capitals": [right.toUpperCase(), "1.2", "private-a", "{}"],
  "another socket": [right, "1.3", "private-a", "{}"],
  "another channel": [right, "1.2", "private-b", "{}"],
  "other channel data": [right, "1.2", "private-a", "{ }"],
  "no channel data": [right, "1.2", "private-a"],
  "text beyond ASCII": [`${app.key}:é`, "1.2", "private-a", "{}"],
};

describe("A signature", () => {
  for (const { sign, digest } of vectors) {
    it(`is the published digest ${digest.slice(0, 8)}…`, () => {
      assert.equal(sign(), `${app.key}:${digest}`);
    });
  }

  it("is verified when it is right", () => {
    assert.deepEqual(verifyChannel(app, right, "1.2", "private-a", "{}"), { ok: true });
    const user = signUser(app, "1.2", "{}");
    assert.deepEqual(verifyUser(app, user, "1.2", "{}"), { ok: true });
    assert.equal(verifyUser(app, user, "1.3", "{}").ok, false);
  });

  for (const [name, [auth, socketId, channel, data]] of Object.entries(wrong)) {
    it(`is refused with ${name}`, () => {
      const result = verifyChannel(app, auth, socketId, channel, data);
      assert.equal(result.ok, false);
      assert.match(result.message, /^Invalid (signature: Expected HMAC|key in subscription auth)/);
      assert.ok(!result.message.includes(app.secret));
    });
  }

  it("of a call is made of the method in capitals, the path and the parameters, a line each", () => {
    assert.equal(requestText("post", "/apps/1/events", "a=1&b=2"), "POST\n/apps/1/events\na=1&b=2");
  });

  it("that is refused is repeated up to 500 characters, and so is a key", () => {
    for (const auth of [`${app.key}:${"x".repeat(10_000)}`, "x".repeat(10_000)]) {
      const result = verifyChannel(app, auth, "1.2", "private-a");
      assert.ok(!result.ok && result.message.includes(`${"x".repeat(500)}…`));
      assert.ok(result.message.length < 1_200);
    }
  });
});
