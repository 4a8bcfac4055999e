import fc from "fast-check";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { apps } from "./apps.ts";
import { checkAnswers } from "./answers.ts";
import { type ClientFrame, clientFrame, written } from "./client_frames.ts";
import { frameBytes, type FrameHead, opcodes, rightHead, WebSocketPeer } from "./websocket_peer.ts";

/** One end of a TCP connection to a server: keeps what comes, and never fails for being cut off. */
export class Wire implements AsyncDisposable {
  received: Uint8Array = new Uint8Array();
  /** Nothing more comes. */
  readonly ended: Promise<void>;
  readonly #connection: Deno.Conn;
  #hasEnded = false;
  #wake = () => {};

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.ended = this.#read();
  }

  static async connect(port: number): Promise<Wire> {
    return new Wire(await Deno.connect({ port, hostname: "127.0.0.1" }));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends bytes, as far as the other end takes them. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let rest = bytes; rest.length > 0;) {
        rest = rest.subarray(await this.#connection.write(rest));
      }
    } catch {
      // The other end has closed.
    }
  }

  /** Says that nothing more is sent. */
  async finish(): Promise<void> {
    await this.#connection.closeWrite().catch(() => {});
  }

  /** Resolves when `found` holds of what has come, or nothing more comes. */
  async until(found: () => boolean, what: string): Promise<void> {
    while (!found() && !this.#hasEnded) {
      await withTimeout(new Promise<void>((resolve) => this.#wake = resolve), what);
    }
  }

  /** Resolves when bytes have arrived, at the end of the stream, or at the timeout. */
  async briefly(milliseconds: number): Promise<void> {
    if (this.received.length > 0 || this.#hasEnded) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Closes the connection at any point. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#connection.close();
    } catch {
      // It is closed.
    }
    await this.ended;
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (true) {
        const length = await this.#connection.read(buffer);
        if (length === null) break;
        this.#keep(buffer.subarray(0, length));
      }
    } catch {
      // Cut off.
    }
    this.#hasEnded = true;
    this.#wake();
  }

  #keep(bytes: Uint8Array): void {
    const all = new Uint8Array(this.received.length + bytes.length);
    all.set(this.received);
    all.set(bytes, this.received.length);
    this.received = all;
    this.#wake();
  }
}

/** A piece of what is written on the wire. */
type Piece =
  | { frame: ClientFrame }
  | { head: FrameHead; payload: Uint8Array }
  | { fragments: string[]; ends: boolean; between: boolean }
  | { bytes: Uint8Array };

/** What a client writes after the upgrade, right or not, and how it goes. */
export interface WireBytes {
  pieces: Piece[];
  /** Only so much of the last piece is written. */
  last: number;
  isCut: boolean;
}

const head: fc.Arbitrary<FrameHead> = fc.record({
  fin: fc.boolean(),
  reserved: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(7)),
  opcode: fc.nat(15),
  masked: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  lengthBits: fc.constantFrom(7 as const, 16 as const, 64 as const),
  length: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc.constantFrom(0n, 125n, 126n, 65_536n, 2n ** 26n + 1n, 2n ** 63n - 1n, 2n ** 64n - 1n),
    fc.bigInt({ min: 0n, max: 300n }),
  ),
});

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.uint8Array({ minLength: 120, maxLength: 130 }),
  fc.constantFrom(
    new TextEncoder().encode('{"event":"pusher:ping"}'),
    new Uint8Array([0xc3, 0x28]),
    new Uint8Array([0xed, 0xa0, 0x80]),
    new Uint8Array([0x03, 0xe7]),
    new Uint8Array(100_000),
  ),
);

const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ frame: clientFrame }) },
  { weight: 4, arbitrary: fc.record({ head, payload }) },
  {
    weight: 2,
    arbitrary: fc.record({
      fragments: fc.array(fc.constantFrom('{"event":', '"pusher:ping"}', "", "ä"), {
        minLength: 2,
        maxLength: 5,
      }),
      ends: fc.boolean(),
      between: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ bytes: fc.uint8Array({ maxLength: 100 }) }) },
);

/** Any of it. */
export const wireBytes: fc.Arbitrary<WireBytes> = fc.record({
  pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
  last: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  isCut: fc.boolean(),
});

/** Writes it, reads what is answered until the server's end, and checks the answers. */
export async function sendBytes(port: number, { pieces, last, isCut }: WireBytes): Promise<void> {
  await using peer = await WebSocketPeer.connect(port, apps[0].key);
  for (const [index, piece] of pieces.entries()) {
    const bytes = bytesOf(piece, peer);
    const share = index === pieces.length - 1 ? last : 1;
    await peer.wire.write(bytes.subarray(0, Math.ceil(share * bytes.length)));
  }
  if (isCut) return;
  await peer.finish();
  await peer.ended();
  checkAnswers(apps[0], peer);
}

function bytesOf(piece: Piece, peer: WebSocketPeer): Uint8Array {
  if ("bytes" in piece) return piece.bytes;
  if ("head" in piece) return frameBytes(piece.head, piece.payload);
  if ("fragments" in piece) return fragmentBytes(piece);
  const frame = written(piece.frame, apps[0], peer.socketId ?? "");
  if (typeof frame !== "string") return frameBytes(rightHead(opcodes.binary, frame.length), frame);
  peer.sent.push(frame);
  const payload = new TextEncoder().encode(frame);
  return frameBytes(rightHead(opcodes.text, payload.length), payload);
}

/** A message in fragments, with pings between them at times, and perhaps no last one. */
function fragmentBytes({ fragments, ends, between }: Extract<Piece, { fragments: string[] }>) {
  const ping = between ? frameBytes(rightHead(opcodes.ping, 0), new Uint8Array()) : [];
  const parts = fragments.map((text, index) => {
    const payload = new TextEncoder().encode(text);
    const opcode = index === 0 ? opcodes.text : opcodes.continuation;
    const fin = ends && index === fragments.length - 1;
    return [...frameBytes({ ...rightHead(opcode, payload.length), fin }, payload), ...ping];
  });
  return new Uint8Array(parts.flat());
}

/** The answer of an HTTP server. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** How long a server may take to answer a request that may be incomplete. */
const briefMs = 20;

/**
 * Sends bytes as an HTTP request and reads the answer.
 *
 * @param head with the header fields, one of which should ask the server to close the connection.
 * @param isWhole whether the server must answer; if not, the request's end follows it soon.
 * @returns the first answer; undefined when the server only closed.
 * @throws when the answer is no HTTP.
 */
export async function exchange(
  port: number,
  head: string,
  body: Uint8Array,
  isWhole: boolean,
): Promise<HttpAnswer | undefined> {
  await using wire = await Wire.connect(port);
  await wire.write(new TextEncoder().encode(head));
  await wire.write(body);
  if (!isWhole) {
    await wire.briefly(briefMs);
    await wire.finish();
  }
  await wire.until(() => false, `the end of the answer to ${head.slice(0, 2_000)}`);
  return answerOf(new TextDecoder().decode(wire.received));
}

/** Reads an answer; one without a length, or in chunks, ends with the connection. */
function answerOf(text: string): HttpAnswer | undefined {
  if (text === "") return undefined;
  const goOn = "HTTP/1.1 100 Continue\r\n\r\n";
  if (text.startsWith(goOn)) return answerOf(text.slice(goOn.length));
  const [head, ...rest] = text.split("\r\n\r\n");
  const [first, ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(first)?.[1]);
  if (!status) throw new Error(`No HTTP answer: ${text.slice(0, 200)}`);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status, headers, body: rest.join("\r\n\r\n") };
}
