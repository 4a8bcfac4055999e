import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { searchUsers } from "@/server/accounts/users.ts";

function user(name: string, email = `${name.toLowerCase()}@example.org`) {
  const id = "0".repeat(32);
  return { id, name, email, role: "user" as const, disabled: false, createdAt: new Date(0) };
}

const people = [user("Ada"), user("Ünal", "unal@example.org"), user("Ben", "b@elsewhere.example")];

describe("the search for users", () => {
  const names = (query: string | null, page: string | null = null) =>
    searchUsers(people, { query, page }).users.map(({ name }) => name);

  it("matches a part of the name or email, in any case", () => {
    assert.deepEqual(names("AD"), ["Ada"]);
    assert.deepEqual(names("üN"), ["Ünal"]);
    assert.deepEqual(names("ELSEWHERE"), ["Ben"]);
    assert.deepEqual(names("example.org"), ["Ada", "Ünal"]);
    assert.deepEqual(names(" "), ["Ada", "Ünal", "Ben"]);
    assert.deepEqual(names(null), ["Ada", "Ünal", "Ben"]);
    assert.deepEqual(names("[.*"), []);
  });

  it("has pages of 50, and the nearest for a page that does not exist", () => {
    const many = Array.from({ length: 120 }, (_, index) => user(`Person ${index}`));
    const pages = (page: string | null) => {
      const { users, page: number, pages, found, total } = searchUsers(many, { query: "", page });
      assert.deepEqual([pages, found, total], [3, 120, 120]);
      return [number, users.length, users[0].name];
    };
    assert.deepEqual(pages(null), [1, 50, "Person 0"]);
    assert.deepEqual(pages("2"), [2, 50, "Person 50"]);
    assert.deepEqual(pages("3"), [3, 20, "Person 100"]);
    for (const page of ["9", "1e99", "Infinity"]) {
      assert.deepEqual(pages(page), [3, 20, "Person 100"]);
    }
    for (const page of ["0", "-1", "x", "", "NaN", "0.5"]) {
      assert.deepEqual(pages(page), [1, 50, "Person 0"]);
    }
    assert.deepEqual(searchUsers([], { query: "x".repeat(999), page: "1" }), {
      users: [],
      found: 0,
      total: 0,
      page: 1,
      pages: 1,
      query: "x".repeat(100),
    });
  });
});
