import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import {
  blockGuest,
  isBlockedGuest,
  listBlockedGuests,
  unblockGuest,
} from "@/server/accounts/guest.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

const noon = Date.UTC(2023, 10, 17, 12);
const blockedBy = "a".repeat(32);

function guestId(number: number): string {
  return "guest-" + number.toString(16).padStart(32, "0");
}

describeOnEachDatabase("a blocked guest", (store) => {
  it("is blocked until unblocked, across a restart", async () => {
    const database = await store.open();
    const guest = { guestId: guestId(1), blockedAt: noon, blockedBy };
    assert.equal(await isBlockedGuest(database, guest.guestId), false);
    assert(await blockGuest(database, guest));
    assert(await blockGuest(database, { ...guest, blockedAt: noon + 1 }));
    assert.equal(await isBlockedGuest(await store.open(), guest.guestId), true);
    assert.equal(await isBlockedGuest(database, guestId(2)), false);
    assert.deepEqual(await listBlockedGuests(database, 10), [{ ...guest, blockedAt: noon + 1 }]);
    assert.equal(await unblockGuest(database, guest.guestId), true);
    assert.equal(await unblockGuest(database, guest.guestId), false);
    assert.equal(await isBlockedGuest(database, guest.guestId), false);
  });

  it("has the id of a guest; other ids are refused", async () => {
    const database = await store.open();
    for (const id of ["", "\0", "a".repeat(32), "guest-1", guestId(1) + "\n"]) {
      assert.equal(await blockGuest(database, { guestId: id, blockedAt: noon, blockedBy }), false);
      assert.equal(await isBlockedGuest(database, id), false);
      assert.equal(await unblockGuest(database, id), false);
    }
    assert.deepEqual(await listBlockedGuests(database, 10), []);
  });

  it("is unblocked when 10,000 others are blocked later", async () => {
    const database = await store.open();
    const guests = Array.from({ length: 10_000 }, (_, index) => ({
      guestId: guestId(index),
      blockedAt: noon + index,
      blockedBy,
    }));
    for (let first = 0; first < guests.length; first += 1_000) {
      await database.queries.insertInto("blockedGuest").values(guests.slice(first, first + 1_000))
        .execute();
    }
    assert(
      await blockGuest(database, { guestId: guestId(10_000), blockedAt: 2 * noon, blockedBy }),
    );
    assert.equal(await isBlockedGuest(database, guestId(0)), false);
    assert.equal(await isBlockedGuest(database, guestId(1)), true);
    assert.equal((await listBlockedGuests(database, 20_000)).length, 10_000);
  });
});
