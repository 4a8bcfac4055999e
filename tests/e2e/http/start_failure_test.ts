import { strict as assert } from "node:assert";
import { join } from "node:path";
import { describe } from "@std/testing/bdd";
import pg from "pg";
import { openDatabase } from "@/server/database/database.ts";
import { selfSignedCertificate } from "../../fixtures/certificates.ts";
import { until } from "../../fixtures/eventually.ts";
import { it } from "../../fixtures/long_run.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/database_contents.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { serveCommand } from "../../fixtures/program.ts";

const shop = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };

describe("a start that a setting keeps from succeeding ends with one line", () => {
  /** The settings, and the line that is logged. */
  const settings: [Record<string, string>, RegExp][] = [
    [{ HOST: "not.a.host" }, /^HOST: "not\.a\.host" is not allowed/],
    [{ APPS_FILE: "/etc" }, /^APPS_FILE: "\/etc" is not allowed; expected a readable file/],
    [
      { APPS: JSON.stringify([shop]), PUSHER_APP_ID: "shop", PUSHER_APP_KEY: "another-key" },
      /^PUSHER_APP_KEY: \(not shown\) differs from the key of app shop in APPS/,
    ],
    [{ DATA_DIR: "/etc/passwd" }, /^DATA_DIR: "\/etc\/passwd" cannot be written/],
    [
      { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x" },
      /^DATABASE_URL: \(secret, not shown\) cannot be used \(nothing listens there, ECONNREFUSED\)/,
    ],
    [
      { DATABASE_URL: "postgres://u:hunter2@%2Fno%2Fsocket/x" },
      /^DATABASE_URL: \(secret, not shown\) cannot be used \(ENOENT\)/,
    ],
  ];
  for (const [environment, line] of settings) {
    it(Object.keys(environment).join(), async () => {
      assert.match(await failure(environment), line);
    });
  }

  it.inLongRun("DATABASE_URL, when the database ends while the server starts", async () => {
    const postgres = await startPostgres();
    await using _ = { [Symbol.asyncDispose]: () => postgres.stop() };
    const DATABASE_URL = await postgres.createDatabase();
    await (await Rollcall.start({ DATABASE_URL }))[Symbol.asyncDispose]();
    const lock = new pg.Client({ connectionString: DATABASE_URL });
    await lock.connect();
    await lock.query('begin; lock table "user"');
    const lines = failedLines(Rollcall.start({ DATABASE_URL }));
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await ask(DATABASE_URL, end)).length > 0);
    assert.match((await lines).at(-1)!, /^DATABASE_URL: \(secret, not shown\) cannot be used/);
    await lock.end();
  });

  it("REDIS_URL", async () => {
    const postgres = await startPostgres();
    await using _ = { [Symbol.asyncDispose]: () => postgres.stop() };
    const DATABASE_URL = await postgres.createDatabase();
    // Another program than Redis.
    const { port } = new URL(DATABASE_URL);
    for (const host of ["127.0.0.1:1", `127.0.0.1:${port}`, "no-such-host.invalid:6379"]) {
      for (const WORKERS of ["1", "2"]) {
        const environment = {
          DATABASE_URL,
          REDIS_URL: `redis://:hunter2@${host}`,
          WORKERS,
          PORT: String(await reservePort()),
        };
        assert.match(
          await failure(environment),
          new RegExp(
            `^REDIS_URL: \\(secret, not shown\\) cannot be used \\(Redis at ${host}: .+\\)`,
          ),
        );
      }
    }
  });

  it("a database of a newer version", async () => {
    const dataFolder = await Deno.makeTempDir();
    const database = await openDatabase({ dataFolder });
    await database.queries.insertInto("migration")
      .values({ number: 1_000, name: "from the future", appliedAt: "" }).execute();
    await database.close();
    assert.match(await failure({}, dataFolder), /^The database was written by a newer version/);
    await Deno.writeTextFile(join(dataFolder, "rollcall.sqlite"), "none".repeat(1_000));
    assert.match(await failure({}, dataFolder), /^DATA_DIR: the database in ".*" is damaged/);
    await Deno.remove(dataFolder, { recursive: true });
  });

  it.inLongRun("a full disk", async () => {
    // 100 blocks of 512 bytes are less than the tables take.
    const limited = 'trap "" XFSZ; ulimit -f 100; exec "$0" "$@"';
    const command = ["sh", "-c", limited, ...serveCommand];
    const lines = await failedLines(Rollcall.startCommand(command));
    assert.match(
      lines.join("\n"),
      /^DATA_DIR: the database in ".*" cannot be written: its disk.*$/,
    );
  });

  it.inLongRun("PORT in use", async () => {
    await using other = await Rollcall.start();
    const port = new URL(other.origin).port;
    assert.equal(await failure({ PORT: port }), `PORT: "${port}" is in use; expected a free one`);
  });

  it("TLS_KEY_FILE of another certificate", async () => {
    const [one, other] = [await selfSignedCertificate(), await selfSignedCertificate()];
    const files = { TLS_CERT_FILE: one.certFile, TLS_KEY_FILE: other.keyFile };
    assert.match(await failure(files), /^TLS_KEY_FILE: does not match TLS_CERT_FILE/);
    await Promise.all([one.remove(), other.remove()]);
  });
});

/** What the server prints before it ends with a failure's code: one line. */
async function failure(
  environment: Record<string, string>,
  dataFolder?: string,
): Promise<string> {
  const lines = await failedLines(Rollcall.start(environment, dataFolder));
  assert.equal(lines.length, 1, lines.join("\n"));
  return lines[0];
}

/** All that a server prints before it ends with a failure's code. */
async function failedLines(start: Promise<Rollcall>): Promise<string[]> {
  try {
    await start;
  } catch (error) {
    const [head, ...lines] = String(error).trim().split("\n");
    assert.match(head, /ended with code [12]:/);
    return lines;
  }
  throw new Error("it started");
}
