import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { State } from "@/http/state.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { whyUnreachable } from "@/server/people/send_message.ts";
import { disconnectOptions } from "@/server/people/disconnect.ts";

const guest = { id: `guest-${"0".repeat(32)}`, kind: "guest", presence: null };
const user = { id: "a".repeat(32), kind: "user", presence: null };
const foreigner = { id: "7", kind: "foreign", presence: {} };

describe("with an external Pusher server", () => {
  // It has what the actions use of a state, and nothing else.
  const state = {
    config: { pusher: { cluster: "eu" } },
    session: { user: { id: "b".repeat(32) } },
    allServers: { isOccupied: () => Promise.resolve(true) },
  } as unknown as State;
  const options = (person: unknown) => disconnectOptions(state, person as KnownPerson);

  it("no person can be disconnected; users and guests can be blocked", () => {
    assert.deepEqual(options(user), { disconnect: "other_server", block: null });
    assert.deepEqual(options(guest), { disconnect: "other_server", block: null });
    assert.deepEqual(options(foreigner), { disconnect: "other_server", block: "not_blockable" });
  });

  it("no message can be sent", async () => {
    for (const person of [user, guest, foreigner, null]) {
      assert.match(
        await whyUnreachable(state, person as KnownPerson) ?? "",
        /external Pusher server/,
      );
    }
  });
});
