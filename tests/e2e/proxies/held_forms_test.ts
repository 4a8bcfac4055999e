import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { Proxies } from "./proxies.ts";
import type { Proxy } from "./proxy.ts";

/** How many forms each address of the strangers sends: as many as it may have under way. */
const formsEach = 12;

/** A body of which a part comes and the rest does not; a proxy that gathers bodies waits for it itself. */
const [whole, sent] = [60_000, 20_000];

/** What is sent of each form. */
const form = [
  "POST /sign-in HTTP/1.1",
  "Host: localhost",
  "Content-Type: application/x-www-form-urlencoded",
  `Content-Length: ${whole}`,
  "",
  "x".repeat(sent),
].join("\r\n");

describe("sign-in forms that strangers hold back", () => {
  let server: Rollcall;
  let proxies: Proxies;

  beforeAll(async () => {
    server = await Rollcall.start({ APP_URL: "https://localhost", TRUSTED_PROXIES: "127.0.0.1" });
    const port = Number(new URL(server.origin).port);
    await addSignedIn(server, [{ ...ada, role: "admin" }]);
    proxies = await Proxies.before(port);
  });
  afterAll(async () => {
    await proxies?.[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Opens a connection from an address, and sends the form as far as it comes. */
  async function hold({ origin }: Proxy, localAddress: string): Promise<TLSSocket> {
    const { port } = new URL(origin);
    const options = { port: Number(port), host: "127.0.0.1", localAddress, ca: proxies.authority };
    const socket = connect({ ...options, servername: "localhost" });
    // The proxy may cut it off.
    socket.on("error", () => {});
    await withTimeout(once(socket, "secureConnect"), "a stranger had connected");
    socket.write(form);
    return socket;
  }

  for (const name of ["nginx", "Apache", "Caddy"] as const) {
    it(`keep no one behind ${name} from signing in`, async () => {
      const proxy = proxies.all.find(({ kind }) => kind.name === name)!;
      const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
      const held: TLSSocket[] = [];
      try {
        for (const address of addresses) {
          for (let forms = 0; forms < formsEach; forms++) held.push(await hold(proxy, address));
        }
        for (const address of ["127.0.0.9", addresses[0]]) {
          using client = proxies.clientAt(address);
          const visitor = new HttpVisitor(proxy.origin, client);
          assert.equal((await visitor.signIn(ada)).status, 303, `from ${address}`);
        }
      } finally {
        for (const socket of held) socket.destroy();
      }
    });
  }
});
