import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { Wire } from "../fuzz/wire.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada as adaAccount, moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

/** The client is the address that the tests state, as behind a trusted proxy. */
const settings = { TRUSTED_PROXIES: "127.0.0.1", ADMIT_GUESTS: "true", LOG_FORMAT: "json" };

const address = (n: number) => ({ "x-forwarded-for": `203.0.113.${n}` });
const bystander = { "x-forwarded-for": "198.51.100.7" };

/** Requests of strangers whose bodies do not come. */
class HeldForms implements AsyncDisposable {
  readonly #wires: Wire[] = [];

  /** @param headers of each request besides its body's. */
  static async open(
    port: number,
    path: string,
    { addresses, each }: { addresses: number; each: number },
  ): Promise<HeldForms> {
    const held = new HeldForms();
    for (let n = 0; n < addresses * each; n++) {
      const wire = await Wire.connect(port);
      held.#wires.push(wire);
      await wire.write(head(path, { ...address(n % addresses), "content-length": "100" }));
    }
    return held;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const wire of this.#wires) await wire[Symbol.asyncDispose]();
  }
}

function head(path: string, headers: Record<string, string>): Uint8Array {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const lines = Object.entries({ host: "localhost", ...type, ...headers });
  const text = [
    `POST ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ];
  return new TextEncoder().encode(text.join("\r\n"));
}

describe("forms whose bodies strangers hold back", () => {
  let server: Rollcall;
  let port: number;
  let ada: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start(settings);
    port = Number(new URL(server.origin).port);
    [ada] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The status of a sign-in of a browser that has not been there before. */
  async function signsIn(headers: Record<string, string>): Promise<number> {
    const visitor = new HttpVisitor(`http://127.0.0.1:${port}`);
    await visitor.get("/sign-in", headers);
    const { email, password } = adaAccount;
    const form = new URLSearchParams({ _token: visitor.csrfToken, email, password });
    return (await visitor.send("POST", "/sign-in", form, { accept: "text/html", ...headers }))
      .status;
  }

  for (const path of ["/sign-in", "/setup", `/invite/${"x".repeat(43)}`, "/sign-in/"]) {
    it(`keep no one from signing in when three addresses send them to ${path.slice(0, 12)}`, async () => {
      await using _ = await HeldForms.open(port, path, { addresses: 3, each: 12 });
      assert.equal(await signsIn(bystander), 303);
      assert.equal(await signsIn(address(0)), 303, "from an address of the strangers");
    });
  }

  it("keep no one from signing in when they take all places of bodies", async () => {
    await using _ = await HeldForms.open(port, "/sign-in", { addresses: 8, each: 64 });
    assert.equal(await signsIn(bystander), 303);
    assert.equal(await signsIn(address(0)), 303, "from an address of the strangers");
  });

  it("keep no one from joining and no form from being sent", async () => {
    await using _ = await HeldForms.open(port, "/broadcasting/auth", { addresses: 8, each: 64 });
    const form = new URLSearchParams({ socket_id: "1.1", channel_name: "presence-chart" });
    for (const from of [bystander, address(0)]) {
      const guest = new HttpVisitor(`http://127.0.0.1:${port}`);
      await guest.get("/", from);
      for (const visitor of [ada, guest]) {
        const headers = { ...from, "x-csrf-token": visitor.csrfToken };
        // The socket does not exist, which is found out once the body is read.
        const { status, text } = await visitor.send("POST", "/broadcasting/auth", form, headers);
        assert.ok(status !== 503 && status !== 408, `${status} ${text}`);
      }
      const named = new URLSearchParams({ name: "Ada", _token: ada.csrfToken });
      assert.equal((await ada.send("POST", "/account/name", named, from)).status, 303);
    }
  });
});

const lineSchema = z.looseObject({
  level: z.string(),
  message: z.string(),
  status: z.number().optional(),
});

/** Lines that the server prints besides the log. */
const announcement = /^(Rollcall is ready|Create the first admin here): /;

describe("the log of refused bodies", () => {
  for (
    const [status, headers, body] of [
      [411, { "transfer-encoding": "chunked" }, "1\r\na\r\n"],
      [408, { "content-length": "100" }, "half"],
      [413, { "content-length": "100000" }, "a"],
      [400, { "content-length": "5\r\ncontent-length: 5" }, "a=b&c"],
    ] as const
  ) {
    it(`has one line in its format for a ${status}`, async () => {
      await using server = await Rollcall.start(settings);
      const port = Number(new URL(server.origin).port);
      await using wire = await Wire.connect(port);
      await wire.write(head("/sign-in", { ...address(1), ...headers, connection: "close" }));
      await wire.write(new TextEncoder().encode(body));
      const answer = () => new TextDecoder().decode(wire.received);
      await wire.until(() => answer().includes("\r\n\r\n"), "the answer came");
      assert.match(answer(), new RegExp(`^HTTP/1\\.1 ${status} `));
      await wire[Symbol.asyncDispose]();
      await server.stop();
      const lines = server.log.split("\n")
        .filter((line) => line !== "" && !announcement.test(line))
        .map((line) => lineSchema.parse(JSON.parse(line)));
      const refused = lines.filter(({ message }) => message === "A request body was refused");
      assert.deepEqual(refused.map((line) => [line.level, line.status]), [["info", status]]);
      assert.deepEqual(lines.filter(({ level }) => level === "error"), []);
      assert.ok(refused[0].requestId && refused[0].peer === "203.0.113.1");
    });
  }
});
