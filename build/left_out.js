/**
 * What pages of Rollcall have no use for in pusher-js: channels that are encrypted, which Rollcall has
 * none of, and links to Pusher's documents in warnings.
 */
export default class LeftOut {
  constructor() {
    throw new Error("Encrypted channels are left out of this build of pusher-js");
  }

  /** The end of a warning. */
  static buildLogSuffix() {
    return "";
  }
}
