import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig } from "@/server/config/config.ts";

const complete = {
  OIDC_ISSUER: "https://login.example.com/realms/company",
  OIDC_CLIENT_ID: "rollcall",
  OIDC_CLIENT_SECRET: "of the provider",
  OIDC_ROLES: "groups:staff=viewer",
};

function problems(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join("\n");
    throw error;
  }
  return "";
}

describe("the settings of a provider", () => {
  it("are all there or none", () => {
    assert.equal(parseConfig({}).oidc, undefined);
    assert.equal(parseConfig(complete).oidc?.name, "login.example.com");
    for (const name of Object.keys(complete)) {
      assert.match(problems({ ...complete, [name]: "" }), new RegExp(`^${name}: not given`));
    }
  });

  it("take a provider by http on this machine only", () => {
    for (const host of ["localhost:9000", "127.0.0.1", "[::1]:9000"]) {
      assert.equal(problems({ ...complete, OIDC_ISSUER: `http://${host}/realm` }), "");
    }
    const wrong = [
      "http://login.example.com",
      "http://localhost.example.com",
      "http://127.0.0.1.example.com",
      "https://user:secret@login.example.com",
      "https://login.example.com/?realm=1",
      "login.example.com",
    ];
    for (const address of wrong) {
      assert.match(problems({ ...complete, OIDC_ISSUER: address }), /^OIDC_ISSUER: .*https:\/\//);
    }
  });

  it("refuse a rule that is none, with an example of one", () => {
    for (
      const rule of [
        "",
        "staff=viewer",
        "groups:staff",
        "groups:=admin",
        "*=boss",
        "*:a=user",
        "a,*=user",
      ]
    ) {
      const text = problems({ ...complete, OIDC_ROLES: `groups:a=user,${rule}` });
      assert.match(text, /^OIDC_ROLES: .*groups:rollcall-admins=admin/, rule);
    }
  });

  it("do not print the secret", () => {
    const secret = "s3".repeat(600);
    const text = problems({ ...complete, OIDC_CLIENT_SECRET: secret });
    assert.match(text, /^OIDC_CLIENT_SECRET/);
    assert(!text.includes(secret));
  });

  it("leave a way to sign in", () => {
    assert.match(problems({ PASSWORD_SIGN_IN: "false" }), /^PASSWORD_SIGN_IN: false, but/);
    assert.equal(problems({ ...complete, PASSWORD_SIGN_IN: "false" }), "");
  });
});
