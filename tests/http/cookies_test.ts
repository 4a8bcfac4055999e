import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Config } from "@/server/config/config.ts";
import { readCookie, writeCookie } from "@/http/session_cookies.ts";

const config = { appUrl: new URL("http://localhost") } as Config;

/** The full name of the cookie "csrf". */
const name = nameOf("csrf");

describe("a cookie of the request", () => {
  const rows: [cookies: string, value: string | undefined][] = [
    [`${name}=v`, "v"],
    [`a=1; ${name}=x=y; b=2`, "x=y"],
    [`${name}=old;${name}=new`, "new"],
    [`${name}=`, ""],
    ["", undefined],
    [`other_${name}=v; ${name}er=v; ${name}`, undefined],
    // Cookies without a name, for which @std/http throws.
    [`=x; ${name}=v`, "v"],
    [`${name}=v;`, "v"],
    [`;;=;${name}=v;=`, "v"],
  ];
  for (const [cookie, value] of rows) {
    it(`is ${JSON.stringify(value)} in "${cookie}"`, () => {
      assert.equal(readCookie(new Headers({ cookie }), config, "csrf"), value);
    });
  }
});

function nameOf(name: string): string {
  const headers = new Headers();
  writeCookie(headers, config, name, "");
  return headers.get("set-cookie")!.split("=")[0];
}
