import { mutationsOf } from "../mutation.ts";

const folder = "tests/accounts";
const linksTest = `${folder}/links_test.ts`;

/** Users, sessions and guests. */
export const accounts = mutationsOf({
  "accounts/csrf.ts": `${folder}/csrf_test.ts`,
  "accounts/guest.ts": `${folder}/guest_test.ts`,
  "accounts/password_work.ts": `${folder}/password_work_test.ts`,
  "accounts/session_watch.ts": `${folder}/session_watch_test.ts`,
  "accounts/user_search.ts": `${folder}/user_search_test.ts`,
  "accounts/sessions.ts": `${folder}/sessions_test.ts`,
  "accounts/id_batches.ts": `${folder}/sessions_test.ts`,
  "accounts/blocked_guests.ts": `${folder}/blocked_guests_test.ts`,
  "accounts/setup.ts": `${folder}/setup_test.ts`,
  "accounts/sign_in_limit.ts": `${folder}/sign_in_limit_test.ts`,
  "accounts/authentication.ts": [`${folder}/sign_in_test.ts`, `${folder}/sign_in_limit_test.ts`],
  "accounts/accounts.ts": [`${folder}/users_test.ts`, `${folder}/sign_in_test.ts`],
  "accounts/users.ts": `${folder}/users_test.ts`,
  "accounts/passwords.ts": `${folder}/users_test.ts`,
  "accounts/device.ts": `${folder}/sign_in_limit_test.ts`,
  "accounts/session_token_hash.ts": `${folder}/sign_in_test.ts`,
  "accounts/account_links.ts": linksTest,
  "accounts/invites.ts": linksTest,
  "accounts/reset_links.ts": linksTest,
  "accounts/links.ts": linksTest,
  "accounts/own_account.ts": `${folder}/own_account_test.ts`,
  "accounts/session_use.ts": `${folder}/sessions_test.ts`,
}, {
  "accounts/account_links.ts": [
    ["tokenHash: digest(token)", "tokenHash: token", "a backup contains the links"],
    [
      "  await deleteLinksFor(transaction, purpose);\n  const token",
      "  const token",
      "a person has several links",
    ],
    [
      '  await transaction.deleteFrom("accountLink").where("expiresAt", "<=", now).execute();\n',
      "",
      "links that expired pile up",
    ],
    [
      '.where("tokenHash", "=", digest(token)).where("expiresAt", ">", now)',
      '.where("tokenHash", "=", digest(token))',
      "a link works for ever",
    ],
  ],
  "accounts/invites.ts": [
    [
      "if (others.length >= mostInvites) {",
      "if (false) {",
      "an admin's program piles up invitations",
    ],
    [
      ".filter((open) => open.email !== email)",
      "",
      "the last of a hundred invitations cannot be made again",
    ],
    ["if (await hasUser(transaction, email)) {", "if (false) {", "a user is invited again"],
    [
      "    await alongside(transaction, result.value, invite);\n",
      "",
      "who accepted an invitation is not recorded",
    ],
    [
      "!await inviteOf(database.queries, input.token, now)",
      "false",
      "strangers have passwords hashed",
      [linksTest],
    ],
  ],
  "accounts/reset_links.ts": [
    [
      "return user?.disabled ? null : user;",
      "return user;",
      "a disabled user sets a new password",
    ],
    ["await setPassword(transaction, user.id, passwordHash);", "", "a link sets no password"],
    [
      'if (user.disabled) return refused("disabled", "This account is disabled. Enable it first.");',
      "",
      "a link is made that does not work",
    ],
  ],
  "accounts/links.ts": [
    ["this.#wrong.add(peer);", "", "tokens are tried without end"],
    [
      "if (waitSeconds !== null) return rateLimited(waitSeconds);",
      "",
      "tokens are tried without end, though they are counted",
    ],
  ],
  "accounts/own_account.ts": [
    [
      "if (hash === null || !await authentication.verifyPassword(current, hash)) return wrongPassword;",
      "",
      "who finds an open browser takes the account",
    ],
    [
      "if (!user || await passwordHashOf(transaction, id) !== hash) return wrongPassword;",
      "if (!user) return wrongPassword;",
      "a user undoes the reset of an admin",
    ],
    [
      "endsOthers ? await endOtherSessions(transaction, id, sessionId) : []",
      "[]",
      "who knows the old password stays signed in",
    ],
    [
      "await forgetAttempts(queries, attempts);",
      "",
      "a user who changes the password often has to wait",
    ],
    [
      "if (user.name === name.data) return done(undefined);",
      "",
      "the audit log has names that did not change",
    ],
  ],
  "accounts/session_use.ts": [
    ["if (now - last < everyMs) return;", "", "each request writes to the database"],
    [".catch(() => {})", "", "a full disk signs everyone out"],
  ],
  "accounts/csrf.ts": [
    [
      "if (!token || !isCsrfSeed(seed)) return false;",
      "if (!token || !seed) return false;",
      "a forged seed of any form is taken",
    ],
    [
      'return sign(secret, purpose, seed, sessionId ?? "");',
      "return sign(secret, purpose, seed);",
      "a token of another session is valid",
    ],
    [
      "signed !== null && isSameText(signed, signatureOf(secret, seed, sessionId))",
      "true",
      "any token is valid",
    ],
    [
      "const mask = randomBytes(maskLength);",
      "const mask = Buffer.alloc(maskLength);",
      "the size of compressed pages shows the token",
    ],
    [
      ' || bytes.toString("base64url") !== token',
      "",
      "a token is valid with something after it",
    ],
  ],
  "accounts/guest.ts": [
    [
      "isSameText(signature, sign(secret, purpose, id)) ? { id } : null",
      "({ id })",
      "a guest makes up another guest's cookie",
    ],
    ["randomBytes(16)", "randomBytes(2)", "two guests have one id"],
    ["/^(guest-[0-9a-f]{32})\\.", "/^(.+)\\.", "an id of another form is taken for a guest's"],
  ],
  "accounts/password_work.ts": [
    [
      "if (this.#running < this.#maxRunning) this.#running++;",
      "if (true) this.#running++;",
      "sign-ins take all cores",
    ],
    [
      "if (next) next();\n        else this.#running--;",
      "if (next) next();",
      "sign-ins stop for ever after some",
    ],
    ["maxPerClient: 12", "maxPerClient: 32", "one client keeps others from signing in"],
  ],
  "accounts/session_watch.ts": [
    ["if (!this.#stopped) this.#schedule();", "", "sessions are looked at once only"],
    [
      "if (!this.#stopped) this.#schedule();",
      "this.#schedule();",
      "the watch goes on after the server stopped",
    ],
    ["      failed(error);\n", "", "a database that is away goes unnoticed"],
    [
      "code: closeCodes.reconnect",
      "code: closeCodes.notAuthorized",
      "a page whose session ended does not ask to sign in again",
    ],
    [
      'cause: "signed_out"',
      'cause: "closed"',
      "who signed out is recorded as having closed the page",
    ],
  ],
  "accounts/user_search.ts": [
    ["|| email.includes(wanted)", "", "a search by email finds no one"],
    ['text.normalize("NFKC").toLowerCase()', "text", "a search is case-sensitive"],
    [
      ".trim().slice(0, longestQuery)",
      ".slice(0, longestQuery)",
      "a space after the search finds no one",
    ],
  ],
  "accounts/sessions.ts": [
    [
      "return ids.filter((id) => !open.has(id));",
      "return [];",
      "connections of sessions that ended stay open",
    ],
    [
      '      .where("expiresAt", ">", new Date()).execute();',
      "      .execute();",
      "a session's connections outlive it",
    ],
    [
      '    .where("session.expiresAt", ">", new Date())\n',
      "",
      "an expired session lifts the limit of sign-ins",
    ],
    [
      '    .where("session.ipAddress", "=", peer)\n',
      "",
      "any visitor's attempts count as those of the signed-in user's network",
    ],
  ],
  "accounts/id_batches.ts": [
    [
      "start < ids.length;",
      "start < 1;",
      "users after the first 500 are not found, and their sessions count as ended",
    ],
  ],
  "accounts/blocked_guests.ts": [
    ["maxBlockedGuests = 10_000", "maxBlockedGuests = 1_000_000", "blocked guests pile up"],
    ["return row !== undefined;", "return false;", "a blocked guest comes back"],
    [
      "return numDeletedRows > 0n;",
      "return true;",
      "an admin is told that a guest was unblocked who was not blocked",
    ],
  ],
  "accounts/setup.ts": [
    ["if (await adminExists(queries)) return setupDone;", "", "a second first admin is made"],
    [
      'return isSameText(hash(token), stored.split(" ")[0]) ? null : wrongToken;',
      "return null;",
      "a stranger sets up the server",
    ],
    [
      "await store(queries, hash(token));",
      "await store(queries, token);",
      "the database shows the setup link",
    ],
    [
      "if (salt && hash(tokenOf(salt)) === storedHash) return tokenOf(salt);",
      "",
      "the start of another server invalidates the setup link",
    ],
    [
      "    const refusal = await reasonToRefuse(transaction, token);\n    if (refusal) return refusal;",
      "",
      "two who set up at once are both admins",
    ],
  ],
  "accounts/sign_in_limit.ts": [
    [
      "return { left: limit - count, retryAfterSeconds };",
      "return { left: limit, retryAfterSeconds };",
      "passwords are tried without end",
    ],
    [
      "const windowMs = 15 * 60 * 1000;",
      "const windowMs = 15 * 60;",
      "passwords are tried again after a second",
    ],
    [
      'set({ count: sql`"count" - 1` })',
      'set({ count: sql`"count"` })',
      "attempts that were not made count",
    ],
  ],
  "accounts/authentication.ts": [
    [
      "disableSessionRefresh: true",
      "disableSessionRefresh: false",
      "sessions extend themselves",
      [`${folder}/sign_in_test.ts`],
    ],
    [
      'await queries.deleteFrom("session").where("expiresAt", "<=", new Date(now)).execute();',
      "",
      "expired sessions are never deleted",
    ],
    ["sessionSeconds = 7 * 24", "sessionSeconds = 70 * 24", "a session lasts ten weeks"],
    [
      "&& !isKnownDevice) await returnAttempt",
      "&& isKnownDevice) await returnAttempt",
      "people behind one address cannot all sign in",
    ],
    [
      '"wrong_credentials" };\n  if (code === "BANNED_USER") return { outcome: "disabled" };',
      '"wrong_credentials" };',
      "a disabled user who signs in gets an internal error",
    ],
  ],
  "accounts/accounts.ts": [
    [
      "if (!user || user.disabled) return null;",
      "if (!user) return null;",
      "a disabled user's session still works",
    ],
  ],
  "accounts/passwords.ts": [
    [
      "await storePassword(transaction, id, passwordHash);\n  await endSessions(transaction, id);",
      "await storePassword(transaction, id, passwordHash);",
      "who knows the old password stays signed in after a reset",
    ],
    [
      "    .execute();\n  await deleteLinksFor(transaction, { userId: id });\n}",
      "    .execute();\n}",
      "a link of before resets a password that was just set",
      [linksTest],
    ],
    [
      '.where("providerId", "=", passwordProvider)\n    .execute();',
      '.where("providerId", "!=", passwordProvider)\n    .execute();',
      "a reset leaves the old password",
    ],
  ],
  "accounts/users.ts": [
    [
      'if (await isLastAdmin(transaction, user)) {\n      return refused("last_admin", "You can\'t take',
      'if (false) {\n      return refused("last_admin", "You can\'t take',
      "the only admin stops being one",
    ],
    [
      "if (disabled && await isLastAdmin(transaction, user)) {",
      "if (false) {",
      "the only admin is disabled",
    ],
    [
      'if (role !== "admin") {\n      await endSessions(transaction, id);',
      'if (role !== "admin") {',
      "who is no longer an admin stays signed in as one",
    ],
    [
      "if (disabled) {\n      await endSessions(transaction, id);",
      "if (disabled) {",
      "a disabled user stays signed in",
    ],
    [
      "await endSessions(transaction, id);\n      await deleteLinksBy(transaction, id);\n    }\n    return",
      "await endSessions(transaction, id);\n    }\n    return",
      "who is no longer an admin makes one of themselves by a link of before",
      [linksTest],
    ],
    [
      "      await deleteLinksFor(transaction, { userId: id });\n    }",
      "    }",
      "a user who is enabled again can be taken over by an old link",
      [linksTest],
    ],
    [
      "  await deleteLinksFor(transaction, { email });\n",
      "",
      "an invitation stays open for an email that has an account",
      [linksTest],
    ],
    [
      '.where("banned", "=", false).where("id", "!=", user.id)',
      '.where("id", "!=", user.id)',
      "a disabled admin counts as one who is left",
    ],
    [
      "if (result.ok) await alongside(transaction, result.value);",
      "",
      "adding a user is not in the audit log",
    ],
  ],
  "accounts/device.ts": [
    [
      "isSameText(signature, sign(secret, purpose, account, id)) ? id : null",
      "id",
      "any device counts as known, with a limit of its own",
    ],
    [
      "isSameText(signature, sign(secret, purpose, account, id))",
      "isSameText(signature, sign(secret, purpose, id))",
      "known devices are forgotten",
    ],
  ],
  "accounts/session_token_hash.ts": [
    [
      "const data = { ...query.data, token: digest(token) };",
      "const data = { ...query.data };",
      "the database shows tokens of sessions",
    ],
  ],
});
