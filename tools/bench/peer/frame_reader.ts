import { clientFrame } from "../load_client.ts";

/** The kinds of frames of RFC 6455. */
const kinds = { rest: 0x0, text: 0x1, close: 0x8, ping: 0x9, pong: 0xa };

/** The bit of the last frame of a message. */
const last = 0x80;

/** What a server sends, as frames. */
interface Frame {
  kind: number;
  isLast: boolean;
  payload: Uint8Array;
  /** Where the next one begins. */
  end: number;
}

/** Who takes what a server sends. */
export interface FrameListener {
  text(text: string): void;
  /** The server closes the connection, with a code unless it is 0. */
  close(code: number): void;
  /** Sends a frame that answers a ping of the WebSocket protocol. */
  answer(frame: Uint8Array<ArrayBuffer>): void;
}

/** Reads the messages of a server, which come in pieces of any length. */
export class FrameReader {
  readonly #listener: FrameListener;
  #rest = new Uint8Array();
  #parts: Uint8Array[] = [];
  /** Whether messages are passed over, which costs less. */
  skips = false;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** Takes bytes, which may change after it has returned. */
  read(chunk: Uint8Array): void {
    const bytes = joined([this.#rest, chunk]);
    let at = 0;
    for (let frame = frameAt(bytes, at); frame; frame = frameAt(bytes, at)) {
      at = frame.end;
      this.#take(frame);
    }
    this.#rest = bytes.slice(at);
  }

  #take({ kind, isLast, payload }: Frame): void {
    if (kind === kinds.ping) this.#listener.answer(clientFrame(last | kinds.pong, payload));
    if (kind === kinds.close) {
      this.#listener.close(payload.length < 2 ? 0 : payload[0] << 8 | payload[1]);
    }
    if (this.skips || (kind !== kinds.text && kind !== kinds.rest)) return;
    this.#parts.push(payload);
    if (!isLast) return;
    this.#listener.text(new TextDecoder().decode(joined(this.#parts.splice(0))));
  }
}

/** The frame that begins at a place; undefined while it is not all there. */
function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  if (bytes.length < at + 2) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const short = bytes[at + 1] & 0x7f;
  const sizeBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
  const start = at + 2 + sizeBytes;
  if (bytes.length < start) return undefined;
  const size = sizeBytes === 0
    ? short
    : sizeBytes === 2
    ? view.getUint16(at + 2)
    : Number(view.getBigUint64(at + 2));
  const end = start + size;
  if (bytes.length < end) return undefined;
  const [first] = bytes.subarray(at, at + 1);
  return {
    kind: first & 0xf,
    isLast: (first & last) !== 0,
    payload: bytes.slice(start, end),
    end,
  };
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
