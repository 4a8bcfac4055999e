const numbers = new Uint32Array(256);
let used = numbers.length;

/**
 * A socket id that is not taken: two random numbers of 32 bits, so that nobody can guess another's.
 *
 * @param isTaken tells of ids in use.
 */
export function newSocketId(isTaken: (id: string) => boolean): string {
  while (true) {
    const id = `${randomNumber()}.${randomNumber()}`;
    if (!isTaken(id)) return id;
  }
}

/** Random bytes are fetched many at a time: each fetch is a call out of JavaScript. */
function randomNumber(): number {
  if (used === numbers.length) {
    crypto.getRandomValues(numbers);
    used = 0;
  }
  return numbers[used++];
}
