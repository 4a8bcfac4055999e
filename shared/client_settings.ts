/**
 * What a page needs to connect. The server passes it to the islands, so that nothing is derived from
 * the page's own address.
 */
export interface ClientSettings {
  /** The public key of the app to connect to. */
  key: string;
  /** A hosted cluster; pusher-js requires one even where `wsHost` replaces it. */
  cluster: string;
  wsHost?: string;
  wsPort?: number;
  wssPort?: number;
  /** The path before `/app/KEY` in the socket's address. */
  wsPath?: string;
  /** Whether to use TLS even from a page that was loaded over plain http. */
  forceTLS: boolean;
  /** WebSocket only: the server has none of the fallbacks of pusher-js, which would hide the real fault. */
  enabledTransports: ("ws" | "wss")[];
  disableStats: true;
  /** What Echo prepends to event names that do not start with a dot. */
  namespace: "App.Events";
  authEndpoint: string;
  /**
   * For a page that shows a counted channel other than the users online: the query of the channel,
   * and the name by which Echo knows the channel on which its changes come. Absent on all others.
   */
  channelQuery?: string;
  pagesChannel?: string;
  /** For a page that shows the numbers of several channels: how Echo knows the channel on which they come. */
  totalsChannel?: string;
}

/** The answer of `GET /broadcasting/session`. */
export interface SessionStatus {
  isSignedIn: boolean;
}

/** Whether an id has the form of a guest's. Such a guest need not exist. */
export function isGuestId(id: string): boolean {
  return /^guest-[0-9a-f]{32}$/.test(id);
}

/** The name of a guest, such as `Guest 3f2a`. Two guests can have the same one. */
export function guestName(id: string): string {
  return `Guest ${id.slice("guest-".length, "guest-".length + 4)}`;
}
