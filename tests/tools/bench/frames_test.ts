import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FrameReader } from "@/tools/bench/peer/frame_reader.ts";
import { FrameCounter } from "@/tools/bench/crowd.ts";

/** A frame of a server, which is not masked. */
function frame(kind: number, payload: Uint8Array | string, isLast = true): number[] {
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const size = new DataView(new ArrayBuffer(8));
  size.setBigUint64(0, BigInt(bytes.length));
  const all = [...new Uint8Array(size.buffer)];
  const length = bytes.length < 126
    ? [bytes.length]
    : bytes.length < 65_536
    ? [126, ...all.slice(6)]
    : [127, ...all];
  return [isLast ? 0x80 | kind : kind, ...length, ...bytes];
}

/** What a reader makes of bytes that come in pieces of a size. */
function readInPieces(bytes: Uint8Array, size: number) {
  const texts: string[] = [];
  const others: unknown[] = [];
  const reader = new FrameReader({
    text: (text) => texts.push(text),
    close: (code) => others.push(code),
    answer: (answer) => others.push([...answer]),
  });
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.slice(at, at + size);
    reader.read(piece);
    piece.fill(0);
  }
  return { texts, others };
}

describe("The reader of a server's frames", () => {
  it("reads messages of each length, whole and in parts, wherever what is received ends", () => {
    const long = ["ä".repeat(62), "b".repeat(126), "c".repeat(70_000)];
    const bytes = new Uint8Array([
      ...frame(0x1, "first"),
      ...frame(0x1, "in ", false),
      ...frame(0x9, "ping"),
      ...frame(0x0, "two ", false),
      ...frame(0x0, "parts"),
      ...long.flatMap((text) => frame(0x1, text)),
      ...frame(0x8, new Uint8Array([16, 4])),
    ]);
    const pong = [0x8a, 0x84, 0, 0, 0, 0, ...new TextEncoder().encode("ping")];
    for (const size of [1, 2, 3, 7, 1_000, 20_000, bytes.length]) {
      const { texts, others } = readInPieces(bytes.slice(0, size < 10 ? 600 : undefined), size);
      const expected = ["first", "in two parts", ...long];
      assert.deepEqual(texts, size < 10 ? expected.slice(0, -1) : expected, `pieces of ${size}`);
      assert.deepEqual(others, size < 10 ? [pong] : [pong, 4_100]);
    }
  });
});

function receive(counter: FrameCounter, text: string): void {
  const bytes = new TextEncoder().encode(text);
  counter.received(bytes.length, bytes);
}

describe("The counter of the benchmark's frames", () => {
  it("counts each frame with its word once, wherever what is read begins and ends", async () => {
    const text = "member_added ... member_removed member_addedmember_added ...";
    for (let size = 1; size <= text.length; size++) {
      const counter = new FrameCounter("member_added");
      const all = counter.more(3, () => {
        for (let at = 0; at < text.length; at += size) receive(counter, text.slice(at, at + size));
        return Promise.resolve();
      });
      await all;
      assert.equal(counter.count, 3, `read in pieces of ${size}`);
      assert.equal(counter.firstAt > 0 && counter.firstAt <= counter.lastAt, true);
    }
  });
});
