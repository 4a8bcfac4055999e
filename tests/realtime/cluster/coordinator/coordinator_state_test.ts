import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { topicOf } from "@/realtime/cluster/state/shared_state.ts";
import {
  answerOf,
  histories,
  leaderHistory,
  leaseMs,
  rooms,
  type Step,
} from "../state/histories.ts";
import { MemoryState } from "../state/memory_state.ts";
import { type Message, messageOf } from "../state/witness.ts";
import { CoordinatorHarness } from "./coordinator_harness.ts";

/** The first millisecond of each history. */
const start = 1_800_000_000_000;

describe("the shared data at a coordinator", () => {
  it("answer and send what the rules do, in 100 random histories of nodes that lose the coordinator", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        // It has no replica.
        await followBoth(steps.filter(({ call }) => call !== "changeServer"));
      }),
      { numRuns: 100, examples: [[leaderHistory]] },
    );
  });

  it("have all members of a large room in steps, who stay from the first to the last", async () => {
    await using harness = await CoordinatorHarness.start();
    const { state } = await harness.connect();
    await state.begin("1.1", "{}");
    const users = Array.from({ length: 5_000 }, (_, index) => `u${index}`);
    const claim = (userId: string) =>
      state.claim("1.1", {
        room: rooms[0],
        userId,
        member: userId,
        isGuest: false,
        max: 0,
        isRepeated: false,
      });
    const release = (userId: string) =>
      state.release("1.1", {
        room: rooms[0],
        userId,
        reason: "closed",
        deadline: Number.MAX_SAFE_INTEGER,
      });
    await Promise.all(users.map(claim));
    assert.equal((await state.read(rooms[0])).isLarge, true);
    const found = new Set<string>();
    let steps = 0;
    let cursor = "0";
    do {
      const step = await state.scan(rooms[0], cursor);
      cursor = step.cursor;
      assert.ok(step.members.size <= 1_000);
      for (const userId of step.members.keys()) found.add(userId);
      const some = users.slice(steps * 500, steps * 500 + 100);
      await Promise.all(some.flatMap((userId) => [claim(`new-${userId}`), release(userId)]));
      steps++;
    } while (cursor !== "0");
    const stayed = users.filter((_, index) => index % 500 >= 100 || index >= steps * 500);
    assert.deepEqual(stayed.filter((userId) => !found.has(userId)), []);
    await assert.rejects(state.scan(rooms[0], "99"), /not read in time/);
  });
});

/** Does a history to a coordinator and to the rules, and compares them. */
async function followBoth(steps: readonly Step[]): Promise<void> {
  let micros = start * 1_000;
  const now = () => micros / 1_000;
  await using harness = await CoordinatorHarness.start({ leaseMs, now, emptyRoomMs: Infinity });
  const { link, state } = await harness.connect();
  const received: Message[] = [];
  for (const room of rooms) {
    await link.subscribe(topicOf("", room), (text) => received.push(messageOf(room, text)));
  }
  const expected: Message[] = [];
  const model = new MemoryState({
    leaseMs,
    now,
    publish: (room, text) => expected.push(messageOf(room, text)),
  });
  for (const step of steps) {
    if (step.call === "wait") micros += step.micros;
    if (step.call === "loseAll") {
      model.loseAll();
      await harness.restart();
    }
    const answer = await answerOf(state, step, now());
    assert.deepEqual(answer, await answerOf(model, step, now()), "answers");
    // Messages that were sent before an answer come before it.
    const opened = await Promise.all(rooms.map((room) => state.read(room)));
    assert.deepEqual(received.splice(0), expected.splice(0), "messages");
    assert.deepEqual(opened, await Promise.all(rooms.map((room) => model.read(room))), "rooms");
  }
  for (const shared of ["a", "b:1"]) {
    assert.deepEqual(await state.occupied(shared), await model.occupied(shared));
  }
  assert.deepEqual(await state.sizes(rooms), await model.sizes(rooms));
  assert.deepEqual(await state.totals(), await model.totals());
}
