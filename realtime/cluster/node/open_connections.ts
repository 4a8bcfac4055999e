import type { SharedState } from "../state/shared_state.ts";
import type { Node } from "./node.ts";

/** How many connections of an app this server has, as the engine knows: as the subscribers of a room. */
export class OpenConnections {
  readonly #node: Node;
  readonly #state: SharedState;
  readonly #room: string;
  /** Undefined: it was never registered. */
  #count: number | undefined;
  #isStale = false;

  /** @param room one that no channel has */
  constructor(node: Node, state: SharedState, room: string) {
    this.#node = node;
    this.#state = state;
    this.#room = room;
  }

  /** Reports a number. @returns the sum over all servers; undefined when the engine cannot be reached. Never rejects */
  async stateCount(count: number): Promise<number | undefined> {
    const { isUp, name } = this.#node;
    this.#count = count;
    this.#isStale = true;
    if (!isUp || name === undefined) return undefined;
    try {
      const total = await this.#state.subscribers(name, this.#room, count);
      if (total === "lost") {
        this.#node.lost(name);
        return undefined;
      }
      if (this.#count === count) this.#isStale = false;
      return total;
    } catch {
      // The next heartbeat tries again.
      return undefined;
    }
  }

  /** Whether the engine may know of some. */
  get areRegistered(): boolean {
    return this.#isStale || (this.#count ?? 0) > 0;
  }

  /** There are none any more, from the next {@link retry} on. */
  withdraw(): void {
    if (this.#count === undefined) return;
    this.#count = 0;
    this.#isStale = true;
  }

  /** Registers the number again. Never rejects. */
  async resync(): Promise<void> {
    if (this.#count !== undefined) await this.stateCount(this.#count);
  }

  /** Tries again what failed. Never rejects. */
  async retry(): Promise<void> {
    if (this.#isStale) await this.resync();
  }
}
