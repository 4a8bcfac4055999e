import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { connectionAt, guideAddresses } from "@/server/apps/app_connection.ts";

const app = {
  id: "7",
  name: "Shop",
  key: "shop-key",
  isOwn: true,
  mayRotate: true,
  mayRemove: false,
};

/** The addresses of guides, as text. */
function addresses(publicUrl: string, origin: string): string[] {
  return guideAddresses(new URL(publicUrl), origin).map(({ id, url }) => `${id} ${url.href}`);
}

describe("the addresses of guides", () => {
  it("are this machine and an example while there is no public one", () => {
    assert.deepEqual(addresses("http://localhost:8000", "http://localhost:8000"), [
      "here http://localhost:8000/",
      "public https://rollcall.example.com/",
    ]);
  });

  it("are this machine and the public one where both are used", () => {
    assert.deepEqual(addresses("https://live.example.org/rollcall", "http://127.0.0.1:8000"), [
      "here http://127.0.0.1:8000/rollcall",
      "public https://live.example.org/rollcall",
    ]);
  });

  it("are for TLS for a page behind a proxy with TLS on this machine", () => {
    assert.deepEqual(
      addresses("https://localhost:8443/rollcall", "http://localhost:8443")[0],
      [
        "here https://localhost:8443/rollcall",
      ][0],
    );
    assert.equal(addresses("https://localhost", "http://localhost")[0], "here https://localhost/");
  });

  it("are only the public one for a page that was reached there", () => {
    assert.deepEqual(addresses("https://live.example.org", "https://live.example.org"), [
      "public https://live.example.org/",
    ]);
  });
});

describe("the connection of an app", () => {
  it("has host, port, scheme and path, and the secret only when it is revealed", () => {
    const url = new URL("https://live.example.org/rollcall");
    assert.deepEqual(connectionAt(app, "s3cret", url), {
      id: "7",
      key: "shop-key",
      secret: "s3cret",
      scheme: "https",
      host: "live.example.org",
      port: 443,
      path: "/rollcall",
    });
    const local = connectionAt(app, null, new URL("http://localhost:8000"));
    assert.deepEqual([local.port, local.path, local.scheme], [8_000, "", "http"]);
    assert.match(local.secret, /reveal/);
  });
});
