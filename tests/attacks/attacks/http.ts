import { Wire } from "../../fuzz/wire.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { type Attack, repeat, requestHead, strangerHeaders, together, write } from "../attack.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Connections that send nothing, and some that send half of a request. */
export const idleConnections: Attack = {
  name: "1,100 idle connections",
  openFiles: 1_024,
  async run({ port }) {
    for (let n = 0; n < 1_100; n++) {
      try {
        const wire = await Wire.connect(port);
        if (n % 2 === 0) await write(wire, "GET / HTTP/1.1\r\nHost: 127");
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  },
};

/** Bodies in chunks of one byte each. */
export const oneByteChunks: Attack = {
  name: "bodies in one-byte chunks",
  async run({ port }) {
    const body = "1\r\na\r\n".repeat(65_000) + "0\r\n\r\n";
    const head = requestHead("POST /sign-in", { ...form, "transfer-encoding": "chunked" });
    await together(100, () =>
      repeat(async () => {
        await using wire = await Wire.connect(port);
        await write(wire, head + body);
        await wire.until(() => wire.received.length > 0, "the answer");
      }));
  },
};

/** Bodies of which the second half never comes. */
export const heldBodies: Attack = {
  name: "bodies that never end",
  async run({ port }) {
    const head = requestHead("POST /sign-in", { ...form, "content-length": "60000" });
    await together(300, () =>
      repeat(async () => {
        await using wire = await Wire.connect(port);
        await write(wire, head + "a".repeat(30_000));
        await wire.ended;
      }));
  },
};

/** Sign-ins at once, each of which costs a password check. */
export const signIns: Attack = {
  name: "600 sign-ins at once",
  async run({ port }) {
    const visitors = Array.from({ length: 20 }, () => newVisitor(port));
    for (const visitor of visitors) await visitor.get("/sign-in", strangerHeaders);
    const signIn = (n: number) =>
      guess(visitors[n % visitors.length], `someone-${n}@example.com`, {
        address: `203.0.113.${n % 256}`,
      });
    await repeat(() => together(600, signIn));
  },
};

/** Wrong passwords for the admin. */
export const wrongGuesses: Attack = {
  name: "wrong guesses of a password",
  async run({ port, email }) {
    const visitor = newVisitor(port);
    await visitor.get("/sign-in", strangerHeaders);
    await repeat(() => guess(visitor, email));
  },
};

function newVisitor(port: number): HttpVisitor {
  return new HttpVisitor(`http://127.0.0.1:${port}`);
}

async function guess(
  visitor: HttpVisitor,
  email: string,
  { address = strangerHeaders["x-forwarded-for"] } = {},
): Promise<void> {
  const fields = { _token: visitor.csrfToken, email, password: `wrong ${Math.random()}` };
  const headers = { ...strangerHeaders, accept: "text/html", "x-forwarded-for": address };
  await visitor.send("POST", "/sign-in", new URLSearchParams(fields), headers);
}
