/**
 * What pages of Rollcall have no use for in pusher-js and Echo: channels that are encrypted, which
 * Rollcall has none of, other broadcasters, and links to Pusher's documents in warnings.
 */
export default class LeftOut {
  constructor() {
    throw new Error("Left out of this build of pusher-js and Echo");
  }

  /** The end of a warning. */
  static buildLogSuffix() {
    return "";
  }
}

export { LeftOut as ChannelAuthorizerProxy };
export { LeftOut as NullConnector, LeftOut as PusherEncryptedPrivateChannel };
export { LeftOut as SocketIoConnector };
