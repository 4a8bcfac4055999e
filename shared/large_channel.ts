/**
 * What admins' pages are sent of a channel with so many users that they are not sent all of them.
 *
 * @module
 */

import type { Activity, Person, Totals } from "./online.ts";

/** The most rows of the online table that are asked for at once. */
export const maxRows = 100;

/** The most anchors of a request. */
export const maxAnchors = 5;

/** A row that stays where it is while rows before it come and go. */
export interface Anchor {
  id: string;
  /** The number of rows before it, when it was asked for last. */
  row: number;
}

/** Rows of the online table: of the people who match a search, in an order. */
export interface OnlineRows {
  /** In milliseconds since 1970, by the server's clock. */
  at: number;
  /** The number of people online. */
  total: number;
  /** How many people match. */
  hits: number;
  /** The number of rows before the first one. */
  offset: number;
  people: Person[];
}

/** Payload of the event `OnlineSummary`: how many users are online, and what happened since the previous summary. */
export interface OnlineSummary extends Totals {
  /** In milliseconds since 1970, by the server's clock. */
  at: number;
  /** Whether there are so many that pages ask for the rows that they show; else they ask for a whole list. */
  isLarge: boolean;
  /** How many users joined and left. */
  joined: number;
  left: number;
  /** The last of them, oldest first. */
  activity: Activity[];
}
