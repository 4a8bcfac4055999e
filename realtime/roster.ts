/** What follows from a disconnection. */
export type Disconnection =
  /** The broker is to be told that so many connections are left; 0: the user is gone. */
  | { connections: number }
  /** The user's last connection closed: {@link Roster.expire} is due at this time. */
  | { wakeAt: number };

/**
 * Who is in one presence channel through this node: users and their numbers of connections. Pure: it
 * takes events and the time, and says what to tell the broker and when to ask again.
 *
 * A user whose last connection closed stays for the grace, during which a return is silent.
 */
export class Roster {
  readonly #connections = new Map<string, number>();
  readonly #leaving = new Map<string, number>();

  /** A connection of the user joined. Returns how many there are now. */
  connect(userId: string): number {
    const connections = (this.#connections.get(userId) ?? 0) + 1;
    this.#connections.set(userId, connections);
    this.#leaving.delete(userId);
    return connections;
  }

  /**
   * A connection of the user left.
   *
   * @param graceMs 0 when it unsubscribed, or when there is no grace.
   */
  disconnect(userId: string, now: number, graceMs: number): Disconnection {
    const connections = (this.#connections.get(userId) ?? 1) - 1;
    if (connections > 0 || graceMs > 0) this.#connections.set(userId, connections);
    else this.#connections.delete(userId);
    if (connections > 0 || graceMs === 0) return { connections };
    this.#leaving.set(userId, now + graceMs);
    return { wakeAt: now + graceMs };
  }

  /** Whether the user's grace has passed with no return; true once, and from then on it is gone. */
  expire(userId: string, now: number): boolean {
    const due = this.#leaving.get(userId);
    if (due === undefined || due > now) return false;
    this.#leaving.delete(userId);
    this.#connections.delete(userId);
    return true;
  }

  /** Whether the user is here, or in its grace. */
  has(userId: string): boolean {
    return this.#connections.has(userId);
  }

  /** How many users are here through this node, those in their grace included. */
  get size(): number {
    return this.#connections.size;
  }

  /** How many users are in their grace. */
  get leaving(): number {
    return this.#leaving.size;
  }
}
