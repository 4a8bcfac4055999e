import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { EventfulDay, found, settings } from "./eventful_day.ts";

const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.enum(["debug", "info", "warn", "error"]),
  logger: z.string(),
  message: z.string(),
  requestId: z.string().optional(),
  socketId: z.string().optional(),
});

type Line = z.infer<typeof lineSchema>;

/** Lines that the server prints besides the log. */
const announcement = /^(Rollcall is ready|Create the first admin here): /;

async function logOfDay(format: "text" | "json"): Promise<{ lines: string[]; secrets: string[] }> {
  await using server = await Rollcall.start({ ...settings, LOG_FORMAT: format });
  const { secrets } = await EventfulDay.of(server);
  await server.stop();
  const lines = server.log.split("\n").filter((line) => line !== "" && !announcement.test(line));
  return { lines, secrets: found(secrets, lines.join("\n")) };
}

describe("the log of a server in use", () => {
  it("contains no secret as text", async () => {
    const { lines, secrets } = await logOfDay("text");
    assert.deepEqual(secrets, []);
    const refused = /^\S+ WARN +accounts: Sign-in refused .*reason=wrong_credentials/m;
    assert.match(lines.join("\n"), refused);
  });

  it("contains no secret as JSON, and each line is an object with its ids", async () => {
    const { lines, secrets } = await logOfDay("json");
    assert.deepEqual(secrets, []);
    const parsed = lines.map((line) => lineSchema.parse(JSON.parse(line)));
    checkIds(parsed);
    assert.deepEqual(count(parsed, "An action was recorded", "action"), {
      user_added: 1,
      invite_created: 1,
      user_joined: 1,
      name_changed: 1,
      reset_link_created: 1,
      reset_link_used: 1,
      password_reset: 1,
      role_changed: 1,
      user_disabled: 1,
      wallboard_link_created: 1,
      wallboard_link_revoked: 1,
    });
    assert.deepEqual(count(parsed, "Sign-in refused", "reason"), {
      wrong_credentials: 3,
      invalid: 1,
    });
    assert.deepEqual(count(parsed, "Limit exceeded", "limit"), { frameBytes: 1 });
    for (const message of ["Started", "Stopping", "Stopped", "The first admin was created"]) {
      assert.equal(parsed.filter((line) => line.message === message).length, 1, message);
    }
  });
});

/** Asserts that lines about requests have a request id, those about sockets a socket id, and no others. */
function checkIds(lines: Line[]): void {
  for (const line of lines) {
    const ofRequest = ["http", "accounts", "audit"].includes(line.logger);
    assert.equal(line.requestId !== undefined, ofRequest, JSON.stringify(line));
    assert.equal(line.socketId !== undefined, line.logger === "realtime", JSON.stringify(line));
  }
}

function count(lines: Line[], message: string, field = "outcome"): Record<string, number> {
  const values = lines.filter((line) => line.message === message).map((line) => `${line[field]}`);
  return Object.fromEntries(
    [...new Set(values)].map((one) => [one, values.filter((value) => value === one).length]),
  );
}

describe("OpenTelemetry", () => {
  it("receives requests, log lines and metrics without secrets when it is on", async () => {
    await using collector = new Collector();
    await using server = await Rollcall.start({ ...settings, ...collector.environment });
    const { secrets } = await EventfulDay.of(server);
    await collector.has("traces", /"url\.path","value":\{"stringValue":"\/sign-out"/);
    await collector.has("logs", /Sign-in refused/);
    assert.equal((await server.stop()).code, 0);
    assert.match(collector.received("metrics"), /http\.server\.request\.duration/);
    const addresses = [
      ...collector.received("traces").matchAll(/"url.full".*?"stringValue":"(.*?)"/g),
    ]
      .map(([, address]) => address);
    assert.ok(addresses.includes(`${server.origin}/setup`), addresses.join("\n"));
    assert.ok(addresses.includes(`${server.origin}/apps/4711/events`));
    assert.doesNotMatch(collector.received(), /url\.query|\?\w+=/);
    assert.match(collector.received("logs"), /"severityText":"WARN"/);
    assert.deepEqual(found(secrets, collector.received()), []);
  });
});

/** A collector of OpenTelemetry's data: takes OTLP over HTTP as JSON, on loopback. */
export class Collector implements AsyncDisposable {
  readonly #received: { path: string; text: string }[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #wake = () => {};

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const text = JSON.stringify(await request.json());
        this.#received.push({ path: new URL(request.url).pathname, text });
        this.#wake();
        return Response.json({});
      },
    );
  }

  /**
   * The environment with which a Deno process sends everything here: traces and logs at once,
   * metrics when it ends. (Deno 2.9.6 may not end at all while it sends metrics in between.)
   */
  get environment(): Record<string, string> {
    return {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_BLRP_SCHEDULE_DELAY: "50",
    };
  }

  /** Everything received of a kind. */
  received(kind: "traces" | "logs" | "metrics" | "" = ""): string {
    return this.#received.filter(({ path }) => path === `/v1/${kind}` || kind === "")
      .map(({ text }) => text).join("\n");
  }

  /** Waits until data of a kind matches; fails after ten seconds. */
  async has(kind: "traces" | "logs", pattern: RegExp): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.reject(new Error(`no ${kind} with ${pattern}`)), 60_000);
    try {
      while (!pattern.test(this.received(kind))) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await Promise.race([promise, late.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

describe("the log of a flood", () => {
  it("has at most 60 identical lines a minute, and a count of the others", async () => {
    await using server = await Rollcall.start();
    const stranger = new HttpVisitor(server.origin);
    await stranger.get("/sign-in");
    // One after the other: of many at once, some are told to come back later.
    for (let number = 0; number < 100; number++) {
      const form = { email: `not an address ${number}`, password: "x" };
      assert.equal((await stranger.submit("/sign-in", form)).status, 422);
    }
    await server.stop();
    assert.equal(server.log.match(/Sign-in refused .*reason=invalid/g)?.length, 60);
    const leftOut = /log: Repeated lines omitted count=40 lines="accounts Sign-in/;
    assert.match(server.log, leftOut);
  });
});
