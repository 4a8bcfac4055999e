const numbers = new Uint32Array(256);
let used = numbers.length;

/** Digits, a dot, digits: the form that the official libraries require. */
const socketIdPattern = /^\d{1,20}\.\d{1,20}$/;

/** Whether a text has the form of a socket id. */
export function isSocketId(text: string): boolean {
  return socketIdPattern.test(text);
}

/**
 * Makes a socket id of two random numbers of 32 bits, so that no client can guess another's.
 *
 * @param isTaken whether an id is in use.
 */
export function newSocketId(isTaken: (id: string) => boolean): string {
  while (true) {
    const id = `${randomNumber()}.${randomNumber()}`;
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
