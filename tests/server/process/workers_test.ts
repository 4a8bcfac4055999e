import { strict as assert } from "node:assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { until } from "../../fixtures/eventually.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { runFlags } from "../../../tools/test/configuration.ts";

const program = new URL("worker_program.ts", import.meta.url).pathname;

// Other systems do not spread the connections of a port.
describe("workers", { ignore: Deno.build.os !== "linux" }, () => {
  let port: number;
  beforeEach(async () => {
    port = await reservePort();
  });

  /** Starts a supervisor of three workers that serve, hang or fail. */
  function supervise(behavior: string): Promise<Rollcall> {
    const command = [Deno.execPath(), ...runFlags, "-A", program, String(port), behavior];
    return Rollcall.startCommand(command);
  }

  /** The processes of the workers, each printed at its last start. */
  async function workersOf(server: Rollcall): Promise<number[]> {
    const pids: number[] = [];
    for (const worker of [1, 2, 3]) {
      await server.printed(new RegExp(`worker ${worker} is process \\d+`));
      const starts = [
        ...server.log.matchAll(new RegExp(`worker ${worker} is process (\\d+)`, "g")),
      ];
      pids.push(Number(starts.at(-1)![1]));
    }
    return pids;
  }

  it("serve one port, and one of them announces that", async () => {
    await using server = await supervise("serve");
    const pids = await workersOf(server);
    assert.equal(new Set([...pids, server.pid]).size, 4);
    const answered = new Set<number>();
    await until(async () => {
      answered.add(Number(await (await fetch(server.origin)).text()));
      return answered.size === 3;
    }, "each worker had answered");
    assert.deepEqual([...answered].sort(), pids.sort());
    assert.equal(server.log.match(/Rollcall is ready/g)?.length, 1);
  });

  it("are started again when they were killed, without an announcement", async () => {
    await using server = await supervise("serve");
    for (const worker of [1, 3]) {
      const before = (await workersOf(server))[worker - 1];
      Deno.kill(before, "SIGKILL");
      await until(
        async () => (await workersOf(server))[worker - 1] !== before,
        `worker ${worker} was started again`,
      );
      await server.printed(
        new RegExp(`ended and is started again worker=${worker} code=137 signal=SIGKILL\n`),
      );
    }
    assert.equal(server.log.match(/is process/g)?.length, 5);
    assert.equal(server.log.match(/Rollcall is ready/g)?.length, 1);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`reload at SIGHUP and stop at ${signal}, each of them; then the supervisor ends with 0`, async () => {
      await using server = await supervise("serve");
      const pids = await workersOf(server);
      server.signal("SIGHUP");
      for (const worker of [1, 2, 3]) await server.printed(new RegExp(`worker ${worker} reloads`));
      server.signal(signal);
      const { code, signal: by } = await server.ended();
      assert.deepEqual([code, by], [0, null]);
      for (const worker of [1, 2, 3]) {
        assert.ok(server.log.includes(`worker ${worker} received ${signal}`), server.log);
      }
      assert.deepEqual(pids.filter(isRunning), []);
      assert.doesNotMatch(server.log, /started again/);
    });
  }

  it("are killed at the second signal when they hang", async () => {
    await using server = await supervise("hangs");
    const pids = await workersOf(server);
    server.signal("SIGTERM");
    for (const worker of [1, 2, 3]) {
      await server.printed(new RegExp(`worker ${worker} received SIGTERM`));
    }
    server.signal("SIGTERM");
    assert.equal((await server.ended()).code, 0);
    await until(() => !pids.some(isRunning), "the workers were gone");
  });

  it("end when their supervisor is killed", async () => {
    await using server = await supervise("serve");
    const pids = await workersOf(server);
    server.kill();
    await until(() => !pids.some(isRunning), "the workers were gone");
  });

  for (const code of [1, 2]) {
    it(`that fail at the first start with ${code} end all with that, and their output once`, async () => {
      await assert.rejects(
        supervise(`fails ${code}`),
        new RegExp(`ended with code ${code}:\nA line of what fails\n$`),
      );
    });
  }

  it("do not start on a port that another program has, even if it shares it", async () => {
    await using _first = await supervise("serve");
    await assert.rejects(
      supervise("serve"),
      new RegExp(`ended with code 1:\nPORT: "${port}" is in use; expected a free one\n$`),
    );
  });
});

/** Whether there is such a process, other than one that has ended and was not waited for. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

const uncaughtProgram = new URL("uncaught_program.ts", import.meta.url).pathname;

/** What a program prints that ends by an error. */
async function printed(how: string): Promise<string> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...runFlags, "-A", uncaughtProgram, how],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 1);
  return new TextDecoder().decode(stderr);
}

describe("an error that no code catches", () => {
  for (const how of ["timer", "rejection", "listener"]) {
    it(`of a ${how} is logged with its stack before the process ends`, async () => {
      const [line, ...stack] = (await printed(how)).split("\n");
      assert.match(line, /ERROR server: .*so this server ends error="Error: the cause"$/);
      assert.match(stack[0], /^ {4}at .*failing.*uncaught_program\.ts/);
    });
  }

  it("and is null is logged as that", async () => {
    assert.match(await printed("null"), /ERROR server: .*so this server ends .*Uncaught null/);
  });

  it("is not logged once the process exits, which breaks off what still runs", async () => {
    assert.doesNotMatch(await printed("exit"), /ERROR server/);
  });
});
