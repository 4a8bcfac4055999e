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
  userAuthEndpoint: string;
  /**
   * For a page that shows another counted channel than that of the users online: the query of the channel,
   * and the name by which Echo knows the channel on which its changes come. Absent on all others.
   */
  channelQuery?: string;
  pagesChannel?: string;
}
