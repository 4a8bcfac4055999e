/** How many users there are, and how many of them are guests. */
export interface UserCount {
  readonly size: number;
  readonly guests: number;
}

/** Whether there is room for another user. Guests take no room from users. */
export function hasRoom({ size, guests }: UserCount, isGuest: boolean, max: number): boolean {
  return (isGuest ? size : size - guests) < max;
}

/** The users of a presence channel with a loud connection to this node, and those who may return to one. */
export class LoudUsers implements UserCount {
  readonly #users = new Set<string>();
  readonly #isGuest: (userId: string) => boolean;
  #guests = 0;

  constructor(isGuest: (userId: string) => boolean) {
    this.#isGuest = isGuest;
  }

  /** The number of users, guests included. */
  get size(): number {
    return this.#users.size;
  }

  /** The number of guests. */
  get guests(): number {
    return this.#guests;
  }

  /** Whether the user is one of them. */
  has(userId: string): boolean {
    return this.#users.has(userId);
  }

  /** Adds a user, if it is not there. */
  add(userId: string): void {
    if (this.#users.has(userId)) return;
    this.#users.add(userId);
    if (this.#isGuest(userId)) this.#guests++;
  }

  /** Removes a user, if it is there. */
  delete(userId: string): void {
    if (this.#users.delete(userId) && this.#isGuest(userId)) this.#guests--;
  }
}
