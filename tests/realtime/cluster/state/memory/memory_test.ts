import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { KeptTexts, MemberScans } from "@/realtime/cluster/state/memory/room.ts";
import { MemoryState } from "@/realtime/cluster/state/memory/memory_state.ts";
import { scanEnds } from "@/realtime/cluster/state/shared_state.ts";
import { answerOf, histories, isUnlogged, leaseMs, rooms } from "../histories.ts";
import { MemoryState as MemoryOfTests } from "../memory_state.ts";
import { type Message, messageOf, Witness } from "../witness.ts";

describe("the shared data in memory", () => {
  it("lack users of nodes that had others before, so that no one leaves until all had the time to say theirs", async () => {
    const leaseMs = 10_000;
    let now = 1_800_000_000_000;
    const state = new MemoryState({ leaseMs, now: () => now, publish() {}, append() {} });
    const user = { userId: "ann", member: "{}", isGuest: false, max: 0, isRepeated: true };
    const left = { room: "a:room", userId: "ann", reason: "closed", deadline: Infinity };
    // Its second name: the coordinator before, which was killed, knew it by the first.
    await state.begin("1.2", "{}");
    await state.claim("1.2", { ...user, room: "a:room" });
    for (let second = 0; second < 10; second++) {
      assert.notEqual(await state.heartbeat("1.2", "{}"), "lost");
      assert.equal(await state.release("1.2", left), "late");
      now += 1_000;
    }
    assert.equal(await state.release("1.2", left), "released");
  });
});

describe("the rooms in memory", () => {
  it("are forgotten a minute after the last of them has left, also those that were only read", async () => {
    let now = 1_800_000_000_000;
    const state = new MemoryState({
      leaseMs: 10_000,
      now: () => now,
      publish() {},
      append() {},
    });
    await state.begin("1.1", "{}");
    const user = { userId: "ann", member: "{}", isGuest: false, max: 0, isRepeated: false };
    for (const room of ["a:full", "a:left"]) await state.claim("1.1", { ...user, room });
    await state.subscribers("1.1", "a:followed", 1);
    await state.read("a:read");
    await state.release("1.1", {
      room: "a:left",
      userId: "ann",
      reason: "closed",
      deadline: Infinity,
    });
    assert.equal(state.size, 4);
    now += 59_999;
    state.forgetEmpty();
    assert.equal(state.size, 4);
    now += 1;
    state.forgetEmpty();
    assert.equal(state.size, 2);
    assert.deepEqual(await state.sizes(["a:full", "a:followed"]), [
      { members: 1, subscribers: 0 },
      { members: 0, subscribers: 1 },
    ]);
  });

  it("are read in steps that have each user once who is a member all the time", () => {
    const ids = fc.array(fc.nat({ max: 30 }), { maxLength: 30 });
    fc.assert(
      fc.property(ids, fc.array(ids), fc.integer({ min: 1, max: 5 }), (start, then, max) => {
        const members = new Map(start.map((id) => [String(id), { text: `text ${id}` }]));
        const scans = new MemberScans();
        const stayed = new Set(members.keys());
        const found: string[] = [];
        let cursor = scanEnds;
        do {
          const step = scans.step(members, cursor, max);
          cursor = step.cursor;
          found.push(...step.members.keys());
          for (const id of then.shift() ?? []) {
            stayed.delete(String(id));
            if (!members.delete(String(id))) members.set(String(id), { text: "new" });
          }
        } while (cursor !== scanEnds);
        for (const id of stayed) assert.equal(found.filter((one) => one === id).length, 1, id);
      }),
    );
  });
});

describe("the texts that rooms keep", () => {
  it("are those of an app that end last, as far as there is room, whatever other apps keep", () => {
    const texts = new KeptTexts();
    const keep = (room: string, text: string, micros: number, maxBytes = 10) =>
      texts.keep(room, { text, ttlMs: 1_000, maxBytes }, micros);
    const kept = (micros: number) =>
      ["a:1", "a:2", "a:3", "b:1"].map((room) => texts.get(room, micros)?.text);
    keep("a:1", "aaaa", 1);
    keep("b:1", "bbbbbbbb", 2);
    keep("a:2", "ää", 3);
    assert.deepEqual(kept(4), ["aaaa", "ää", undefined, "bbbbbbbb"]);
    keep("a:1", "AAAA", 5);
    keep("a:3", "ccc", 6);
    assert.deepEqual(kept(7), ["AAAA", undefined, "ccc", "bbbbbbbb"]);
    assert.deepEqual(kept(1_000_005), [undefined, undefined, "ccc", undefined]);
    keep("a:3", "longer than there is room", 8);
    assert.deepEqual(kept(9), [undefined, undefined, undefined, "bbbbbbbb"]);
  });
});

/** The first microsecond of each history. */
const start = 1_800_000_000_000_000;

describe("the shared data", () => {
  it("has as members exactly those whom a node claims, and one message for each change, in 3,000 random histories", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        let micros = start;
        let messages: Message[] = [];
        const state = new MemoryOfTests({
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
