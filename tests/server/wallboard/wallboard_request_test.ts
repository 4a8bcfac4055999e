import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { tokenHeader } from "@/shared/wallboard.ts";
import { isWallboardRequest } from "@/server/wallboard/wallboard_links.ts";

function isOfWallboard(path: string, headers: Record<string, string> = {}): boolean {
  const url = new URL(path, "http://localhost");
  return isWallboardRequest(new Request(url, { headers }), url);
}

describe("a request of a wallboard", () => {
  it("is one for its page, or one to join its channel with a token", () => {
    assert.ok(isOfWallboard("/wallboard/a-token"));
    assert.ok(isOfWallboard("/broadcasting/auth", { [tokenHeader]: "a-token" }));
  });

  it("is no other, as the header of a token must not hide who sent it", () => {
    for (const path of ["/", "/admin/users", "/broadcasting/user-auth", "/broadcasting/auth/x"]) {
      assert.ok(!isOfWallboard(path, { [tokenHeader]: "a-token" }), path);
    }
    assert.ok(!isOfWallboard("/broadcasting/auth"));
    assert.ok(!isOfWallboard("/wallboards"));
  });
});
