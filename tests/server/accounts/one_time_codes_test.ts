import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Secret, TOTP } from "otpauth";
import {
  decryptedSecret,
  encryptedSecret,
  newCodeSetup,
  newRecoveryCodes,
  openCodeSetup,
  recoveryCodeHash,
  stepOfCode,
} from "@/server/accounts/one_time_codes.ts";

const installation = "of the installation, and long enough";
const ada = { id: "a".repeat(32), email: "ada@example.org" };
const ben = { id: "b".repeat(32), email: "ben@example.org" };
const now = Date.parse("2026-11-28T12:00:10Z");

/** The secret and some rows of the table in RFC 6238, appendix B; its codes have 8 digits, of which apps show 6. */
const rfcSecret = new Secret({ buffer: new TextEncoder().encode("12345678901234567890").buffer })
  .base32;
const rfcCodes: [seconds: number, code: string][] = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
];

describe("one-time codes", () => {
  it("are those of RFC 6238, at their time and one step around it", () => {
    for (const [seconds, code] of rfcCodes) {
      const step = Math.floor(seconds / 30);
      for (const off of [-30, 0, 30]) {
        assert.equal(stepOfCode(rfcSecret, code, (seconds + off) * 1_000), step);
      }
      for (const off of [-90, 90]) {
        assert.equal(stepOfCode(rfcSecret, code, (seconds + off) * 1_000), null);
      }
    }
  });

  it("are taken with spaces, and in no other form", () => {
    const [[seconds, code]] = rfcCodes;
    assert.equal(
      stepOfCode(rfcSecret, ` ${code.slice(0, 3)} ${code.slice(3)}\n`, seconds * 1e3),
      1,
    );
    for (const wrong of ["", code.slice(1), `${code}0`, `-${code.slice(1)}`, "２８７０８２"]) {
      assert.equal(stepOfCode(rfcSecret, wrong, seconds * 1_000), null, wrong);
    }
  });

  it("are set up by a secret of 160 bits that apps understand", () => {
    const { secret, address } = newCodeSetup(installation, ada, now);
    assert.equal(Secret.fromBase32(secret).bytes.length, 20);
    const url = new URL(address);
    assert.equal(url.href.split("?")[0], "otpauth://totp/Rollcall:ada%40example.org");
    assert.equal(url.searchParams.get("secret"), secret);
    assert.equal(url.searchParams.get("issuer"), "Rollcall");
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = app.generate({ timestamp: now });
    assert.equal(stepOfCode(secret, code, now), Math.floor(now / 30_000));
  });

  it("keep their set-up in the form, for half an hour and the same user", () => {
    const setup = newCodeSetup(installation, ada, now);
    assert.deepEqual(openCodeSetup(installation, ada, setup.sealed, now + 29 * 60_000), setup);
    assert.equal(openCodeSetup(installation, ada, setup.sealed, now + 31 * 60_000), null);
    assert.equal(openCodeSetup(installation, ben, setup.sealed, now), null);
    assert.equal(openCodeSetup("another installation", ada, setup.sealed, now), null);
    const content = { secret: rfcSecret, at: now };
    const forged = Buffer.from(JSON.stringify(content)).toString("base64url");
    const [, signature] = setup.sealed.split(".");
    assert.equal(openCodeSetup(installation, ada, `${forged}.${signature}`, now), null);
    fc.assert(fc.property(fc.string(), (text) => {
      assert.equal(openCodeSetup(installation, ada, text, now), null);
    }));
  });
});

describe("what is stored of codes", () => {
  it("has the secret encrypted, for its user and installation only", () => {
    const stored = encryptedSecret(installation, ada.id, rfcSecret);
    assert(!stored.includes(rfcSecret));
    assert.notEqual(stored, encryptedSecret(installation, ada.id, rfcSecret));
    assert.equal(decryptedSecret(installation, ada.id, stored), rfcSecret);
    assert.equal(decryptedSecret(installation, ben.id, stored), null);
    assert.equal(decryptedSecret("another installation", ada.id, stored), null);
  });

  it("has recovery codes as signatures, the same for all ways to type one", () => {
    const codes = newRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) {
      assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/);
      const hash = recoveryCodeHash(installation, ada.id, code);
      assert(hash && !hash.includes(code));
      for (const typed of [code.toUpperCase(), code.replace("-", ""), ` ${code} `]) {
        assert.equal(recoveryCodeHash(installation, ada.id, typed), hash);
      }
      assert.notEqual(recoveryCodeHash(installation, ben.id, code), hash);
      assert.notEqual(recoveryCodeHash("another installation", ada.id, code), hash);
    }
    for (const wrong of ["", "123456", "abcde-fghi", "abcde-fghi1", "abcde-fghil"]) {
      assert.equal(recoveryCodeHash(installation, ada.id, wrong), null, wrong);
    }
  });
});
