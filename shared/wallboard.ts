/** What a wallboard's page and the server know of each other; neither runs here. */

/** The header in which the page shows its token when it asks to join its channel. */
export const tokenHeader = "X-Wallboard-Token";

/** How often the number is told while nothing changes, as a sign of life, in milliseconds. */
export const signOfLifeMs = 10_000;

/** Payload of the event `UsersCounted`. */
export interface UsersCounted {
  users: number;
  connections: number;
  /** When that was true, in milliseconds since 1970. */
  at: number;
}

const prefix = "private-wallboard.";

/** The channel of a link's pages. Only the link's token opens it, so no rule for visitors names it. */
export function wallboardChannel(linkId: string): string {
  return prefix + linkId;
}

/** Whether it is the channel of any link. */
export function isWallboardChannel(channel: string): boolean {
  return channel.startsWith(prefix);
}
