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
