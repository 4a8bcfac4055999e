/** How long an attempt has before the next one begins, without knowing how fast the network is, in ms. */
const leastMs = 500;

/** For how long a client hurries: an absence for a restart is no longer, in milliseconds. */
const soonMs = 6_000;

/** How long attempts become, in two parts: together as long as those of pusher-js, 15, 30 and 60 s. */
const [mostLeastMs, mostJitterMs] = [10_000, 20_000];

/**
 * How long an attempt to connect has, before the next one takes its place, in milliseconds. Long enough
 * for a handshake as slow as three of the last, and longer the longer the server is away: clients come
 * back within 2 s of an absence of up to 6 s, and ask a server that stays away less and less often. The
 * random part is larger than the fixed one, so that those who lost their connections together do not
 * come back together.
 *
 * @param lostForMs since the connection was lost, or the server last answered.
 * @param handshakeMs how long the last handshake took.
 * @param random from 0 to 1.
 */
export function attemptMs(lostForMs: number, handshakeMs: number, random: number): number {
  // What takes this long may be slow rather than away, and is the slower the more attempts are cut off.
  const patience = (lostForMs - soonMs) / 3;
  const least = Math.max(leastMs, 3 * handshakeMs, lostForMs / 10, patience);
  const jitter = Math.max(2 * leastMs, lostForMs / 5, patience);
  return Math.min(mostLeastMs, least) + random * Math.min(mostJitterMs, jitter);
}
