import type { Profile } from "./profile.ts";

/** The longest user id, in UTF-16 code units (Pusher: 128 characters). */
export const maxUserIdLength = 128;

/** The longest watchlist, in users (Pusher: 100). */
export const maxWatchlistLength = 100;

/** A user in a presence channel. */
export interface Member {
  /** 1 to {@link maxUserIdLength} characters. */
  readonly id: string;
  /** JSON text of the `user_info`, as the other members receive it. */
  readonly info: string;
  /** For admins only. */
  readonly profile?: Profile;
}
