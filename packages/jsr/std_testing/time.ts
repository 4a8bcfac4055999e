/**
 * A clock that tests wind by hand.
 *
 * @module
 */

interface Timer {
  id: number;
  due: number;
  /** Milliseconds between two calls; undefined for a timer that fires once. */
  every: number | undefined;
  run: () => void;
}

type Callback = (...values: unknown[]) => void;

const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
};

let active: FakeTime | undefined;

/** What goes wrong with a fake clock itself: a second one at a time, or none to restore. */
export class TimeError extends Error {
  override name = "TimeError";
}

/**
 * Replaces `Date`, `setTimeout`, `setInterval` and their `clear…` until `restore()`: timers fire only
 * when the test moves the time. One may be active at a time.
 *
 * @example
 * using time = new FakeTime();
 * setTimeout(() => console.log("fired"), 1_000);
 * time.tick(1_000);
 */
export class FakeTime {
  /** The time that the clock began at. */
  readonly start: number;
  #now: number;
  #nextId = 1;
  #timers = new Map<number, Timer>();

  /** Starts at the given time, or at the real one. Throws a TimeError when time is already fake. */
  constructor(start?: number | string | Date | null) {
    if (active) {
      throw new TimeError("Time is already fake: restore() the other FakeTime first");
    }
    this.start = this.#now = start == null ? real.Date.now() : new real.Date(start).valueOf();
    if (Number.isNaN(this.#now)) {
      throw new TypeError(`Invalid start of time: ${start}`);
    }
    active = this;
    Object.assign(globalThis, {
      Date: fakeDate(() => this.#now),
      setTimeout: (run: Callback, delay = 0, ...values: unknown[]) =>
        this.#add(run, Math.max(0, delay), undefined, values),
      // An interval of 0 would never let the time move on.
      setInterval: (run: Callback, delay = 0, ...values: unknown[]) =>
        this.#add(run, Math.max(1, delay), Math.max(1, delay), values),
      clearTimeout: (id?: number) => this.#timers.delete(Number(id)),
      clearInterval: (id?: number) => this.#timers.delete(Number(id)),
    });
  }

  /** Gives the real clock back, whichever FakeTime is active. Throws a TimeError when none is. */
  static restore(): void {
    if (!active) throw new TimeError("Time is already restored");
    active.restore();
  }

  /**
   * Milliseconds since the epoch. Setting it runs every timer that is due by then, in order, and throws a
   * RangeError for a time in the past.
   */
  get now(): number {
    return this.#now;
  }

  set now(value: number) {
    if (value < this.#now) {
      throw new RangeError(`Time cannot go backwards to ${value}`);
    }
    for (let timer = this.#first(); timer && timer.due <= value; timer = this.#first()) {
      this.#fire(timer);
    }
    this.#now = Math.max(this.#now, value);
  }

  /** Moves the time forward, running the timers that come due. */
  tick(milliseconds = 0): void {
    this.now += milliseconds;
  }

  /** Runs the pending microtasks, then moves the time forward. */
  async tickAsync(milliseconds = 0): Promise<void> {
    await this.runMicrotasks();
    this.tick(milliseconds);
  }

  /** Waits, in real time, until the microtasks that are pending have run. */
  runMicrotasks(): Promise<void> {
    return new Promise((resolve) => real.setTimeout(resolve, 0));
  }

  /** Moves the time to the next timer and runs it; false when there is none. */
  next(): boolean {
    const timer = this.#first();
    if (timer) this.now = timer.due;
    return timer !== undefined;
  }

  /** Runs the pending microtasks, then as `next()`. */
  async nextAsync(): Promise<boolean> {
    await this.runMicrotasks();
    return this.next();
  }

  /** Gives the real clock back; timers that have not fired never will. */
  restore(): void {
    if (active !== this) throw new TimeError("Time is already restored");
    active = undefined;
    this.#timers.clear();
    Object.assign(globalThis, real);
  }

  /** Restores, unless that is done. */
  [Symbol.dispose](): void {
    if (active === this) this.restore();
  }

  #add(run: Callback, delay: number, every: number | undefined, values: unknown[]): number {
    const id = this.#nextId++;
    this.#timers.set(id, {
      id,
      due: this.#now + delay,
      every,
      run: () => run(...values),
    });
    return id;
  }

  /** The timer that is due first; of several the one that was set first. */
  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers.values()) {
      if (!first || timer.due < first.due) first = timer;
    }
    return first;
  }

  #fire(timer: Timer): void {
    this.#now = Math.max(this.#now, timer.due);
    this.#timers.delete(timer.id);
    if (timer.every !== undefined) {
      this.#timers.set(timer.id, { ...timer, due: timer.due + timer.every });
    }
    timer.run();
  }
}

/** A Date whose "now" is the given one and which is a Date in every other respect. */
function fakeDate(now: () => number): DateConstructor {
  const refuse = () => {
    throw new TimeError("Time is fake: move it with the FakeTime, not by changing Date");
  };
  return new Proxy(real.Date, {
    // They would change the real Date, which outlives this one.
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    apply: () => new real.Date(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    get: (target, name) => name === "now" ? now : Reflect.get(target, name),
  });
}
