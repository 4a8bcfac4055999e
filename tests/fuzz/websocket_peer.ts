import { Wire } from "./wire.ts";

/** What a frame on the wire begins with (RFC 6455, 5.2); a client may set it as it likes. */
export interface FrameHead {
  fin: boolean;
  /** The three reserved bits. */
  reserved: number;
  opcode: number;
  masked: boolean;
  /** In how many bits the length is written. */
  lengthBits: 7 | 16 | 64;
  /** The length that the header claims, where it is wrong. */
  length?: bigint;
}

/** The opcodes that are used by name. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 } as const;

/** The head of a whole frame as a right client writes it. */
export function rightHead(opcode: number, length: number): FrameHead {
  const lengthBits = length < 126 ? 7 : length < 65_536 ? 16 : 64;
  return { fin: true, reserved: 0, opcode, masked: true, lengthBits };
}

/** A frame's bytes. It is masked with zeros, which leave the payload as it is. */
export function frameBytes(head: FrameHead, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const { fin, reserved, opcode, masked } = head;
  const first = (fin ? 0x80 : 0) | (reserved & 7) << 4 | opcode & 15;
  const [second, ...length] = lengthBytes(head, payload.length);
  const mask = masked ? [0, 0, 0, 0] : [];
  const start = [first, second | (masked ? 0x80 : 0), ...length, ...mask];
  const bytes = new Uint8Array(start.length + payload.length);
  bytes.set(start);
  bytes.set(payload, start.length);
  return bytes;
}

function lengthBytes({ lengthBits, length }: FrameHead, actual: number): number[] {
  const said = length ?? BigInt(actual);
  if (lengthBits === 7) return [Number(said & 127n)];
  const octets = lengthBits / 8;
  const bytes = Array.from(
    { length: octets },
    (_, index) => said >> BigInt(8 * (octets - 1 - index)),
  );
  return [lengthBits === 16 ? 126 : 127, ...bytes.map((byte) => Number(byte & 255n))];
}

/** A frame that a server sent. */
export interface ReadFrame {
  opcode: number;
  payload: Uint8Array;
}

/** Reads the frames of a server out of what has come; they are whole and not masked. */
export function readFrames(bytes: Uint8Array): { frames: ReadFrame[]; rest: Uint8Array } {
  const frames: ReadFrame[] = [];
  let rest = bytes;
  while (true) {
    const head = headOf(rest);
    if (!head || rest.length < head.size + head.length) return { frames, rest };
    const end = head.size + head.length;
    frames.push({ opcode: rest[0] & 15, payload: rest.slice(head.size, end) });
    rest = rest.slice(end);
  }
}

function headOf(bytes: Uint8Array): { size: number; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const size = bytes[1] < 126 ? 2 : bytes[1] === 126 ? 4 : 10;
  if (bytes.length < size) return undefined;
  const length = bytes.subarray(2, size).reduce((sum, byte) => sum * 256 + byte, 0);
  return { size, length: size === 2 ? bytes[1] : length };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const headEnd = encoder.encode("\r\n\r\n");

/** A client over bare TCP, which can send any bytes, and keeps what it sent and received. */
export class WebSocketPeer implements AsyncDisposable {
  /** The texts received. */
  readonly received: string[] = [];
  /** The texts sent. */
  readonly sent: string[] = [];
  /** The code of the server's close frame; 1005 when it had none. */
  closeCode: number | undefined;
  #marks = 0;
  #hasFinished = false;

  private constructor(readonly wire: Wire, readonly key: string) {}

  /**
   * Opens a socket for the app of a key and waits for its first frame.
   *
   * @param headers further headers of the request.
   * @throws {Error} when the upgrade is refused; then the connection is closed.
   */
  static async connect(
    port: number,
    key: string,
    headers: Record<string, string> = {},
  ): Promise<WebSocketPeer> {
    const peer = new WebSocketPeer(await Wire.connect(port), key);
    try {
      await peer.#upgrade(headers);
    } catch (error) {
      await peer[Symbol.asyncDispose]();
      throw error;
    }
    return peer;
  }

  async #upgrade(headers: Record<string, string>): Promise<void> {
    await this.wire.write(encoder.encode(upgradeRequest(this.key, headers)));
    await this.wire.until(() => this.#isUpgraded(), "the upgrade");
    await this.#until(() => this.received.length > 0, "the first frame");
  }

  #isUpgraded(): boolean {
    const text = decoder.decode(this.wire.received);
    if (!text.includes("\r\n\r\n")) return false;
    if (!text.startsWith("HTTP/1.1 101 ")) throw new Error(`The upgrade was refused: ${text}`);
    const end = text.indexOf("\r\n\r\n") + headEnd.length;
    this.wire.received = this.wire.received.slice(end);
    return true;
  }

  /** Undefined when the server refused the connection. */
  get socketId(): string | undefined {
    return /socket_id\\":\\"(\d+\.\d+)/.exec(this.received[0] ?? "")?.[1];
  }

  /** Whether what it sends now can have an answer. */
  get canSend(): boolean {
    this.#take();
    return !this.#hasFinished && this.closeCode === undefined && !this.wire.hasEnded;
  }

  async send(text: string): Promise<void> {
    this.sent.push(text);
    const payload = encoder.encode(text);
    await this.wire.write(frameBytes(rightHead(opcodes.text, payload.length), payload));
  }

  async sendBinary(payload: Uint8Array): Promise<void> {
    await this.wire.write(frameBytes(rightHead(opcodes.binary, payload.length), payload));
  }

  /** Begins the closing, as the protocol has it. */
  async close(): Promise<void> {
    this.#hasFinished = true;
    await this.wire.write(frameBytes(rightHead(opcodes.close, 2), new Uint8Array([0x03, 0xe8])));
  }

  /** Ends its half of the TCP connection. */
  async finish(): Promise<void> {
    this.#hasFinished = true;
    await this.wire.finish();
  }

  /** Resolves when all that was sent so far is answered, or the server has closed. */
  async settled(): Promise<void> {
    const mark = `mark-${this.#marks++}`;
    await this.send(JSON.stringify({ event: mark }));
    const isAnswer = (text: string) => text.includes("pusher:error") && text.includes(mark);
    await this.#until(() => this.received.some(isAnswer), `the answer to ${mark}`);
  }

  /** Resolves when the server has closed the connection, and all that it sent before was read. */
  async ended(): Promise<void> {
    await this.#until(() => false, "the server's end of the connection");
  }

  async #until(found: () => boolean, what: string): Promise<void> {
    const isOver = () => {
      this.#take();
      return found() || this.closeCode !== undefined;
    };
    await this.wire.until(isOver, `${what}; it got ${this.received.join(" ")}`);
  }

  #take(): void {
    const { frames, rest } = readFrames(this.wire.received);
    this.wire.received = rest;
    for (const { opcode, payload } of frames) {
      if (opcode === opcodes.text) this.received.push(decoder.decode(payload));
      else if (opcode === opcodes.close) this.closeCode = codeOf(payload);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wire[Symbol.asyncDispose]();
  }
}

function codeOf(payload: Uint8Array): number {
  return payload.length < 2 ? 1005 : payload[0] << 8 | payload[1];
}

/** A right request for a socket of an app. */
export function upgradeRequest(key: string, headers: Record<string, string> = {}): string {
  return [
    `GET /app/${key}?protocol=7 HTTP/1.1`,
    "Host: 127.0.0.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");
}
