import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { measurePeer } from "@/tools/bench/peer/main.ts";
import { type Options, readOptions } from "@/tools/bench/peer/options.ts";
import { type PeerResult, readResult } from "@/tools/bench/peer/report.ts";
import { selfSignedCertificate } from "../../fixtures/certificates.ts";
import { FaultyProxy } from "../../fixtures/faulty_proxy.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { runFlags } from "../../../tools/test/configuration.ts";
import { app, Harness } from "../../realtime/harness.ts";
import { WrongServer } from "./wrong_server.ts";

/** A small form of the benchmark: as long as it waits only for what comes, patience costs no time. */
const small = {
  "--sizes": "3,12",
  "--joins": "3",
  "--rate": "20",
  "--seconds": "1",
  "--seen": "150",
  "--settle": "0.5",
  "--patience": "150",
  "--app": app.id,
  "--key": app.key,
  "--secret": app.secret,
};

const wordsOf = (values: Record<string, string>) => Object.entries(values).flat();

async function measured(
  url: string,
  values: Record<string, string>,
  changed: Partial<Options> = {},
  restart = () => Promise.resolve(),
): Promise<Figures> {
  const options = readOptions(wordsOf({ ...small, "--url": url, ...values }))!;
  return new Figures(await measurePeer({ ...options, ...changed }, restart));
}

/** The figures of a result, by parts of their names. */
class Figures {
  constructor(readonly result: PeerResult) {}

  row(measurement: string, figure: string) {
    const found = this.result.rows.filter((row) =>
      row.measurement.startsWith(measurement) && row.figure.includes(figure)
    );
    assert.equal(found.length, 1, `${measurement}, ${figure}: ${JSON.stringify(this.result.rows)}`);
    return found[0];
  }

  value(measurement: string, figure: string): number | null {
    return this.row(measurement, figure).value;
  }

  /** That the lists and all that was told in the churn are true. */
  assertExact(lists: string[]): void {
    const values = [
      ...["false joins", "false leaves", "joins missed", "refused"]
        .map((figure) => ["churn", figure]),
      ["churn", "disconnected, long-lived"],
      ["churn", "disconnected, users"],
      ...lists.flatMap((list) => [["list", `missing, ${list}`], ["list", `too many, ${list}`]]),
    ];
    for (const [measurement, figure] of values) {
      assert.equal(this.value(measurement, figure), 0, `${measurement}, ${figure}`);
    }
    assert.equal(this.row("list", "time until").isMore, undefined);
  }
}

describe("The presence benchmark", () => {
  it("measures each part of the built app over TLS, finds its lists exact, and prints no secret", async () => {
    await using server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      MAX_CONNECTIONS_PER_ADDRESS: "0",
      PRESENCE_GRACE_MS: "0",
      DRAIN_MS: "0",
    });
    const file = `${server.dataFolder}/peer.json`;
    const certificate = await selfSignedCertificate();
    const [cert, key] = [certificate.certFile, certificate.keyFile].map(Deno.readTextFileSync);
    await using proxy = await FaultyProxy.to(await server.listening(), { tls: { cert, key } });
    const url = proxy.origin.replace("https", "wss");
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...runFlags,
        "-A",
        "tools/bench/peer/main.ts",
        ...wordsOf({ ...small, "--url": url, "--json": file }),
      ],
      env: { DENO_CERT: certificate.certFile },
    }).output();
    await certificate.remove();
    const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, printed);
    const written = await Deno.readTextFile(file);
    assert.equal(`${printed}${written}`.includes(app.secret), false);
    const figures = new Figures(readResult(written));
    figures.assertExact(["long-lived subscriber", "new subscriber", "HTTP API"]);
    for (const row of figures.result.rows) {
      assert.ok(row.value !== null || row.measurement === "restart", JSON.stringify(row));
      assert.ok(printed.includes(row.measurement), row.measurement);
    }
    for (const size of ["3", "12"]) {
      assert.ok(figures.value(`join to seen, ${size} members`, "p99")! > 0);
      assert.equal(figures.value(`join to seen, ${size} members`, "not seen"), 0);
    }
    for (const way of ["client killed", "client cut off"]) {
      assert.equal(figures.row(way, "time in the list").isMore, undefined);
      assert.equal(figures.value(way, "still in the list"), 0);
    }
  });

  it("shows a forgotten leave, a false leave and clients who stay for ever", async () => {
    const wrongs = { forgets: "user-3", sendsAway: "user-10", keepsGhosts: true };
    await using server = new WrongServer(wrongs);
    const figures = await measured(server.url, { "--patience": "2", "--only": "churn,ghosts" });
    assert.equal(figures.value("churn", "false leaves"), 1);
    assert.equal(figures.value("churn", "false joins"), 0);
    assert.ok(figures.value("list", "missing, long-lived")! >= 1);
    assert.ok(figures.value("list", "too many, long-lived")! >= 1);
    assert.ok(figures.value("list", "too many, new subscriber")! >= 1);
    assert.equal(figures.value("list", "missing, new subscriber"), 0);
    assert.equal(figures.row("list", "time until").isMore, true);
    for (const way of ["client killed", "client cut off"]) {
      assert.equal(figures.row(way, "time in the list").isMore, true);
      assert.equal(figures.value(way, "still in the list"), 3);
    }
  });

  it("shows nothing wrong where nothing is, and says why it has no figures", async () => {
    await using server = new WrongServer({ most: 50 });
    const figures = await measured(server.url, { "--sizes": "5,60", "--only": "joins,churn" });
    figures.assertExact(["long-lived subscriber", "new subscriber"]);
    const rooms = figures.result.rows.filter(({ measurement }) => /, 60 members/.test(measurement));
    assert.deepEqual(rooms.map(({ reason }) => reason), [
      "The server refused a client: The channel is full",
    ]);
    assert.equal(figures.row("list", "missing, HTTP API").reason, "The HTTP API answered 404");
    assert.equal(figures.row("ghosts", "").reason, "left out with --only");
    await using full = new WrongServer({ most: 3 });
    const { value, reason } = (await measured(full.url, { "--only": "churn" }))
      .row("churn", "joins refused");
    assert.deepEqual([value, reason], [20, "The server refused a client: The channel is full"]);
  });

  it("counts a page change as a leave and a join only where others are told of them", async () => {
    await using wrong = new WrongServer();
    await using right = new Harness({ presenceGraceMs: 600_000 });
    const [change, only] = ["page change within 1,000 ms", { "--only": "pages" }];
    const flickers = await measured(wrong.url, only);
    assert.ok(flickers.value(change, "false leaves")! > 0);
    assert.ok(flickers.value(change, "false joins")! > 0);
    const calm = await measured(`ws://127.0.0.1:${right.port}`, only);
    for (const figure of ["false leaves", "false joins", "not in the list"]) {
      assert.equal(calm.value(change, figure), 0, figure);
    }
  });

  it("sees users come back after a restart, and those who do not", async () => {
    const port = await reservePort();
    let server = new WrongServer({}, port);
    const restart = async () => {
      await server[Symbol.asyncDispose]();
      server = new WrongServer({}, port);
    };
    const options = { only: [], restart: true };
    const figures = await measured(server.url, {}, options, restart);
    for (const figure of ["connections kept", "missing", "too many"]) {
      assert.equal(figures.value("restart", figure), 0, figure);
    }
    assert.equal(figures.row("restart", "time until").isMore, undefined);
    await server[Symbol.asyncDispose]();
  });
});
