import { type Cookie, deleteCookie, getCookies, setCookie } from "@std/http/cookie";
import { STATUS_CODE, STATUS_TEXT } from "@std/http/status";
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";

describe("@std/http/cookie", () => {
  it("reads the cookies of a request", () => {
    const headers = new Headers({ Cookie: "a=1; b=x=y ;c=; __proto__=p" });
    const cookies = getCookies(headers);
    assert.equal(cookies.a, "1");
    assert.equal(cookies.b, "x=y ");
    assert.equal(cookies.c, "");
    assert.equal(
      Object.getOwnPropertyDescriptor(cookies, "__proto__")?.value,
      "p",
    );
    assert.deepEqual({ ...getCookies(new Headers()) }, {});
    assert.equal(getCookies(new Headers()).constructor, undefined);
  });

  for (const cookie of ["=x", "a=1;", "a=1;=x", ";a=1"]) {
    it(`throws for a cookie without a name in "${cookie}"`, () => {
      assert.throws(() => getCookies(new Headers({ cookie })), SyntaxError);
    });
  }

  it("leaves out a cookie without a name, and attributes of 0 seconds since 1970 or of a fraction", () => {
    assert.equal(written({ name: "", value: "1" }), null);
    assert.equal(written({ name: "a", value: "1", expires: 0, maxAge: 1.5 }), "a=1");
  });

  it("writes every attribute", () => {
    assert.equal(
      written({
        name: "id",
        value: "v",
        secure: true,
        httpOnly: true,
        maxAge: 60,
        domain: "example.com",
        sameSite: "Lax",
        path: "/",
        expires: new Date(0),
      }),
      "id=v; Secure; HttpOnly; Max-Age=60; Domain=example.com; SameSite=Lax; Path=/; " +
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    );
  });

  it("adds the attributes that browsers require of __Secure- and __Host- names", () => {
    assert.equal(
      written({ name: "__Secure-a", value: "1" }),
      "__Secure-a=1; Secure",
    );
    assert.equal(
      written({ name: "__Host-a", value: "1", domain: "x.org", path: "/p" }),
      "__Host-a=1; Secure; Path=/",
    );
  });

  it("throws for a part that would add an attribute, or has characters that a cookie cannot have", () => {
    const bad: Partial<Cookie>[] = [
      { name: "a b" },
      { value: "x; Path=/" },
      { value: "x\r\ny" },
      { value: '"quoted"' },
      { value: "ß" },
      { path: "/;x" },
      { path: "/ß" },
      { domain: "a;b" },
      { maxAge: -1 },
    ];
    for (const part of bad) {
      assert.throws(() => written({ name: "a", value: "v", ...part }));
    }
  });

  it("deletes a cookie of a path with an expired one of that path", () => {
    const headers = new Headers();
    deleteCookie(headers, "a", { path: "/", httpOnly: true });
    assert.equal(
      headers.get("Set-Cookie"),
      "a=; HttpOnly; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    );
  });
});

describe("@std/http/status", () => {
  it("has codes by name and reason phrases by code", () => {
    assert.equal(STATUS_CODE.NotFound, 404);
    assert.equal(STATUS_TEXT[STATUS_CODE.NotFound], "Not Found");
    assert.equal(STATUS_TEXT[203], "Non Authoritative Info");
    assert.equal(STATUS_TEXT[407], "Proxy Auth Required");
    assert.equal(STATUS_TEXT[414], "URI Too Long");
    assert.equal(STATUS_TEXT[505], "HTTP Version Not Supported");
  });
});

function written(cookie: Cookie): string | null {
  const headers = new Headers();
  setCookie(headers, cookie);
  return headers.get("Set-Cookie");
}
