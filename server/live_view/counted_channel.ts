import type { ThresholdAlert } from "../alert/threshold_alert.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import type { CountedTarget } from "../presence/counted_target.ts";

/** A counted channel whose users are followed. */
export interface FollowedChannel extends CountedTarget {
  presence: ChannelPresence;
  /** Who comes back after the start. */
  recovery: RecoveryWatch;
}

/** A counted channel, with what is known of its users. */
export interface CountedChannel extends FollowedChannel {
  alert: ThresholdAlert;
}
