import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { mayComeFromOwnPage } from "@/http/request.ts";

const appUrl = new URL("https://rollcall.example.com/below");

/** Headers, whether the request may come from the app's own page, and why. */
const cases: [headers: Record<string, string>, answer: boolean, why: string][] = [
  [{}, true, "programs state nothing"],
  [{ origin: "https://rollcall.example.com" }, true, "it is the public address"],
  [{ origin: "http://192.0.2.1:8000" }, true, "it is the host that was asked"],
  [{ origin: "https://other.example.com" }, false, "it is another host"],
  [{ origin: "https://rollcall.example.com:8443" }, false, "it is another port"],
  [{ origin: "http://192.0.2.1" }, false, "it is another port of the host that was asked"],
  [{ origin: "null" }, false, "it is a sandboxed or hidden page"],
  [{ "sec-fetch-site": "same-origin" }, true, "the browser compared them"],
  [{ "sec-fetch-site": "same-origin", origin: "https://public.example" }, true, "of the proxy"],
  [{ "sec-fetch-site": "none" }, true, "the person sent it, not a page"],
  [{ "sec-fetch-site": "same-site" }, false, "it is a neighbouring subdomain"],
  [{ "sec-fetch-site": "cross-site" }, false, "it is another site"],
  [{ "sec-fetch-site": "cross-site", origin: appUrl.origin }, false, "either suffices to refuse"],
  [{ "sec-fetch-site": "anything" }, false, "an unknown value is not trusted"],
];

describe("whether a request may come from an own page", () => {
  for (const [headers, answer, why] of cases) {
    it(`is ${answer} for ${JSON.stringify(headers)}, because ${why}`, () => {
      const url = new URL("http://192.0.2.1:8000/sign-in");
      assert.equal(mayComeFromOwnPage(new Headers(headers), url, appUrl), answer);
    });
  }
});
