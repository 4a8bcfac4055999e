/** What runs tests: `Deno.test`, or the context of one for its steps. */
type Definition = Pick<Deno.TestDefinition, "name" | "fn">;

/** Calls back after a time in milliseconds. @returns cancel */
type After = (milliseconds: number, callback: () => void) => () => void;

// A test may replace the timers of the global object by a fake clock's.
const { setTimeout, clearTimeout } = globalThis;

function afterRealTime(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/**
 * Bounds a test with steps: it fails when for a time none of its steps begins or ends, and names the one
 * that is under way, so that no test hangs.
 *
 * @param limitMs in milliseconds.
 */
export function bounded<Test extends Definition>(
  test: Test,
  limitMs: number,
  after: After = afterRealTime,
): Test {
  const run = (context: Deno.TestContext) => new Deadline(limitMs, after).run(test, context);
  return { ...test, fn: run };
}

class Deadline {
  readonly #limitMs: number;
  readonly #late = Promise.withResolvers<never>();
  readonly #underWay: string[] = [];
  readonly #after: After;
  #cancel = () => {};

  constructor(limitMs: number, after: After) {
    this.#limitMs = limitMs;
    this.#after = after;
  }

  async run({ name, fn }: Definition, context: Deno.TestContext): Promise<void> {
    this.#underWay.push(name);
    this.#renew();
    try {
      await Promise.race([fn(this.#watched(context)), this.#late.promise]);
    } finally {
      this.#cancel();
    }
  }

  #renew(): void {
    this.#cancel();
    this.#cancel = this.#after(this.#limitMs, () => {
      const names = this.#underWay.join(" … ");
      this.#late.reject(new Error(`Did not go on for ${this.#limitMs / 1_000} s: ${names}`));
    });
  }

  /** The context, with steps that renew the deadline. */
  #watched(context: Deno.TestContext): Deno.TestContext {
    const step = async (definition: Deno.TestStepDefinition) => {
      const { name, fn } = definition;
      this.#underWay.push(name);
      this.#renew();
      const inner = (context: Deno.TestContext) => fn(this.#watched(context));
      const isOk = await context.step({ ...definition, fn: inner });
      this.#underWay.pop();
      this.#renew();
      return isOk;
    };
    return { ...context, step } as Deno.TestContext;
  }
}
