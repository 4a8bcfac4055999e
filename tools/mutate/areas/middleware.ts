import { mutationsOf } from "../mutation.ts";

const folder = "tests/middleware";

/** What happens to each request on its way. */
export const middleware = mutationsOf({
  "middleware/compress_answers.ts": `${folder}/compress_answers_test.ts`,
  "middleware/csrf.ts": `${folder}/csrf_test.ts`,
  "middleware/refuse_unroutable.ts": `${folder}/refuse_unroutable_test.ts`,
  "middleware/limit_sign_ins.ts": `${folder}/limit_sign_ins_test.ts`,
  "middleware/require_admin.ts": `${folder}/require_admin_test.ts`,
  "middleware/require_session.ts": `${folder}/require_admin_test.ts`,
  "middleware/security_headers.ts": `${folder}/security_headers_test.ts`,
}, {
  "middleware/compress_answers.ts": [
    [
      " || isAskedByOtherSite(req.headers)",
      "",
      "other sites learn of a page by the size of its answers",
    ],
    ["status === STATUS_CODE.OK", "status >= 200", "a part of a file is compressed"],
    [
      "    await new Promise((resolve) => setTimeout(resolve));\n",
      "",
      "a long answer keeps everyone waiting",
    ],
    ["    await rest.cancel();\n", "", "HEAD leaves an export open"],
    ['headers.delete("content-length");', "", "a compressed answer has a wrong length"],
  ],
  "middleware/csrf.ts": [
    [
      "if (isSafe(ctx.req.method)) return await ctx.next();",
      "",
      "no page can be loaded",
    ],
    [
      "if (!mayComeFromOwnPage(ctx.req.headers, ctx.url, config.appUrl)) {",
      "if (false) {",
      "a page of another site acts with the reader's rights",
    ],
    [
      "if (!isCsrfToken(appSecret, token, seed, session?.id ?? null)) {",
      "if (false) {",
      "a page of another site acts with the reader's rights",
    ],
    [
      'ctx.req.headers.get("x-csrf-token") ?? field',
      'ctx.req.headers.get("x-csrf-token")',
      "forms without script are refused",
    ],
    [
      "if (seed !== sent) writeCookie",
      "if (false) writeCookie",
      "new browsers cannot send a form",
    ],
    [
      "isCsrfSeed(sent) ? sent : newCsrfSeed()",
      "sent ?? newCsrfSeed()",
      "a forged cookie keeps its browser from sending forms",
    ],
    [
      "csrfToken(appSecret, seed, session?.id ?? null);",
      "csrfToken(appSecret, seed, null);",
      "signed-in people cannot send a form",
    ],
  ],
  "middleware/require_admin.ts": [
    [
      'if (session.user.role !== "admin") throw',
      "if (false) throw",
      "users see the pages of admins",
    ],
  ],
  "middleware/limit_sign_ins.ts": [
    [
      "|invite\\/|reset-password\\/",
      "",
      "strangers with a link keep others from signing in",
    ],
  ],
  "middleware/require_session.ts": [
    [
      'if (wantsJson(ctx.req)) return refuse(403, "not_signed_in", "Sign in required.");',
      "",
      "a program gets the sign-in page instead of an error",
    ],
    [
      "signInPath(ctx.url)",
      'signInPath(new URL("/", ctx.url))',
      "the sign-in does not lead back to the page",
    ],
  ],
  "middleware/security_headers.ts": [
    [
      "if (holdsToken.test(pathOf(ctx.url))) ",
      "if (false) ",
      "a proxy's log learns the link that resets a password",
    ],
    [
      '    headers.set("cache-control", "no-store");\n',
      "",
      "pages with tokens stay in caches",
    ],
    [
      '!headers.has("cache-control") && ',
      "",
      "scripts and styles are loaded again for each page",
    ],
    [
      " && status !== STATUS_CODE.NotModified",
      "",
      "unchanged scripts and styles are loaded again for each page",
    ],
    [
      '  headers.set("cross-origin-opener-policy", "same-origin");\n',
      "",
      "a page that opened another reaches into it",
    ],
    [
      '  headers.set("x-content-type-options", "nosniff");\n',
      "",
      "browsers guess the type of answers",
    ],
    [
      'if (!headers.has("referrer-policy")) ',
      "",
      "other sites learn the link of a wallboard",
    ],
    [' && hostname !== "localhost"', "", "other things developed on localhost need https"],
    ["if (https && hostname", "if (hostname", "browsers want https of a server without it"],
    [
      '.replaceAll(" \'unsafe-inline\'", "")',
      "",
      "injected scripts run in answers without a nonce",
    ],
    [
      'https || name !== "upgrade-insecure-requests"',
      "true",
      "scripts and styles are not found where there is no https",
    ],
  ],
  "middleware/refuse_unroutable.ts": [
    [
      "if (!routedMethods.has(method)) {",
      "if (false) {",
      "a strange method is an internal error",
    ],
    ["if (address === null) {", "if (false) {", "a malformed host is an internal error"],
  ],
});
