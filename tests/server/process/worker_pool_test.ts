import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { type Command, WorkerPool } from "@/server/process/worker_pool.ts";

const crash = { code: 1, signal: null, ranMs: 0 };
const kill = { code: 137, signal: "SIGKILL", ranMs: 0 };
const start = (worker: number, afterMs = 0) => ({ command: "start", worker, afterMs } as const);
const coordinate = (worker: number) => ({ command: "coordinate", worker } as const);
const signal = (signal: Deno.Signal) => ({ command: "signal", signal } as const);
const exit = (code: number) => ({ command: "exit", code } as const);

/** A pool whose workers all run, and whose first one is ready. */
function serving(count = 3): WorkerPool {
  const pool = new WorkerPool(count);
  pool.begin();
  pool.started(1);
  pool.ready();
  for (let worker = 2; worker <= count; worker++) pool.started(worker);
  return pool;
}

describe("a pool of workers", () => {
  it("starts the first worker, which announces, and the others once when it is ready", () => {
    const pool = new WorkerPool(3);
    assert.deepEqual(pool.begin(), [start(1)]);
    assert.deepEqual([1, 2].map((worker) => pool.announces(worker)), [true, false]);
    pool.started(1);
    assert.deepEqual(pool.ready(), [start(2), start(3)]);
    assert.equal(pool.announces(1), false);
    assert.deepEqual(pool.ready(), []);
  });

  it("starts a worker that ended again, after waits that double from 0.1 s to 5 s", () => {
    const pool = serving();
    const waits = Array.from({ length: 8 }, () => {
      const [command, ...more] = pool.ended(2, crash);
      assert.deepEqual(more, []);
      pool.started(2);
      return command.command === "start" ? command.afterMs : command;
    });
    assert.deepEqual(waits, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    assert.deepEqual(pool.ended(3, kill), [start(3, 100)]);
    assert.deepEqual(pool.ended(1, { ...crash, code: 0 }), [start(1, 100)]);
  });

  it("waits the shortest time again after a run of 10 s", () => {
    const pool = serving();
    for (let end = 0; end < 5; end++) pool.ended(2, crash);
    assert.deepEqual(pool.ended(2, { ...crash, ranMs: 9_999 }), [start(2, 3_200)]);
    assert.deepEqual(pool.ended(2, { ...crash, ranMs: 10_000 }), [start(2, 100)]);
    assert.deepEqual(pool.ended(2, crash), [start(2, 200)]);
  });

  it("starts the first worker again when it is killed before it is ready; it announces", () => {
    const pool = new WorkerPool(2);
    pool.begin();
    pool.started(1);
    assert.deepEqual(pool.ended(1, kill), [start(1, 100)]);
    assert.equal(pool.announces(1), true);
  });

  for (const code of [1, 2]) {
    it(`ends with ${code} when the first start fails with it`, () => {
      const pool = new WorkerPool(2);
      pool.begin();
      pool.started(1);
      assert.deepEqual(pool.ended(1, { ...crash, code }), [exit(code)]);
    });
  }

  it("stops all and ends with 2 when a worker ends with that: a setting is invalid", () => {
    const pool = serving();
    assert.deepEqual(pool.ended(2, { ...crash, code: 2 }), [signal("SIGTERM")]);
    assert.equal(pool.isStopping, true);
    assert.deepEqual(pool.ended(1, { ...crash, code: 0 }), []);
    assert.deepEqual(pool.ended(3, { ...crash, code: 0 }), [exit(2)]);
  });

  it("passes a signal to stop on, and ends with 0 when all workers have ended", () => {
    for (const name of ["SIGTERM", "SIGINT"] as const) {
      const pool = serving();
      assert.deepEqual(pool.stop(name), [signal(name)]);
      assert.deepEqual(pool.reload(), []);
      assert.deepEqual(pool.ready(), []);
      assert.deepEqual([1, 2].map((worker) => pool.ended(worker, crash)), [[], []]);
      assert.deepEqual(pool.ended(3, { ...crash, code: 2 }), [exit(0)]);
    }
  });

  it("kills what is left at the second signal, and when the time for a stop is over", () => {
    const pool = serving();
    pool.stop("SIGINT");
    const end = [signal("SIGKILL"), exit(0)];
    assert.deepEqual(pool.stop("SIGINT"), end);
    assert.deepEqual(pool.overdue(), end);
  });

  it("ends at once when it is stopped while no worker runs", () => {
    const pool = serving(2);
    pool.ended(1, crash);
    pool.ended(2, crash);
    assert.deepEqual(pool.stop("SIGTERM"), [exit(0)]);
  });

  it("passes SIGHUP on to all", () => {
    assert.deepEqual(serving().reload(), [signal("SIGHUP")]);
  });

  it("starts a coordinator with the first worker, and again at once when it ended, then after waits", () => {
    const pool = new WorkerPool(2, true);
    assert.deepEqual(pool.begin(), [start(0), start(1)]);
    assert.deepEqual(pool.started(0), [coordinate(0)]);
    assert.deepEqual(pool.started(1), []);
    assert.deepEqual(pool.ready(), [start(2)]);
    pool.started(2);
    assert.deepEqual(pool.ended(0, kill), [start(0)]);
    assert.deepEqual(pool.started(0), [coordinate(0)]);
    assert.deepEqual(pool.ended(0, kill), [start(0, 200)]);
    pool.started(0);
    assert.deepEqual(pool.ended(0, { ...kill, ranMs: 10_000 }), [start(0)]);
  });

  it("starts one standby once the coordinator answers, which takes its place and is replaced itself", () => {
    const pool = new WorkerPool(1, true);
    pool.begin();
    pool.started(0);
    pool.started(1);
    pool.ready();
    assert.deepEqual(pool.coordinatorAnswers(), [start(-1)]);
    assert.deepEqual(pool.coordinatorAnswers(), []);
    assert.deepEqual(pool.started(-1), []);
    assert.deepEqual(pool.ended(-1, kill), [start(-1, 100)]);
    assert.deepEqual(pool.started(-1), []);
    assert.deepEqual(pool.ended(0, kill), [coordinate(-1), start(0, 100)]);
    assert.equal(pool.isFrozen(3_000), false, "it may still be starting itself");
    assert.deepEqual(pool.coordinatorAnswers(), []);
    assert.deepEqual(pool.started(0), []);
    assert.deepEqual(pool.ended(-1, kill), [coordinate(0), start(-1, 200)]);
    assert.deepEqual(pool.ended(0, { ...kill, ranMs: 10_000 }), [start(0)]);
    assert.deepEqual(pool.started(-1), [coordinate(-1)]);
  });

  it("has one coordinator whenever one of its two processes runs, and starts neither twice", () => {
    const steps = fc.array(
      fc.constantFrom<"answers" | "starts" | 0 | -1>("answers", "starts", 0, -1),
      {
        maxLength: 60,
      },
    );
    fc.assert(fc.property(steps, (steps) => {
      const pool = new WorkerPool(1, true);
      const running = new Set<number>();
      const due = new Set<number>();
      let coordinator: number | undefined;
      const carryOut = (commands: Command[]) => {
        for (const each of commands) {
          if (each.command === "coordinate") {
            assert.equal(coordinator, undefined, "the one before has ended");
            coordinator = each.worker;
          }
          if (each.command !== "start") continue;
          assert.ok(!running.has(each.worker) && !due.has(each.worker), `${each.worker} runs once`);
          due.add(each.worker);
        }
      };
      const startDue = () => {
        for (const worker of due) {
          due.delete(worker);
          running.add(worker);
          carryOut(pool.started(worker));
        }
      };
      carryOut(pool.begin());
      startDue();
      carryOut(pool.ready());
      for (const step of steps) {
        if (step === "answers") carryOut(pool.coordinatorAnswers());
        else if (step === "starts") startDue();
        else if (running.delete(step)) {
          if (step === coordinator) coordinator = undefined;
          carryOut(pool.ended(step, kill));
        }
        const mayCoordinate = [0, -1].filter((worker) => running.has(worker));
        assert.equal(coordinator !== undefined, mayCoordinate.length > 0);
      }
    }));
  });

  it("ends when all workers have, whether their coordinator has or not", () => {
    for (const isGone of [false, true]) {
      const pool = new WorkerPool(1, true);
      pool.begin();
      pool.started(0);
      pool.started(1);
      pool.ready();
      assert.deepEqual(pool.stop("SIGTERM"), [signal("SIGTERM")]);
      if (isGone) assert.deepEqual(pool.ended(0, kill), []);
      assert.deepEqual(pool.ended(1, { ...crash, code: 0 }), [exit(0)]);
    }
  });

  it("ends with the code of a coordinator that cannot start", () => {
    const pool = new WorkerPool(2, true);
    pool.begin();
    pool.started(0);
    pool.started(1);
    assert.deepEqual(pool.ended(0, crash), [signal("SIGTERM")]);
    assert.deepEqual(pool.ended(1, { ...crash, code: 0 }), [exit(1)]);
  });

  it("ends a coordinator that answers no more, one that starts only after long, and none in a stop", () => {
    const pool = new WorkerPool(1, true);
    pool.begin();
    pool.started(0);
    assert.deepEqual([pool.isFrozen(29_999), pool.isFrozen(30_000)], [false, true]);
    pool.coordinatorAnswers();
    assert.equal(pool.isFrozen(1), true);
    pool.started(1);
    pool.ready();
    pool.ended(0, kill);
    pool.started(0);
    assert.equal(pool.isFrozen(3_000), false);
    pool.coordinatorAnswers();
    pool.stop("SIGTERM");
    assert.equal(pool.isFrozen(60_000), false);
  });

  it("keeps every worker running or about to, until it stops, and then ends, whatever happens", () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.constantFrom(crash, kill)), { maxLength: 60 });
    fc.assert(fc.property(fc.integer({ min: 2, max: 5 }), steps, (count, steps) => {
      const pool = new WorkerPool(count);
      const running = new Set<number>();
      const due: number[] = [];
      const exits: number[] = [];
      const carryOut = (commands: Command[]) => {
        for (const each of commands) {
          if (each.command === "start") due.push(each.worker);
          if (each.command === "exit") exits.push(each.code);
        }
      };
      const startDue = () => {
        for (const worker of due.splice(0)) {
          assert.ok(!running.has(worker), `worker ${worker} runs once`);
          running.add(worker);
          pool.started(worker);
        }
      };
      carryOut(pool.begin());
      startDue();
      carryOut(pool.ready());
      startDue();
      for (const [step, end] of steps) {
        const worker = 1 + step % count;
        if (running.delete(worker)) carryOut(pool.ended(worker, end));
        if (step === 5) startDue();
        assert.equal(running.size + due.length, count);
      }
      carryOut(pool.stop("SIGTERM"));
      for (const worker of running) carryOut(pool.ended(worker, kill));
      assert.deepEqual(exits, [0]);
    }));
  });
});
