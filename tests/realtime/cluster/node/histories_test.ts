import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { settle } from "./memory_link.ts";
import { ClusterSimulation, leaseMs, type SimulatedServer } from "./simulation.ts";

type Step =
  | { open: string; on: number }
  | { close: number; on: number }
  | { move: string; from: number; on: number }
  | { update: string; status: number; on: number }
  | { wait: number }
  | { cut: number }
  | { mend: number }
  | { late: number; isLate: boolean }
  | { slow: number; isSlow: boolean }
  | { scan: number }
  | { fail: number; on: number; isCarriedOut: boolean }
  | { refuse: number; on: number }
  | { kill: number; afterMs?: number }
  | { remove: number; isReplaced: boolean }
  | { serve: number }
  | "start"
  | "lose all"
  | "outage"
  | "replica stops"
  | "replica takes over"
  | "rest";

const index = fc.nat(2);
const user = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "10");
const afterMs = fc.option(fc.constantFrom(0, 300), { nil: undefined });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.record({ open: user, on: index }) },
    { weight: 25, arbitrary: fc.record({ close: fc.nat(9), on: index }) },
    { weight: 8, arbitrary: fc.record({ move: user, from: index, on: index }) },
    { weight: 15, arbitrary: fc.record({ update: user, status: fc.nat(3), on: index }) },
    { weight: 20, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: leaseMs }) }) },
    { weight: 8, arbitrary: fc.record({ cut: index }) },
    { weight: 8, arbitrary: fc.record({ mend: index }) },
    { weight: 6, arbitrary: fc.record({ late: index, isLate: fc.boolean() }) },
    {
      weight: 10,
      arbitrary: fc.record({
        fail: fc.integer({ min: 1, max: 3 }),
        on: index,
        isCarriedOut: fc.boolean(),
      }),
    },
    { weight: 6, arbitrary: fc.record({ refuse: fc.integer({ min: 1, max: 3 }), on: index }) },
    { weight: 2, arbitrary: fc.record({ kill: index, afterMs }) },
    { weight: 6, arbitrary: fc.record({ remove: index, isReplaced: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ serve: index }) },
    { weight: 3, arbitrary: fc.constant("start" as const) },
    { weight: 2, arbitrary: fc.constant("lose all" as const) },
    { weight: 2, arbitrary: fc.constant("outage" as const) },
    { weight: 3, arbitrary: fc.constant("replica stops" as const) },
    { weight: 3, arbitrary: fc.constant("replica takes over" as const) },
    { weight: 6, arbitrary: fc.record({ slow: index, isSlow: fc.boolean() }) },
    { weight: 15, arbitrary: fc.record({ scan: index }) },
    { weight: 5, arbitrary: fc.constant("rest" as const) },
  ),
  { maxLength: 30 },
);

async function take(step: Step, simulation: ClusterSimulation): Promise<void> {
  const { servers } = simulation;
  const at = (index: number) => servers[index % servers.length];
  if (step === "start") return servers.length < 3 ? await simulation.start() : undefined;
  if (step === "lose all") return simulation.loseAll();
  if (step === "outage") return servers.forEach(({ link }) => link.cut());
  if (step === "replica stops") return simulation.stopReplica();
  if (step === "replica takes over") return simulation.takeOver();
  if (step === "rest") return await simulation.rest();
  if ("wait" in step) return await simulation.wait(step.wait);
  if ("update" in step) return at(step.on).update(step.update, step.status);
  if ("open" in step) return at(step.on).open(step.open);
  if ("close" in step) return at(step.on).close(step.close);
  if ("cut" in step) return at(step.cut).link.cut();
  if ("mend" in step) return at(step.mend).link.mend();
  if ("kill" in step) return await simulation.kill(step.kill, step.afterMs);
  if ("remove" in step) return at(step.remove).remove(step.isReplaced);
  if ("serve" in step) return at(step.serve).serve();
  if ("late" in step) return void (at(step.late).link.isLate = step.isLate);
  if ("slow" in step) return void (at(step.slow).link.isScanningSlowly = step.isSlow);
  if ("scan" in step) return await scan(at(step.scan));
  if ("refuse" in step) return void (at(step.on).link.refusing = step.refuse);
  if ("fail" in step) {
    const { link } = at(step.on);
    return void Object.assign(link, { failing: step.fail, isCarriedOut: step.isCarriedOut });
  }
  at(step.on).open(step.move);
  const from = at(step.from).tabs.findIndex(({ userId }) => userId === step.move);
  if (from >= 0) at(step.from).close(from);
}

