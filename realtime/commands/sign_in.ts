import type { CommandContext } from "./handle_message.ts";
import { readUserData, readValue, signinData } from "../protocol/incoming.ts";
import { memberWith } from "./member_data.ts";
import { errorFrame, signinSuccess } from "../protocol/outgoing.ts";
import { errorCodes, maxWatchlistLength } from "../protocol/protocol.ts";
import { verifyUser } from "../protocol/signature.ts";

/** Signs a connection in, once its signature is found right. Again as the same user is no error. */
export function signIn({ app, connection, now, refusals }: CommandContext, data: unknown): void {
  const refuse = (message: string) => connection.refuse(message, now);
  const read = readValue(data, signinData, "sign-in");
  if (!read.ok) return refuse(read.fault);
  const { auth, user_data: userData } = read.value;
  const verified = verifyUser(app.rules, auth, connection.id, userData);
  if (!verified.ok) return refuse(verified.message);
  const user = readUserData(userData);
  if (!user.ok) return refuse(user.fault);
  if (connection.user && connection.user.id !== user.value.id) {
    return refuse("The connection is signed in as another user");
  }
  const member = memberWith(user.value, app.rules, refusals, connection);
  if (typeof member === "string") return refuse(member);
  connection.send(signinSuccess(userData));
  if (connection.user) return;
  const watched = new Set(app.rules.watchlist ? user.value.watchlist : []);
  const isTooLong = watched.size > maxWatchlistLength;
  if (isTooLong) connection.send(errorFrame(tooLong, errorCodes.watchlistTooLong));
  app.signedIn(connection, { ...member, watchlist: isTooLong ? [] : [...watched] });
}

const tooLong = `A watchlist may have ${maxWatchlistLength} users; this one is ignored`;
