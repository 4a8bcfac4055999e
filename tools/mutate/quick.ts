import { areas } from "./areas.ts";
import type { Mutation } from "./mutation.ts";

/**
 * The mutations that are tried whenever all tests run, by area and by what users would notice: faults
 * that tests once missed, and then those that would do the most harm. Unit tests notice them.
 */
const phrases: Readonly<Record<string, readonly string[]>> = {
  channels: [
    "a member's second tab is refused when the channel is full",
    "subscribers get a count for each connection that a stopping server closes",
    "strangers' public channels leave no room for private ones",
  ],
  presence: [
    "a missed event goes unnoticed",
    "an old snapshot brings back who left",
  ],
  bus: ["a removed user stays at a server that was cut off"],
  leader: ["two servers lead after a slow answer of Redis"],
  timing: [
    "deadlines come while they are held",
    "costly calls cost as little as cheap ones",
  ],
  connections: [
    "a slow reader takes the memory of others",
    "sent frames are not counted",
    "a long reason makes the close fail",
    "a connection is closed twice",
    "closes of slow readers are not counted",
    "what waits for one reader is not counted",
    "a reader that catches up is closed as too slow",
    "a client that only sends faults is never closed",
    "an address has one connection more than its limit",
    "a peer that vanished is never closed",
  ],
  protocol: [
    "a private channel is open to all",
    "JSON nested without end is parsed",
    "clients stop for good when the server is full",
  ],
  webhooks: [
    "a stopping server reports departures that may still return",
    "events of public channels are refused after enough deliveries",
    "a receiver that asks for a pause gets the next batch at once",
    "delivered events stay in the database",
    "a stopped server takes events that it loses",
    "a stop loses what waits",
    "events are retried for ever",
  ],
  network: [
    "headers of any peer are believed",
    "a stranger chooses the address that limits count",
    "senders pile up in memory",
    "alerts are sent to the cloud's metadata server",
    "one client takes all room",
  ],
  accounts: [
    "a token of another session is valid",
    "a guest makes up another guest's cookie",
    "a page whose session ended does not ask to sign in again",
    "who signed out is recorded as having closed the page",
    "sign-ins take all cores",
  ],
  http: [
    "sockets cannot be opened in an app with a path",
    "half a body is taken as whole",
    "a body that ends early is filled with zeros",
    "a form of another site is taken where only Sec-Fetch-Site tells",
  ],
  browser: [
    "a filter by time is off by the time zone",
    "a short time is 0 min",
    "marks of days are off after a change to summer time",
    "marks of hours stand at quarters",
    "a second message hides the first",
    "an old answer replaces a newer list",
    "a missed change goes unnoticed",
    "the focused row is removed from the page",
    "a dead connection looks live for ever",
    "members of the same name count once",
    "each event draws the chart",
    "a clock that was set back stops the page",
    "a revoked wallboard shows numbers again",
    "a wallboard that lost its connection looks live",
    "a page gives up when the server restarts",
    "other sites get the page's CSRF token",
  ],
  shared: [
    "a damaged address is an internal error",
    "it says 0 user",
  ],
  config: [
    ".env wins over the environment",
    "a secret that can be guessed is accepted",
    "CLIENT_EVENTS=1 switches them off",
    "a webhook's address has any length",
    "cookies are not secure though the server has a certificate",
    "pages of an app with a path do not connect",
    "the content security policy blocks another server's port",
    "the log shows a secret",
  ],
  online: [
    "a failure stops updates until the next change",
    "activity piles up while the database fails",
    "who left and came back keeps the old time",
  ],
  activity: [
    "a name begins a formula in the admin's spreadsheet",
    "the second page forgets the filter",
  ],
};

/** The mutations of an area that are tried whenever all tests run. */
export function quickMutations(area: string): Mutation[] {
  return (phrases[area] ?? []).map((phrase) => {
    const meant = areas[area]?.filter(({ what }) => what === phrase) ?? [];
    if (meant.length !== 1) throw new Error(`${area} has ${meant.length} mutations “${phrase}”`);
    return meant[0];
  });
}

/** The areas that have such mutations. */
export const quickAreas: readonly string[] = Object.keys(phrases);
