import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { answerOf, histories, isUnlogged, leaseMs, rooms } from "./histories.ts";
import { MemoryState } from "./memory_state.ts";
import { type Message, messageOf, Witness } from "./witness.ts";

/** The first microsecond of each history. */
const start = 1_800_000_000_000_000;

describe("the shared data", () => {
  it("has as members exactly those whom a node claims, and one message for each change, in 3,000 random histories", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        let micros = start;
        let messages: Message[] = [];
        const state = new MemoryState({
          leaseMs,
          now: () => micros / 1_000,
          publish: (room, text) => messages.push(messageOf(room, text)),
        });
        const witness = new Witness();
        for (const step of steps) {
          if (step.call === "wait") micros += step.micros;
          if (step.call === "loseAll") state.loseAll();
          if (step.call === "changeServer") state.changeServer();
          messages = [];
          const nowMs = Math.floor(micros / 1_000);
          witness.follow(step, await answerOf(state, step, nowMs), nowMs, state.isRecovering);
          witness.receive(messages);
          witness.checkLog(state.log.splice(0), messages, isUnlogged(step));
          const opened = await Promise.all(rooms.map((room) => state.read(room)));
          witness.checkRooms(new Map(rooms.map((room, index) => [room, opened[index]])));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
