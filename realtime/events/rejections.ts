import type { AppSettings } from "../app_config.ts";

/** Why a client or caller was rejected, where the developer of the app can mend it. */
export type RejectionReason =
  /** No app has the key of the socket's address, or the id of the API call's. */
  | "unknown_app"
  /** What was signed names another key than the app's. */
  | "wrong_key"
  | "wrong_signature"
  /** The app does not allow the origin of the page. */
  | "wrong_origin"
  /** The clock of an API caller is off. */
  | "wrong_clock"
  /** The channel's name is malformed. */
  | "wrong_channel"
  /** The channel belongs to Rollcall's own pages. */
  | "reserved_channel"
  /** The signed data of a member is malformed. */
  | "wrong_member"
  /** The client speaks no supported version of the protocol, or connects to another path. */
  | "wrong_address"
  /** The address of the client has reached its limit of connections. */
  | "address_full";

/** A client or caller that was rejected. Texts that it sent are cut. */
export interface Rejection {
  readonly reason: RejectionReason;
  /** A client's socket or frame, or a call of the HTTP API. */
  readonly from: "client" | "api";
  /** The answer that it got. */
  readonly message: string;
  /** The text of which it should have sent the signature. */
  readonly signedText?: string;
  /** The signature that it sent. */
  readonly signature?: string;
}

/** Is called, synchronously, with each rejection; without an app when it is of none. */
export type RejectionListener = (rejection: Rejection, app: AppSettings | undefined) => void;

/** The length to which what a client sent is cut. */
const maxTextLength = 2_000;

/** A rejection with its texts cut. */
export function rejectionOf(rejection: Rejection): Rejection {
  const cut = Object.entries(rejection).map(([name, value]) => [
    name,
    typeof value === "string" ? value.slice(0, maxTextLength) : value,
  ]);
  return Object.fromEntries(cut);
}
