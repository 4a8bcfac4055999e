import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  askNewPasskey,
  askPasskey,
  challengeOf,
  counterOf,
  newPasskeyOf,
  passkeyIdOf,
  passkeyName,
} from "@/server/accounts/passkeys.ts";

const secret = "of the installation, and long enough";
const ada = { id: "a".repeat(32), email: "ada@example.org", name: "Ada" };
const origin = "https://rollcall.example.com";
const now = Date.now();
const stored = { id: "AAAA", publicKey: "AAAA", counter: 3, transports: "internal,hybrid" };

describe("what is asked of passkeys", () => {
  it("is for the host, the user and one purpose, for ten minutes", async () => {
    const { options, sealed } = await askPasskey(secret, ada.id, [stored], origin, now);
    const asked = JSON.parse(options);
    assert.equal(asked.rpId, "rollcall.example.com");
    assert.deepEqual(asked.allowCredentials.map(({ id }: { id: string }) => id), ["AAAA"]);
    const read = (purpose: "passkey" | "new passkey", user = ada.id, at = now, key = secret) =>
      challengeOf(key, purpose, user, sealed, at);
    assert.equal(read("passkey"), asked.challenge);
    assert.equal(read("new passkey"), null);
    assert.equal(read("passkey", "b".repeat(32)), null);
    assert.equal(read("passkey", ada.id, now, "another installation"), null);
    assert.equal(read("passkey", ada.id, now + 9 * 60_000), asked.challenge);
    assert.equal(read("passkey", ada.id, now + 11 * 60_000), null);
    for (const text of ["", "x", ".", sealed.split(".")[0], "x".repeat(10_000)]) {
      assert.equal(challengeOf(secret, "passkey", ada.id, text, now), null);
    }
  });

  it("names a new one by the account, and leaves out those that are there", async () => {
    const { options } = await askNewPasskey(secret, ada, [stored], origin, now);
    const { rp, user, excludeCredentials, attestation } = JSON.parse(options);
    assert.deepEqual(rp, { name: "Rollcall", id: "rollcall.example.com" });
    assert.deepEqual([user.name, user.displayName], [ada.email, ada.name]);
    assert.deepEqual(excludeCredentials.map(({ id }: { id: string }) => id), ["AAAA"]);
    assert.equal(attestation, "none");
  });
});

describe("the answer of a browser", () => {
  it("is none whatever a stranger sends", async () => {
    const answers = ["", "{", "null", "[]", "{}", '{"id":7}', '{"id":"AAAA"}', "x".repeat(30_000)];
    answers.push(JSON.stringify({ id: "AAAA", rawId: "AAAA", type: "public-key", response: {} }));
    for (const answer of answers) {
      assert.equal(await newPasskeyOf("challenge", answer, origin), null, answer.slice(0, 50));
      assert.equal(await counterOf(stored, "challenge", answer, origin), null);
    }
    assert.equal(passkeyIdOf('{"id":"AAAA"}'), "AAAA");
    assert.equal(passkeyIdOf('{"id":"<b>"}'), null);
  });

  it("has a name that can be shown", () => {
    assert.equal(passkeyName(" My phone "), "My phone");
    assert.equal(passkeyName("\u202e"), "Passkey");
    assert.equal(passkeyName("x".repeat(200)).length, 60);
  });
});
