/**
 * Everything a page needs to connect. The server computes it and hands it to the islands, so that
 * nothing is guessed from the page's own address.
 */
export interface ClientSettings {
  /** The public key of the application to connect to. */
  key: string;
  /** A hosted cluster; pusher-js asks for one even where `wsHost` makes it unused. */
  cluster: string;
  wsHost?: string;
  wsPort?: number;
  wssPort?: number;
  /** What stands before `/app/KEY` in the socket's address. */
  wsPath?: string;
  /** Whether to use TLS even from a page that came over plain http. */
  forceTLS: boolean;
  /** WebSocket only: the fall-backs of pusher-js do not exist here and would hide the real fault. */
  enabledTransports: ("ws" | "wss")[];
  disableStats: true;
  /** What Echo puts before event names that do not start with a dot. */
  namespace: "App.Events";
  authEndpoint: string;
  userAuthEndpoint: string;
}
