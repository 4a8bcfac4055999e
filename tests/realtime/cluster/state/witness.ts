import assert from "node:assert/strict";
import type { OpenedRoom } from "@/realtime/cluster/state/shared_state.ts";
import { apps, leaseMs, rooms, type Step } from "./histories.ts";
import type { RoomEvent } from "@/realtime/cluster/state/memory/memory_rooms.ts";

/** A message, taken apart. */
export interface Message {
  readonly room: string;
  readonly t: string;
  readonly p?: number;
  readonly n?: number;
  readonly u?: string;
  readonly r?: string;
  readonly body?: string;
}

/** Reads a message as nodes receive it. */
export function messageOf(room: string, text: string): Message {
  const feed = text.indexOf("\n");
  const header = JSON.parse(feed < 0 ? text : text.slice(0, feed));
  return { room, ...header, ...(feed >= 0 && { body: text.slice(feed + 1) }) };
}

/**
 * The truth of who is claimed, kept from the answers alone; and a list of each room, kept from the messages
 * alone. They are compared with what the state says.
 */
export class Witness {
  readonly #leases = new Map<string, { till: number; isExit: boolean }>();
  /** Who holds each user of each room. */
  readonly #claimed = new Map<string, Map<string, Set<string>>>();
  readonly #lists = new Map<string, Map<string, string>>();
  readonly #versions = new Map<string, number>();
  /** What other servers may have sent last. */
  readonly #formerVersions = new Map<string, number>();

  /** Follows a step. @param isRecovering whether no one leaves, as data were lost */
  follow(step: Step, answer: unknown, nowMs: number, isRecovering: boolean): void {
    switch (step.call) {
      case "loseAll":
        for (const map of [this.#leases, this.#claimed, this.#lists]) map.clear();
        for (const map of [this.#versions, this.#formerVersions]) map.clear();
        return;
      case "changeServer":
        for (const [room, version] of this.#versions) this.#formerVersions.set(room, version);
        this.#versions.clear();
        return;
      case "begin":
      case "heartbeat": {
        if (typeof answer === "string") return;
        const lease = this.#leases.get(step.node);
        const isHolder = this.#allHolders().some((holders) => holders.has(step.node));
        if (isHolder) assert.ok(this.#isValid(step.node, nowMs), "a lease that is over stays so");
        if (!lease?.isExit) this.#leases.set(step.node, { till: nowMs + leaseMs, isExit: false });
        return;
      }
      case "exit": {
        const lease = this.#leases.get(step.node);
        if (!lease || lease.till <= nowMs) return;
        this.#leases.set(step.node, {
          till: Math.min(lease.till, nowMs + step.afterMs),
          isExit: true,
        });
        return;
      }
      case "drop":
        if (this.#isValid(step.node, nowMs)) return;
        assert.equal(answer, false, "few holds are dropped in one step");
        if (isRecovering) return;
        this.#leases.delete(step.node);
        for (const holders of this.#allHolders()) holders.delete(step.node);
        return;
      case "claim": {
        const isLost = !this.#isValid(step.node, nowMs);
        assert.equal(answer === "lost", isLost, "exactly a valid lease can hold");
        if (answer !== "held") return;
        const holders = this.#holders(rooms[step.room], `u${step.user}`);
        assert.ok(!holders.has(step.node), "what is held already is not held");
        holders.add(step.node);
        return;
      }
      case "update": {
        const isMember = this.#holders(rooms[step.room], `u${step.user}`).size > 0;
        const expected = !isMember
          ? isRecovering ? "late" : "absent"
          : step.read === "present"
          ? "updated"
          : "changed";
        assert.equal(answer, expected, "a member is changed by who knows what it was");
        return;
      }
      case "release":
        if (answer !== "released") return;
        assert.ok(!isRecovering, "no one leaves while others may state the user again");
        assert.ok(this.#holders(rooms[step.room], `u${step.user}`).delete(step.node));
        return;
    }
  }

  /** Receives the messages of a step. */
  receive(messages: readonly Message[]): void {
    for (const { room, t, p, n, u, body } of messages) {
      if (t !== "added" && t !== "removed" && t !== "updated") continue;
      assert.equal(p, this.#versions.get(room) ?? p, "each change names its predecessor");
      assert.ok(n! > p!, "versions rise");
      this.#versions.set(room, n!);
      const list = this.#list(room);
      assert.equal(list.has(u!), t !== "added", "a message is a change");
      if (t === "removed") list.delete(u!);
      else list.set(u!, body!);
    }
  }

  /**
   * Compares a step's entries of the log with its messages.
   *
   * @param isResyncPossible whether the step may be no join although it is a change.
   */
  checkLog(
    log: readonly RoomEvent[],
    messages: readonly Message[],
    isResyncPossible: boolean,
  ): void {
    const changes = messages.filter(({ room, t }) =>
      (t === "added" || t === "removed" || t === "updated") &&
      apps[rooms.indexOf(room)] !== undefined
    );
    const entries = log.filter(({ name }) => name.startsWith("member_"));
    if (entries.length === 0 && (isResyncPossible || changes.length === 0)) return;
    assert.deepEqual(
      entries.map(({ name, channel, user }) => ({ name, channel, user })),
      changes.map(({ t, room, u: user }) => {
        return { name: `member_${t}`, channel: room.slice(room.indexOf(":") + 1), user };
      }),
      "each change is one entry of the log, in the same order",
    );
  }

  /**
   * Compares rooms with the truth and with the lists. Only what differs is left to `deepEqual`, as that
   * takes longer than all else.
   */
  checkRooms(opened: ReadonlyMap<string, OpenedRoom>): void {
    for (const [room, { members, version }] of opened) {
      const claimed = [...this.#claimed.get(room) ?? []]
        .filter(([, holders]) => holders.size > 0).map(([userId]) => userId);
      const areHeld = claimed.length === members.size &&
        claimed.every((userId) => members.has(userId));
      if (!areHeld) assert.deepEqual([...members.keys()], claimed, "members are who is held");
      const list = this.#list(room);
      const isListed = list.size === members.size &&
        claimed.every((userId) => list.get(userId) === members.get(userId));
      if (!isListed) assert.deepEqual(members, list, "the messages make the same list");
      assert.equal(
        version,
        this.#versions.get(room) ?? version,
        "the version is the last one sent",
      );
      assert.ok(version >= (this.#formerVersions.get(room) ?? 0), "no list has a later version");
      this.#versions.set(room, version);
    }
  }

  /** How many nodes hold a user. */
  holdersOf(room: string, userId: string): number {
    return this.#holders(room, userId).size;
  }

  #isValid(node: string, nowMs: number): boolean {
    return (this.#leases.get(node)?.till ?? 0) > nowMs;
  }

  #holders(room: string, userId: string): Set<string> {
    const users = this.#claimed.getOrInsertComputed(room, () => new Map());
    return users.getOrInsertComputed(userId, () => new Set());
  }

  #allHolders(): Set<string>[] {
    return [...this.#claimed.values()].flatMap((users) => [...users.values()]);
  }

  #list(room: string): Map<string, string> {
    const list = this.#lists.get(room) ?? new Map();
    this.#lists.set(room, list);
    return list;
  }
}
