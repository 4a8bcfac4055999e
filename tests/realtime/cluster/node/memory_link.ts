import type { Link } from "@/realtime/cluster/engine.ts";
import type { SharedState } from "@/realtime/cluster/state/shared_state.ts";

/** A server's connection to data in memory: it can be cut, lose answers and deliver messages late. */
export class MemoryLink implements Link {
  readonly #topics = new Map<string, (message: string) => void>();
  readonly #listeners = new Set<(isUp: boolean) => void>();
  #late: { topic: string; message: string }[] = [];
  #isLate = false;
  #scans: (() => void)[] = [];
  #isScanningSlowly = false;
  isUp = true;
  /** Calls that fail from now on. */
  failing = 0;
  /** Whether those are carried out nevertheless. */
  isCarriedOut = false;
  /** Users and numbers that Redis does not take from now on, for lack of memory. */
  refusing = 0;

  /** The shared data, as this server reaches them. */
  stateOf(state: SharedState): SharedState {
    return new Proxy(state, {
      get: (target, name: keyof SharedState) => {
        const call = target[name] as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => {
          const isRefused = this.refusing > 0 && (name === "claim" || name === "subscribers");
          if (isRefused) this.refusing--;
          if (name === "scan" && this.#isScanningSlowly) {
            return new Promise<void>((resolve) => this.#scans.push(resolve))
              .then(() => this.#call(() => call.apply(target, args)));
          }
          return this.#call(() => isRefused ? outOfMemory() : call.apply(target, args));
        };
      },
    });
  }

  async #call(call: () => Promise<unknown>): Promise<unknown> {
    if (!this.isUp) throw new Error("There is no connection");
    if (this.failing === 0) return await call();
    this.failing--;
    if (this.isCarriedOut) await call();
    throw new Error("There was no answer");
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  subscribe(topic: string, listener: (message: string) => void): Promise<void> {
    if (!this.isUp) return Promise.reject(new Error("There is no connection"));
    this.#topics.set(topic, listener);
    return Promise.resolve();
  }

  unsubscribe(topic: string): Promise<void> {
    this.#topics.delete(topic);
    return Promise.resolve();
  }

  publish(): Promise<never> {
    return Promise.reject(new Error("Only the shared data send messages"));
  }

  close(): Promise<void> {
    return Promise.resolve(this.end());
  }

  /** A message was published. */
  receive(topic: string, message: string): void {
    if (!this.isUp || !this.#topics.has(topic)) return;
    if (this.#isLate) this.#late.push({ topic, message });
    else this.#topics.get(topic)?.(message);
  }

  /** Keeps messages back, or delivers those it has kept. */
  set isLate(isLate: boolean) {
    this.#isLate = isLate;
    if (isLate) return;
    for (const { topic, message } of this.#late.splice(0)) this.#topics.get(topic)?.(message);
  }

  /** Whether each step of a scan waits for {@link scan}. */
  set isScanningSlowly(isSlow: boolean) {
    this.#isScanningSlowly = isSlow;
    if (!isSlow) this.scan();
  }

  /** Steps of scans that wait are carried out. */
  scan(): void {
    for (const scan of this.#scans.splice(0)) scan();
  }

  /** Cuts the connection: what has not been delivered is lost. */
  cut(): void {
    if (!this.isUp) return;
    this.isUp = false;
    this.#late = [];
    for (const listener of this.#listeners) listener(false);
  }

  /** Restores the connection. */
  mend(): void {
    if (this.isUp) return;
    this.isUp = true;
    for (const listener of this.#listeners) listener(true);
  }

  /** Ends without a word to the server. */
  end(): void {
    this.#listeners.clear();
    this.#topics.clear();
    this.isUp = false;
    this.isScanningSlowly = false;
  }
}

function outOfMemory(): Promise<never> {
  return Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'."));
}

/** Lets everything happen that waits for no time, as far as data in memory go. */
export async function settle(): Promise<void> {
  for (let ticks = 0; ticks < 60; ticks++) await undefined;
}
