import { mutationsOf } from "../mutation.ts";

/** What URLs answer, where no other area has it. */
export const routes = mutationsOf({
  "http/visitor.ts": "tests/http/visitor_test.ts",
  "routes/broadcasting/user-auth.ts": "tests/routes/user_auth_test.ts",
  "routes/sign-out.ts": "tests/routes/sign_out_test.ts",
}, {
  "http/visitor.ts": [
    [
      "config.admitGuests\n    ?",
      "true\n    ?",
      "an old guest's cookie is believed where guests are no longer admitted",
    ],
    ["guest && !isBlocked ? guestVisitor", "guest ? guestVisitor", "a blocked guest comes back"],
    ['isAdmin: role === "admin" };', "isAdmin: true };", "every user sees who is online"],
    [
      "if (session) return {",
      "if (false) return {",
      "a signed-in user counts as a guest",
    ],
  ],
  "routes/broadcasting/user-auth.ts": [
    [
      "    if (refusal) return refusal;\n",
      "",
      "a socket of another visitor is signed for",
    ],
    [
      "const refusal = await claimSocketOrRefuse(ctx, request.data.socket_id);",
      "const refusal = null;",
      "a socket stays open when its visitor is disconnected",
    ],
    [
      "if (!request.success) return refuseSocketId();",
      "if (!request.success) throw request.error;",
      "a malformed id of a socket is an internal error",
    ],
    ["user_info: { id: visitor.id }", "user_info: visitor", "others learn who is an admin"],
  ],
  "routes/sign-out.ts": [
    ["    if (session) {", "    if (false) {", "who signed out stays connected for seconds"],
    [
      "code = closeCodes.reconnect",
      "code = closeCodes.notAuthorized",
      "a page does not ask to sign in after a sign-out in another tab",
    ],
    [
      'for (const cookie of cookies) response.headers.append("set-cookie", cookie);',
      "",
      "the browser keeps the cookie of a session that ended",
    ],
    [
      "const cookies = await accounts.signOut(ctx.req.headers);\n    if (session) {\n      const code = closeCodes.reconnect;",
      "const code = closeCodes.reconnect;\n    if (session) ownApp.connections.closeSession(session.id, { code });\n    const cookies = await accounts.signOut(ctx.req.headers);\n    if (session) {",
      "a page reconnects with the session that is about to end",
    ],
  ],
});
