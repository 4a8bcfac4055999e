/** How long this process takes to read what has come, in milliseconds. */
export const readMs = 20;

/**
 * Lets calls fail that have no answer in time. One timer is for all of them: one for each costs 25 µs,
 * which is a tenth of a user's join.
 */
export class CallDeadlines {
  readonly #timeoutMs: number;
  /** When each call is late, by the clock of this process; the earliest first. */
  readonly #lateAt = new Map<(error: Error) => void, number>();
  #timer?: ReturnType<typeof setTimeout>;

  /** @param timeoutMs of each call, in milliseconds. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The answer. @throws {Error} when there is none in time; one that is an error later is handled. */
  within<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { promise, reject, resolve } = Promise.withResolvers<Answer>();
    this.#lateAt.set(reject, performance.now() + this.#timeoutMs);
    if (this.#timer === undefined) this.#checkLater();
    const ended = () => this.#lateAt.delete(reject);
    answer.then((value) => {
      ended();
      resolve(value);
    }, (error) => {
      ended();
      reject(error);
    });
    return promise;
  }

  /** Watches no call any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#lateAt.clear();
  }

  #checkLater(): void {
    this.#timer = undefined;
    for (const lateAt of this.#lateAt.values()) {
      this.#timer = setTimeout(() => this.#check(), Math.max(0, lateAt - performance.now()));
      return;
    }
  }

  /** What came while this process was busy is read after the timers that became due meanwhile. */
  #check(): void {
    const now = performance.now();
    const late = Array.from(this.#lateAt).filter(([, lateAt]) => lateAt <= now);
    if (late.length === 0) return this.#checkLater();
    this.#timer = setTimeout(() => {
      for (const [reject] of late) {
        if (this.#lateAt.delete(reject)) reject(noAnswer(this.#timeoutMs));
      }
      this.#checkLater();
    }, readMs);
  }
}

/** There was no answer in time. */
export function noAnswer(timeoutMs: number): Error {
  return new Error(`no answer within ${timeoutMs / 1_000} s`);
}
