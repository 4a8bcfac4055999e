import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { readMessage, sendMessage, whyUnreachable } from "@/server/people/send_message.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import type { State } from "@/http/state.ts";
import { AdminActions } from "./admin_state.ts";

const ben = { id: "ben", kind: "user", name: "Ben" } as KnownPerson;

/** A request of an admin, and what it broadcast. */
function simulate({ waitSeconds = 0 } = {}) {
  const actions = new AdminActions();
  const sent: unknown[][] = [];
  const state = Object.assign(actions.state, {
    sendingLimit: { take: () => waitSeconds },
    broadcast: (...event: unknown[]) => sent.push(event),
  }) as State;
  Object.assign(state.allServers, {
    isOccupied: (channel: string) => Promise.resolve(channel === "private-rollcall.users.ben"),
  });
  return { actions, sent, state };
}

describe("a message of an admin", () => {
  it("goes to the pages of its reader, but not to the one that sent it", async () => {
    const { actions, sent, state } = simulate();
    assert.ok((await sendMessage(state, ben, { text: "Hi", except: "1.2" })).ok);
    const [[channel, name, message, options]] = sent;
    assert.deepEqual([channel, name, options], [
      "private-rollcall.users.ben",
      "MessageSent",
      { except: "1.2" },
    ]);
    const { from, text } = message as Record<string, string>;
    assert.deepEqual([from, text], ["Ada", "Hi"]);
    assert.deepEqual(actions.done, ["recorded message_sent"]);
    assert.deepEqual(actions.entries[0].details, { text: "Hi" });
  });

  it("goes to everyone online, whatever the page calls itself", async () => {
    const { actions, sent, state } = simulate();
    await sendMessage(state, null, { text: "Hi", except: "not a socket" });
    assert.deepEqual([sent[0][0], sent[0][3]], ["presence-chart", { except: null }]);
    assert.deepEqual(actions.done, ["recorded message_sent_to_all"]);
  });

  it("is neither sent nor recorded when the admin sends too fast", async () => {
    const { actions, sent, state } = simulate({ waitSeconds: 3 });
    const refused = await sendMessage(state, ben, { text: "Hi", except: null });
    assert.deepEqual([refused.ok, sent, actions.done], [false, [], []]);
    assert.equal(refused.ok ? 0 : refused.retryAfterSeconds, 3);
  });

  it("is refused before the confirmation when it is empty or its reader has gone", async () => {
    const reasonOf = async (text: string, to: KnownPerson | null) => {
      const read = await readMessage(simulate().state, to, text);
      return read.ok ? read.text : read.reason;
    };
    assert.equal(await reasonOf("Hi", ben), "Hi");
    assert.equal(await reasonOf("", ben), "invalid");
    assert.equal(await reasonOf("Hi", { ...ben, id: "cleo" }), "unreachable");
    assert.equal(await reasonOf("Hi", null), "Hi");
  });

  it("cannot be sent to one person while the servers do not reach each other", async () => {
    const { state } = simulate();
    state.allServers.isOccupied = () => Promise.reject(new Unavailable());
    assert.match(await whyUnreachable(state, ben) ?? "", /cannot reach each other/);
  });

  it("cannot be sent to a person of another application, which shows none", async () => {
    const { state } = simulate();
    const refused = await whyUnreachable(state, { id: "ben", kind: "foreign" });
    assert.match(refused ?? "", /in your own app/);
  });
});
