import type { Clock } from "@/realtime/timing/clock.ts";

/** A search that takes long is used for longer: searching takes at most this part of the time. */
const mostOfTheTime = 1 / 10;

/** When what no page asked for again is dropped, in milliseconds. */
const keptMs = 60_000;

/** Searches that are kept; beyond, the one that was made the longest ago is dropped. */
const maxKept = 20;

/**
 * What searches for members found: the ids. A page asks again every few seconds; a search in a channel with
 * very many members, which takes time, is then not made again at once, however many pages ask.
 */
export class MemberSearches {
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #found = new Map<string, { ids: Promise<string[]>; until: number }>();
  #cancel = () => {};

  constructor(clock: Pick<Clock, "now" | "after">) {
    this.#clock = clock;
  }

  /** What a search found, now or a short while ago. @param key what is searched for, and where */
  read(key: string, search: () => Promise<string[]>): Promise<string[]> {
    const start = this.#clock.now();
    this.#cancel();
    this.#cancel = this.#clock.after(keptMs, () => this.#found.clear());
    const known = this.#found.get(key);
    if (known && start < known.until) return known.ids;
    const found = { ids: search(), until: Infinity };
    this.#found.delete(key);
    this.#found.set(key, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxKept) this.#found.delete(oldest);
    found.ids.then(() => {
      const end = this.#clock.now();
      found.until = end + (end - start) / mostOfTheTime;
    }, () => found.until = -Infinity);
    return found.ids;
  }
}
