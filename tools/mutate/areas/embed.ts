import { mutationsOf } from "../mutation.ts";

const folder = "tests/embed";

/** The count for other sites. */
export const embed = mutationsOf({
  "embed/badge.ts": `${folder}/badge_test.ts`,
  "embed/text_width.ts": `${folder}/badge_test.ts`,
  "embed/embed_answer.ts": `${folder}/embed_answer_test.ts`,
  "embed/embed_page.ts": `${folder}/embed_answer_test.ts`,
  "embed/embed_settings.ts": `${folder}/embed_settings_test.ts`,
  "embed/embed_token.ts": `${folder}/embeds_test.ts`,
  "embed/embed_links.ts": `${folder}/embeds_test.ts`,
  "embed/embeds.ts": `${folder}/embeds_test.ts`,
}, {
  "embed/badge.ts": [
    ["/[&<>\"']/g", "/[&]/g", "a label runs a script in the badge"],
    [
      'textAt("label", { x: labelAt',
      'textAt("label", { x: numberAt',
      "the label covers the number",
    ],
  ],
  "embed/text_width.ts": [
    ["if (/\\p{M}/u.test(character)) continue;", "", "accents make the badge too wide"],
  ],
  "embed/embed_answer.ts": [
    ["known && isSame(known.count, count)", "known", "an embed shows the first number for ever"],
    [
      " && one.expected === other.expected",
      "",
      "an embed is recovering for ever, as long as the number stays the same",
    ],
    ["{ users, recovering: true, expected }", "{ users }", "JSON gives a wrong number as right"],
    [
      "origin !== null && origins.includes(origin)",
      "origin !== null",
      "every site can read an embed",
    ],
    ['readers === "none"', "false", "scripts can read an embed that no site may read"],
    ['vary: "Origin", ', "", "a proxy gives a site the answer for another"],
  ],
  "embed/embed_page.ts": [
    [
      "doubt ? ` data-",
      "false ? ` data-",
      "a frame gives a wrong number as right",
    ],
    [
      "\"'none'\" : origins.join",
      '"*" : origins.join',
      "every site can frame an embed",
    ],
  ],
  "embed/embed_settings.ts": [
    [
      "/^[a-z0-9.-]+$/.test(url.hostname)",
      "true",
      "an origin adds directives to the policy of the page",
    ],
    ["url.href === `${url.origin}/`", "true", "an address with a path is taken for an origin"],
  ],
  "embed/embed_token.ts": [
    [
      "isSameText(token.slice(idLength), sign(secret, purpose, id))",
      "true",
      "an embed is opened without a signature",
    ],
  ],
  "embed/embed_links.ts": [
    ["if (stored.length >= mostEmbeds) return null;", "", "embeds pile up"],
  ],
  "embed/embeds.ts": [
    ["    this.#answers.delete(id);\n", "", "a revoked embed goes on"],
    ["    this.#limit.add(client);\n", "", "a stranger asks without end"],
    [
      "options.clock.now);\n    for (const embed of embeds.toReversed()) this.#keep(embed);",
      "options.clock.now);",
      "embeds end with a restart",
    ],
    [
      "embed.lastUsedAt !== null && now - embed.lastUsedAt < useEveryMs",
      "false",
      "each request writes to the database",
    ],
  ],
});
