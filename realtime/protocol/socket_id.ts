const numbers = new Uint32Array(256);
let used = numbers.length;

/** Digits, a dot, digits: the form that the official libraries require. */
const socketIdPattern = /^\d{1,20}\.\d{1,20}$/;

/** Whether a text has the form of a socket id. */
export function isSocketId(text: string): boolean {
  return socketIdPattern.test(text);
}

/** The number of the server that has a socket, if the id was made with one. */
export function serverNumberOf(socketId: string): string {
  return socketId.slice(0, socketId.indexOf("."));
}

/**
 * Makes a socket id of 64 random bits, so that no client can guess another's.
 *
 * @param isTaken whether an id is in use.
 * @param serverNumber is the first half, if it is given, and then the second half alone is random.
 */
export function newSocketId(isTaken: (id: string) => boolean, serverNumber?: number): string {
  while (true) {
    const id = serverNumber === undefined
      ? `${randomNumber()}.${randomNumber()}`
      : `${serverNumber}.${BigInt(randomNumber()) << 32n | BigInt(randomNumber())}`;
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