/** A server goes one step further in reading a room, while the room changes. */
async function scan({ link }: SimulatedServer): Promise<void> {
  link.scan();
  await settle();
}

async function check(todo: Step[]): Promise<void> {
  const simulation = new ClusterSimulation();
  for (let count = 0; count < 2; count++) await simulation.start();
  await simulation.rest();
  for (const step of todo) {
    await take(step, simulation);
    simulation.check();
  }
  await simulation.rest();
  simulation.end();
}

describe("Servers with one list", () => {
  it("have the true one after any history, and announce no one as gone who stayed", async () => {
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 300 });
  });

  it("announce no one as gone of whom a server missed an update, and tell its clients of that", async () => {
    await check([
      { open: "a", on: 0 },
      "rest",
      { cut: 1 },
      { update: "a", status: 1, on: 0 },
      { wait: 100 },
      { mend: 1 },
    ]);
  });

  it("announce no one as gone whose update is lost, as the replica that takes over lacks it", async () => {
    await check([
      { open: "a", on: 0 },
      "rest",
      "replica stops",
      { update: "a", status: 1, on: 1 },
      { wait: 100 },
      "replica takes over",
    ]);
  });

  it("announce no one as gone whom Redis has no memory for when all is registered again", async () => {
    await check([
      { open: "a", on: 0 },
      "rest",
      "outage",
      { wait: 3 * leaseMs },
      { refuse: 3, on: 0 },
      { mend: 0 },
      { mend: 1 },
      { wait: 300 },
    ]);
  });

  it("announce no one as gone when the first of them is back after an outage of Redis", async () => {
    await check([
      { open: "a", on: 1 },
      "rest",
      "outage",
      { wait: 3 * leaseMs },
      { mend: 0 },
      { wait: 150 },
      { mend: 1 },
    ]);
  });

  it("announce no one as gone when Redis loses its data between two steps in which a room is read", async () => {
    await check([
      ...["a", "b", "c"].map((user) => ({ open: user, on: 1 })),
      "rest",
      { slow: 0, isSlow: true },
      { cut: 0 },
      { mend: 0 },
      ...[1, 2].map(() => ({ scan: 0 })),
      "lose all",
      ...[1, 2, 3, 4, 5].map(() => ({ scan: 0 })),
    ]);
  });

  it("do not list the users of an app that one of them removed while it did not reach Redis", async () => {
    await check([
      { open: "a", on: 0 },
      "rest",
      { cut: 0 },
      { remove: 0, isReplaced: false },
      { wait: 150 },
      { mend: 0 },
    ]);
  });

  it("list a user of an app that was replaced before Redis had answered that user's join", async () => {
    await check([
      { open: "a", on: 0 },
      { remove: 0, isReplaced: true },
      { open: "a", on: 0 },
    ]);
  });

  it("do not list a user of a removed app whose join was answered just before a new lease was registered", async () => {
    await check([
      "replica stops",
      "replica takes over",
      { move: "a", from: 0, on: 0 },
      { mend: 0 },
      { open: "b", on: 0 },
      { remove: 0, isReplaced: false },
    ]);
  });

  it("list a server's users after Redis has lost its data twice", async () => {
    await check([
      "replica stops",
      "lose all",
      { move: "a", from: 0, on: 0 },
      { open: "a", on: 1 },
      "start",
      "replica takes over",
    ]);
  });

  it("announce no one as gone when Redis is out of reach for a lease after it has lost its data", async () => {
    await check([
      { fail: 1, on: 1, isCarriedOut: false },
      "lose all",
      { open: "a", on: 0 },
      "outage",
      { wait: 400 },
    ]);
  });

  it("list a user who left, and is back when a replica that missed that takes over", async () => {
    await check([
      { open: "a", on: 0 },
      "rest",
      "replica stops",
      { close: 0, on: 0 },
      { wait: leaseMs },
      "replica takes over",
      { open: "a", on: 1 },
    ]);
  });
});
