import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseConfig } from "@/server/config/config.ts";
import { newAttempt, readAttempt, sealAttempt } from "@/server/oidc/attempt.ts";
import { joinedClaims, personOf, roleOf } from "@/server/oidc/claims.ts";

const secret = "of the installation, and long enough";

function rules(text: string) {
  return parseConfig({
    OIDC_ISSUER: "https://login.example.com",
    OIDC_CLIENT_ID: "rollcall",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_ROLES: text,
  }).oidc!.roles;
}

describe("the role of claims", () => {
  const cases: [text: string, claims: Record<string, unknown>, role: string | null][] = [
    ["groups:staff=viewer", { groups: ["cooks", "staff"] }, "viewer"],
    ["groups:staff=viewer", { groups: "staff" }, "viewer"],
    ["groups:staff=viewer", { groups: "my-staff" }, null],
    ["groups:staff=viewer", { groups: [["staff"], { staff: "staff" }] }, null],
    ["groups:staff=viewer", { groups: ["Staff"] }, null],
    ["groups:staff=viewer", {}, null],
    ["groups:staff=viewer,groups:boss=admin", { groups: ["boss", "staff"] }, "admin"],
    ["groups:boss=admin,groups:staff=viewer", { groups: ["staff", "boss"] }, "admin"],
    ["*=viewer, groups:boss=admin", { groups: [] }, "viewer"],
    ["*=user", {}, "user"],
    ["realm_access.roles:ops=moderator", { realm_access: { roles: ["ops"] } }, "moderator"],
    ["a.b:x=admin", { "a.b": "x" }, "admin"],
    ["a.b:x=admin", { a: null }, null],
    ["https://example.com/team:a=user", { "https://example.com/team": ["a"] }, "user"],
    ["id:urn:example:boss=admin", { id: "urn:example:boss" }, "admin"],
    ["on:a=b=admin", { on: "a=b" }, "admin"],
    ["paid:true=viewer,level:7=admin", { paid: true, level: 7 }, "admin"],
    ["constructor.name:Object=admin", {}, null],
    ["__proto__:x=admin", {}, null],
  ];
  for (const [text, claims, role] of cases) {
    it(`${text} of ${JSON.stringify(claims)} is ${role}`, () => {
      assert.equal(roleOf(claims, rules(text)), role);
    });
  }
});

describe("the person of claims", () => {
  const claims = { iss: "https://login.example.com", sub: "7", email: "Ada@Example.com" };
  const everyone = rules("*=viewer");

  it("has the verified email in lower case, and a name", () => {
    const named = { ...claims, email_verified: true, name: "  Ada Lovelace " };
    assert.deepEqual(personOf(named, everyone), {
      issuer: "https://login.example.com",
      subject: "7",
      email: "ada@example.com",
      name: "Ada Lovelace",
      role: "viewer",
    });
  });

  it("is refused unless the provider says plainly that the email is verified", () => {
    for (const email_verified of [undefined, false, "true", 1, null]) {
      assert.equal(personOf({ ...claims, email_verified }, everyone), "unverified_email");
    }
    const noEmail = { ...claims, email: "ada", email_verified: true };
    assert.equal(personOf(noEmail, everyone), "unverified_email");
  });

  it("has a name that an account can have, whatever the provider says", () => {
    const nameOf = (more: Record<string, unknown>) => {
      const person = personOf({ ...claims, email_verified: true, ...more }, everyone);
      return typeof person === "string" ? person : person.name;
    };
    assert.equal(nameOf({ name: "\u202e evil", preferred_username: "ada" }), "ada");
    assert.equal(nameOf({ name: " ", preferred_username: 7 }), "ada");
    assert.equal(nameOf({ name: "x".repeat(5_000) }).replaceAll("x", ""), "");
  });

  it("never has the email of one source with the verification of the other", () => {
    const userInfo = { sub: "7", email: "ada@example.com", email_verified: true, groups: ["a"] };
    const idToken = { ...claims, email: "eve@example.com" };
    assert.equal(personOf(joinedClaims(idToken, userInfo), everyone), "unverified_email");
    assert.deepEqual(joinedClaims(idToken, userInfo).groups, ["a"]);
    const { email: _, ...without } = claims;
    assert.equal(joinedClaims(without, userInfo).email_verified, true);
    const verified = { ...without, email_verified: true };
    const unverified = { sub: "7", email: "eve@example.com" };
    assert.equal(personOf(joinedClaims(verified, unverified), everyone), "unverified_email");
  });
});

describe("the cookie of an attempt", () => {
  const now = Date.now();
  const attempt = newAttempt("/admin/online", now);
  const sealed = sealAttempt(secret, attempt);

  it("is read by any server with the secret, for ten minutes", () => {
    assert.deepEqual(readAttempt(secret, sealed, now + 599_000), attempt);
    assert.equal(readAttempt(secret, sealed, now + 601_000), null);
    assert.equal(readAttempt("of another installation", sealed, now), null);
  });

  it("is refused when anything of it was changed", () => {
    const other = sealAttempt(secret, { ...attempt, returnTo: "/elsewhere" });
    const [[content], [, signature]] = [other.split("."), sealed.split(".")];
    for (const value of [`${content}.${signature}`, content, "", "x.y", undefined]) {
      assert.equal(readAttempt(secret, value, now), null);
    }
  });

  it("has no room for a path without end", () => {
    const long = newAttempt(`/?${"x".repeat(5_000)}`, now);
    assert.equal(long.returnTo, "/");
    assert(sealAttempt(secret, newAttempt(`/?${"x".repeat(1_400)}`, now)).length < 3_000);
  });
});
