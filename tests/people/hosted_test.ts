import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { State } from "../../state.ts";
import type { KnownPerson } from "../../people/known_person.ts";
import { whyUnreachable } from "../../people/message.ts";
import { removalOptions } from "../../people/removal.ts";

const guest = { id: `guest-${"0".repeat(32)}`, kind: "guest", presence: null };
const user = { id: "a".repeat(32), kind: "user", presence: null };
const foreigner = { id: "7", kind: "foreign", presence: {} };

describe("where the pages connect to another server", () => {
  const state = {
    config: { pusher: { cluster: "eu" } },
    session: { user: { id: "b".repeat(32) } },
    realtime: { isOccupied: () => true },
  } as unknown as State;
  const options = (person: unknown) => removalOptions(state, person as KnownPerson);

  it("nobody can be removed for the moment, and users and guests for good", () => {
    assert.deepEqual(options(user), { forNow: "other_server", forGood: null });
    assert.deepEqual(options(guest), { forNow: "other_server", forGood: null });
    assert.deepEqual(options(foreigner), { forNow: "other_server", forGood: "not_blockable" });
  });

  it("no message is offered that would not arrive", () => {
    for (const person of [user, guest, foreigner, null]) {
      assert.match(whyUnreachable(state, person as KnownPerson) ?? "", /external Pusher server/);
    }
  });
});
