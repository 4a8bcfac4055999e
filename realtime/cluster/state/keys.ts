/** The topic on which a room's messages come. */
export function topicOf(prefix: string, room: string): string {
  return `${prefix}room:${room}`;
}

/** How many entries the log keeps, about. */
export const logLength = 1_000_000;

/** The stream of all nodes' log. */
export function logKey(prefix: string): string {
  return `${prefix}log`;
}
