import { errorCodes } from "../protocol/close_codes.ts";
import { readUserData, readValue, signinData } from "../protocol/incoming.ts";
import { errorFrame, signinSuccess } from "../protocol/outgoing.ts";
import { verifyUser } from "../protocol/signature.ts";
import { maxWatchlistLength } from "../protocol/users.ts";
import { type CommandContext, refuse, reject } from "./context.ts";
import { memberOf } from "./member.ts";

/** `pusher:signin`. Signing in again as the same user succeeds and changes nothing. */
export function signIn(context: CommandContext, data: unknown): void {
  const { app, connection } = context;
  const read = readValue(data, signinData, "sign-in");
  if (!read.ok) return refuse(context, read.fault);
  const { auth, user_data: userData } = read.value;
  const verified = verifyUser(app.settings, auth, connection.id, userData);
  if (!verified.ok) return reject(context, verified);
  const user = readUserData(userData);
  if (!user.ok) return reject(context, { reason: "wrong_member", message: user.fault });
  if (connection.user && connection.user.id !== user.value.id) {
    return refuse(context, "The connection is signed in as another user");
  }
  const member = memberOf(context, user.value);
  if (typeof member === "string") return refuse(context, member);
  connection.send(signinSuccess(answered(userData, member.id)));
  if (connection.user) return;
  const watched = new Set(app.settings.watchlist ? user.value.watchlist : []);
  const isTooLong = watched.size > maxWatchlistLength;
  if (isTooLong) connection.send(errorFrame(tooLong, errorCodes.watchlistTooLong));
  app.signedIn(connection, { ...member, watchlist: isTooLong ? [] : [...watched] });
}

/** `user_data` with its id as text: pusher-js signs in with no number, which Laravel's library signs. */
function answered(userData: string, id: string): string {
  const data = JSON.parse(userData);
  return data.id === id ? userData : JSON.stringify({ ...data, id });
}

const tooLong = `A watchlist may have ${maxWatchlistLength} users; this one is ignored`;
