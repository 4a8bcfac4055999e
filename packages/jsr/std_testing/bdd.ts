/**
 * Nested groups of tests with hooks, run by `Deno.test`: a group is a test, what it holds are steps.
 * Steps inherit the sanitizers of the test, and each is checked for leaks on its own, its `beforeEach`
 * and `afterEach` included.
 *
 * @module
 */

/** Settings of a group or test; what is not set comes from the group around it, then deno.json. */
export interface TestOptions {
  /** Whether it is skipped, and counted as that. */
  ignore?: boolean;
  sanitizeOps?: boolean;
  sanitizeResources?: boolean;
  sanitizeExit?: boolean;
}

/** What a test runs; it fails when the function throws or its promise rejects. */
export type TestFunction = (context: Deno.TestContext) => void | Promise<void>;
/** What a hook runs. */
export type Hook = () => void | Promise<void>;

type HookName = "beforeAll" | "afterAll" | "beforeEach" | "afterEach";

interface Test {
  kind: "test";
  name: string;
  options: TestOptions;
  run: TestFunction;
}

interface Group {
  kind: "group";
  name: string;
  options: TestOptions;
  parent: Group | undefined;
  members: (Test | Group)[];
  hooks: Record<HookName, Hook[]>;
}

/** The group whose function runs at the moment, so that calls inside it register there. */
let open: Group | undefined;

/**
 * Registers a group of tests. The function runs at once and must be synchronous: it calls `it`,
 * `describe` and the hooks.
 *
 * @example
 * describe("a counter", () => {
 *   let counter = 0;
 *   beforeEach(() => { counter = 0; });
 *   it("counts", () => assert.equal(++counter, 1));
 * });
 */
export function describe(name: string, body: () => void): void;
export function describe(name: string, options: TestOptions, body: () => void): void;
export function describe(name: string, second: TestOptions | (() => void), third?: () => void) {
  const [options, body] = optionsAndFunction(second, third);
  const hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
  const group: Group = {
    kind: "group",
    name,
    options,
    parent: open,
    members: [],
    hooks,
  };
  open = group;
  try {
    const result: unknown = body();
    if (result instanceof Promise) {
      throw new TypeError(`The function given to describe("${name}") must not be async`);
    }
  } finally {
    open = group.parent;
  }
  if (open) open.members.push(group);
  else {Deno.test({
      name,
      ...options,
      fn: (context) => runGroup(group, context),
    });}
}
describe.only = unsupported("describe.only");
describe.ignore = describe.skip = unsupported("describe.skip");

/** Registers a test in the group around it, or on its own. */
export function it(name: string, run: TestFunction): void;
export function it(name: string, options: TestOptions, run: TestFunction): void;
export function it(name: string, second: TestOptions | TestFunction, third?: TestFunction) {
  const [options, run] = optionsAndFunction(second, third);
  if (open) open.members.push({ kind: "test", name, options, run });
  else Deno.test({ name, ...options, fn: run });
}
it.only = unsupported("it.only");
it.ignore = it.skip = unsupported("it.skip");

export { afterAll as after, beforeAll as before, it as test };

/** Runs once before the tests of the group. When it fails, none of them runs. */
export function beforeAll(hook: Hook): void {
  addHook("beforeAll", hook);
}

/** Runs once after the tests of the group, also when they failed. */
export function afterAll(hook: Hook): void {
  addHook("afterAll", hook);
}

/** Runs before each test of the group and of the groups inside it, outer hooks first. */
export function beforeEach(hook: Hook): void {
  addHook("beforeEach", hook);
}

/** Runs after each test of the group and of the groups inside it, inner hooks first, failed or not. */
export function afterEach(hook: Hook): void {
  addHook("afterEach", hook);
}

function addHook(name: HookName, hook: Hook): void {
  if (!open) throw new Error(`${name}() must be called inside describe()`);
  open.hooks[name].push(hook);
}

function optionsAndFunction<F>(second: TestOptions | F, third?: F): [TestOptions, F] {
  const [options, run] = typeof second === "function" ? [{}, second] : [second, third];
  if (typeof run !== "function") {
    throw new TypeError("A test or group needs a function");
  }
  return [options as TestOptions, run as F];
}

function unsupported(name: string): (..._: unknown[]) => never {
  return () => {
    throw new Error(`${name} is left out of this shim for @std/testing/bdd`);
  };
}

async function runGroup(group: Group, context: Deno.TestContext): Promise<void> {
  const failures: unknown[] = [];
  await collect(failures, async () => {
    for (const hook of group.hooks.beforeAll) await hook();
    for (const member of group.members) {
      await context.step({
        name: member.name,
        ...member.options,
        fn: (step) =>
          member.kind === "group" ? runGroup(member, step) : runTest(group, member, step),
      });
    }
  });
  for (const hook of group.hooks.afterAll) await collect(failures, hook);
  report(failures);
}

/** Runs a test between the hooks of its group and of the groups around that. */
async function runTest(group: Group | undefined, test: Test, step: Deno.TestContext) {
  const around: Group[] = [];
  for (; group; group = group.parent) around.unshift(group);
  const failures: unknown[] = [];
  await collect(failures, async () => {
    for (const { hooks } of around) {
      for (const hook of hooks.beforeEach) await hook();
    }
    await test.run(step);
  });
  for (const { hooks } of around.reverse()) {
    for (const hook of hooks.afterEach) await collect(failures, hook);
  }
  report(failures);
}

/** Throws what failed: a failure of a hook hides none before it. */
function report(failures: readonly unknown[]): void {
  if (failures.length > 1) {
    throw new AggregateError(failures, "The test and its hooks failed");
  }
  if (failures.length === 1) throw failures[0];
}

async function collect(failures: unknown[], run: Hook): Promise<void> {
  try {
    await run();
  } catch (error) {
    failures.push(error);
  }
}
