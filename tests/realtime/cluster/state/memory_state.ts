import {
  MemoryState as SharedMemory,
  type MemorySurroundings,
} from "@/realtime/cluster/state/memory/memory_state.ts";
import type { RoomEvent } from "@/realtime/cluster/state/memory/memory_rooms.ts";

/** The shared data in memory, to which what happens to a Redis can happen, too. */
export class MemoryState extends SharedMemory {
  readonly #options: Omit<MemorySurroundings, "append">;
  /** The log, from its begin. */
  readonly log: RoomEvent[];

  constructor(options: Omit<MemorySurroundings, "append">, log: RoomEvent[] = []) {
    // Tests move the clock of Redis, and not the time by which it forgets.
    const emptyRoomMs = Infinity;
    super({ emptyRoomMs, ...options, append: (event) => log.push(event) });
    this.#options = options;
    this.log = log;
  }

  /** Forgets everything, as `FLUSHALL` does. */
  loseAll(): void {
    const { age, leases, rooms } = new MemoryState(this.#options, this.log);
    Object.assign(this, { age, leases, rooms });
    this.log.length = 0;
  }

  /** The data go on, on another server. */
  changeServer(): void {
    this.age.beginAgain();
  }

  /** What a replica has that follows no more. @returns goes on with that, on another server */
  copied(): () => void {
    const restore = [this.leases.copied(), this.rooms.copied()];
    const { length } = this.log;
    return () => {
      for (const each of restore) each();
      this.log.length = Math.min(this.log.length, length);
      this.changeServer();
    };
  }

  /** What the members of a room have as `user_info` now, sorted by their ids. */
  memberInfos(room: string): Map<string, unknown> {
    const infos = Array.from(this.rooms.get(room).members, ([userId, { text }]) => {
      return [userId, JSON.parse(JSON.parse(text).info)] as const;
    });
    return new Map(infos.toSorted());
  }

  /** The ids of a room's members now. */
  memberIds(room: string): string[] {
    return [...this.rooms.get(room).members.keys()];
  }
}
