const numbers = new Uint32Array(256);
let used = numbers.length;

/** Digits, a dot, digits: the form that the official libraries require. */
const socketIdPattern = /^\d{1,20}\.\d{1,20}$/;

/** Whether a text has the form of a socket id. */
export function isSocketId(text: string): boolean {
  return socketIdPattern.test(text);
}

/** The number of the server that made a socket's id, or 0 when it was made without one. */
export function serverNumberOf(socketId: string): number {
  return Number(BigInt(socketId.slice(0, socketId.indexOf("."))) >> 32n);
}

/**
 * Makes a socket id of 64 random bits, so that no client can guess another's.
 *
 * @param isTaken whether an id is in use.
 * @param serverNumber of 32 bits; the first half begins with it.
 */
export function newSocketId(isTaken: (id: string) => boolean, serverNumber?: number): string {
  while (true) {
    const first = serverNumber === undefined
      ? randomNumber()
      : BigInt(serverNumber) << 32n | BigInt(randomNumber());
    const id = `${first}.${randomNumber()}`;
    if (!isTaken(id)) return id;
  }
}

/** Random bytes are fetched in blocks of 1 KB: each fetch is a call out of JavaScript. */
function randomNumber(): number {
  if (used === numbers.length) {
    crypto.getRandomValues(numbers);
    used = 0;
  }
  return numbers[used++];
}
