import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { describe, it } from "@std/testing/bdd";
import { Lines } from "@/realtime/cluster/coordinator/lines.ts";
import { until } from "../../../fixtures/eventually.ts";

/** An end of a connection, of which each read and each write ends when the test says so. */
class SlowConnection {
  readonly #decoder = new TextDecoder();
  #endRead: ((bytes: Uint8Array | null) => void) | undefined;
  #buffer = new Uint8Array();
  written = "";
  /** Ends the write under way. */
  endWrite: (() => void) | undefined;

  read(buffer: Uint8Array<ArrayBuffer>): Promise<number | null> {
    this.#buffer = buffer;
    return new Promise((resolve) => {
      this.#endRead = (bytes) => {
        this.#endRead = undefined;
        if (bytes) this.#buffer.set(bytes);
        resolve(bytes?.length ?? null);
      };
    });
  }

  /** Bytes come; null: the other end has closed. */
  async bring(bytes: Uint8Array | null): Promise<void> {
    await until(() => this.#endRead !== undefined, "it was reading");
    this.#endRead!(bytes);
  }

  write(bytes: Uint8Array): Promise<number> {
    this.written += this.#decoder.decode(bytes);
    return new Promise((resolve) => this.endWrite = () => resolve(bytes.length));
  }

  close(): void {
    this.#endRead?.(null);
  }
}

/** Resolves after what was to happen in the next tick of the event loop. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** What a connection of lines received, and how it ended. */
function received() {
  const connection = new SlowConnection();
  const texts: string[] = [];
  const ends: (string | undefined)[] = [];
  // It has the three methods that lines use.
  const lines = new Lines(connection as unknown as Deno.Conn, {
    line: (text) => texts.push(text),
    ended: (fault) => ends.push(fault?.message),
  });
  return { connection, lines, texts, ends };
}

describe("a connection of lines", () => {
  it("sends a line that comes just when the line before was written", async () => {
    for (let steps = 0; steps < 10; steps++) {
      const { connection, lines } = received();
      lines.send("first\n");
      await nextTick();
      connection.endWrite!();
      for (let step = 0; step < steps; step++) await Promise.resolve();
      lines.send("second\n");
      await nextTick();
      assert.equal(connection.written, "first\nsecond\n", `${steps} steps`);
      connection.endWrite!();
      lines.close();
    }
  });

  it("receives lines whole, wherever the bytes were parted, and none without its end", async () => {
    const { connection, lines, texts, ends } = received();
    lines.start();
    const bytes = new TextEncoder().encode("längst\n\n€ und 😀\nhalf");
    for (const byte of bytes) await connection.bring(Uint8Array.of(byte));
    await connection.bring(null);
    await until(() => ends.length > 0, "it ended");
    assert.deepEqual(texts, ["längst", "", "€ und 😀"]);
    assert.deepEqual(ends, [undefined]);
  });

  it("ends when a line has no end", async () => {
    const { connection, lines, texts, ends } = received();
    lines.start();
    const bytes = new Uint8Array(2 ** 18).fill("x".charCodeAt(0));
    for (let part = 0; part <= 2 ** 8; part++) await connection.bring(bytes);
    await until(() => ends.length > 0, "it ended");
    assert.deepEqual([texts, ends], [[], ["a line is too long"]]);
  });
});
