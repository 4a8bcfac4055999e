import { mutationsOf } from "../mutation.ts";

const folder = "tests/people";

/** What admins can do to people. */
export const people = mutationsOf({
  "people/disconnect.ts": `${folder}/disconnect_test.ts`,
  "people/manage_user.ts": `${folder}/manage_user_test.ts`,
  "people/message.ts": `${folder}/message_test.ts`,
  "people/own_account.ts": `${folder}/own_account_test.ts`,
  "people/account_links.ts": `${folder}/account_links_test.ts`,
}, {
  "people/own_account.ts": [
    [
      "if (result.ok) closeSessions(state, result.value);",
      "",
      "tabs of sessions that ended stay connected",
    ],
    ["if (ended) closeSessions(state, [id]);", "", "the tabs of a lost device stay connected"],
    [
      "if (result.ok) state.liveView.identityChanged(user.id);",
      "",
      "admins see the old name until the person comes back",
    ],
  ],
  "people/account_links.ts": [
    [
      "  if (result.ok) disconnectSignedOut(state, result.value.id);\n",
      "",
      "who knows the forgotten password stays connected",
    ],
  ],
  "people/disconnect.ts": [
    [
      'if (id === session?.user.id) return { disconnect: "yourself", block: "yourself" };',
      "",
      "an admin blocks themselves",
    ],
    [
      "await blockGuest(state.database,",
      "void blockGuest(state.database,",
      "a blocked guest comes back before the block is stored",
    ],
    [
      "  state.allServers.closeUser(person.id, { reason: closings.blocked.reason });\n",
      "",
      "a blocked guest's pages stay connected",
    ],
    [
      "  state.allServers.closeUser(person.id, { reason: closings.removed.reason });\n",
      "",
      "disconnecting does nothing",
    ],
    [
      '  await audit(state, "guest_blocked", person, openPages(person));\n',
      "",
      "who blocked a guest is not recorded",
    ],
    [
      '  await audit(state, "member_removed", person, openPages(person));\n',
      "",
      "who disconnected a person is not recorded",
    ],
    [
      'block: kind === "foreign" ? "not_blockable" : null',
      "block: null",
      "an admin is told that a person of another app was blocked",
    ],
    [': "not_online";', ": null;", "disconnecting a person who is offline seems to work"],
    ["presence?.connections ?? 0", "0", "the audit log has no number of pages"],
  ],
  "people/manage_user.ts": [
    [
      "  if (result.ok) disconnectSignedOut(state, id);\n",
      "",
      "who knows the old password stays connected after a reset",
    ],
    [
      'if (before === "user" && role.data === "admin") state.allServers.reconnectUser(id);',
      "",
      "the open pages of a new admin are not told who is online",
    ],
    [
      'if (before === "admin" && role.data === "user") disconnectSignedOut(state, id);',
      "",
      "who is no longer an admin keeps seeing who is online",
    ],
    [
      'before === "admin" && role.data === "user"',
      "true",
      "who becomes an admin is signed out",
    ],
    ["  state.liveView.identityChanged(id);\n", "", "admins' tables show the old role"],
    [
      "if (id === state.session?.user.id) {",
      "if (false) {",
      "an admin disables their own account",
    ],
    [
      "  if (result.ok) state.allServers.closeUser(id, { reason: closings.disabled.reason });\n",
      "",
      "a disabled user stays connected",
    ],
    [
      'audited(state, "user_enabled")',
      'audited(state, "user_disabled")',
      "the audit log says the opposite of what was done",
    ],
    [
      "const details = { before, after: role.data };",
      "const details = {};",
      "a change of role is not in the audit log",
    ],
    [
      "if (!role.success) return invalid(role.error);",
      "if (!role.success) throw role.error;",
      "a made-up role is an internal error",
    ],
  ],
  "people/message.ts": [
    ["if (wait > 0) return limited(wait);", "", "an admin's script floods everyone"],
    [
      "to ? visitorChannel(to.id) : onlineChannel",
      "onlineChannel",
      "a message to one person is shown to everyone",
    ],
    [
      "except !== null && isSocketId(except) ? except : null",
      "null",
      "the page that sends a message shows it too",
    ],
    [
      'to ? "message_sent" : "message_sent_to_all"',
      '"message_sent"',
      "the audit log does not say that everyone got a message",
    ],
    [
      "if (unreachable) return {",
      "if (false) return {",
      "an undeliverable message seems to be sent",
    ],
    [
      'if (to.kind === "foreign") {',
      "if (false) {",
      "an admin is not told why a person of another app sees no message",
    ],
    ["if (!text.success) return {", "if (false) return {", "an empty message is sent"],
  ],
});
