import { mutationsOf } from "../mutation.ts";

const folder = "tests/wallboard";

/** Wallboards and the links that open them. */
export const wallboard = mutationsOf({
  "wallboard/wallboard_broadcast.ts": `${folder}/wallboard_broadcast_test.ts`,
  "wallboard/wallboard_links.ts": `${folder}/wallboard_links_test.ts`,
  "wallboard/wallboard_publisher.ts": `${folder}/wallboard_publisher_test.ts`,
  "wallboard/wallboard_request.ts": `${folder}/wallboard_request_test.ts`,
  "wallboard/wallboards.ts": `${folder}/wallboards_test.ts`,
}, {
  "wallboard/wallboard_broadcast.ts": [
    [
      "id === ownApp().settings.id && ",
      "",
      "a channel of the same name in another app is told how many are online",
    ],
    [" && isWallboardChannel(channel)", "", "private channels are told how many are online"],
    ["    counts = now;\n", "", "wallboards show the number of the start for ever"],
    ["    publisher.changed();\n", "", "wallboards follow ten seconds late"],
    [
      "  servers.onChange(() => publisher.changed());\n",
      "",
      "wallboards show ten seconds late that numbers stand still",
    ],
  ],
  "wallboard/wallboard_links.ts": [
    [
      '.where("tokenHash", "=", digest(token)).where("revokedAt", "is", null)',
      '.where("tokenHash", "=", digest(token))',
      "a revoked link opens the wallboard",
    ],
    ["tokenHash: digest(token) }", "tokenHash: token }", "the database shows the tokens of links"],
    [
      "if (await countLive(transaction) >= mostWallboardLinks) {",
      "if (false) {",
      "links pile up",
    ],
    [
      "    await forgetRevoked(transaction);\n",
      "",
      "revoked links pile up",
    ],
    [
      "    await alongside?.(transaction, link);\n    return { ok",
      "    return { ok",
      "making a link is not in the audit log",
    ],
    [
      "if (link) await alongside?.(transaction, link);",
      "",
      "revoking a link is not in the audit log",
    ],
    [
      "now - link.lastUsedAt < useEveryMs",
      "false",
      "each request of a wallboard writes to the database",
    ],
    [
      'await queries.updateTable("wallboardLink").set({ lastUsedAt: now })',
      'await queries.updateTable("wallboardLink").set({ lastUsedAt: 0 })',
      "admins do not see when a link was used",
    ],
  ],
  "wallboard/wallboard_publisher.ts": [
    [
      "if (this.#channels.size > 0) this.#publishAt",
      "this.#publishAt",
      "counting goes on where no wallboard is open",
    ],
    [
      "if (!isOccupied(channel)) this.#channels.delete(channel);",
      "",
      "closed wallboards are told for ever",
    ],
    [
      "    this.#publishedAt = clock.now();\n",
      "",
      "a lively room sends wallboards hundreds of events",
    ],
    [
      "    this.#publishAt(this.#publishedAt + signOfLifeMs);\n",
      "",
      "a quiet wallboard is marked as old",
    ],
    ["    this.#dueAt = Infinity;\n    for", "    for", "wallboards show one number for ever"],
  ],
  "wallboard/wallboard_request.ts": [
    [
      '(path === "/broadcasting/auth" && request.headers.has(tokenHeader))',
      "request.headers.has(tokenHeader)",
      "a header hides who sent a request",
    ],
    [
      " && request.headers.has(tokenHeader)",
      "",
      "people's own pages are refused their channels",
    ],
    [
      'path.startsWith("/wallboard/") ||',
      "",
      "an admin's wallboard counts as the admin's page",
    ],
  ],
  "wallboard/wallboards.ts": [
    [
      "if (channel !== wallboardChannel(first.link.id)) {",
      "if (false) {",
      "a link opens other channels",
    ],
    [
      "return second.ok ? { ok: true } : second;",
      "return { ok: true };",
      "a link that is revoked meanwhile leaves its socket open",
    ],
    ["    this.#right.delete(link.id);\n", "", "a revoked link keeps its peer's attempts"],
    [
      "const retryAfterSeconds = isKnown ? null : ",
      "const retryAfterSeconds = ",
      "a stranger behind the same proxy blocks every wallboard",
    ],
    ["    this.#wrong.add(peer);\n", "", "tokens are tried without end"],
    [
      'this.#options.allServers().closeUser(ownerOf(link), { reason: "This link has been revoked" });',
      "",
      "a revoked wallboard goes on",
    ],
    [
      "const peer = rateLimitKey(peerAddress);",
      "const peer = peerAddress;",
      "another spelling of an address has attempts of its own",
    ],
    ["links.filter(({ revokedAt }) => revokedAt === null)", "links", "revoked links are listed"],
  ],
});
