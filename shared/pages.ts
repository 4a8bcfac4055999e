/**
 * The pages that people have open, as their clients report them. Nothing of it is signed.
 *
 * @module
 */

/** A kind of device. */
export type Device = "phone" | "tablet" | "desktop";

/** A page of your own app that a person has open. */
export interface CurrentPage {
  /** Without a query. */
  path: string;
  /** Absent when the client does not report it. */
  device?: Device;
}

/** A page, and how many users have it open. */
export interface CountedPage {
  path: string;
  users: number;
}

/** The pages that most users have open. A user with several tabs can be on several. */
export interface TopPages {
  /** When they were counted, in milliseconds since 1970, by the server's clock. */
  at: number;
  /** At most {@link maxTopPages}, the one with most users first. */
  pages: CountedPage[];
  /** Users who have another page open. */
  elsewhere: number;
  /** Users whose page is known; 0 when nothing is. */
  users: number;
  /** Users by kind of device, as far as it is known. */
  devices: Record<Device, number>;
}

/** The number of pages that are listed. */
export const maxTopPages = 10;
