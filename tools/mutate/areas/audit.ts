import { mutationsOf } from "../mutation.ts";

const folder = "tests/audit";

/** What is recorded of admins' actions. */
export const audit = mutationsOf({
  "audit/audit.ts": `${folder}/audit_test.ts`,
  "audit/audit_details.ts": `${folder}/audit_log_test.ts`,
  "audit/audit_log.ts": `${folder}/audit_log_test.ts`,
  "audit/audit_query.ts": `${folder}/audit_test.ts`,
}, {
  "audit/audit.ts": [
    ["const actor = { id, name };", "const actor = session.user;", "the audit log stores emails"],
    [
      "target, details }, queries);",
      "target, details });",
      "an action that failed is in the audit log",
    ],
    [
      "audit(auditor, action, target, details, transaction)",
      "audit(auditor, action, target, details)",
      "an action without an entry is possible",
    ],
    [
      "target, details }, queries",
      "target: null, details }, queries",
      "the audit log does not say who was acted on",
    ],
  ],
  "audit/audit_details.ts": [
    ["|cookie", "", "cookies are stored in the audit log"],
    ["|token", "", "tokens are stored in the audit log"],
    ["password|", "", "passwords are stored in the audit log"],
    ["|signature", "", "signatures are stored in the audit log"],
    ["<= maxDetails", "<= 100 * maxDetails", "entries of the audit log have any size"],
    [
      "maxTextLength = 500",
      "maxTextLength = 5_000_000",
      "whole messages are kept in the audit log",
    ],
    [
      'storedText(text, maxTextLength - 1) + "…"',
      "storedText(text, maxTextLength)",
      "a cut message looks complete",
    ],
  ],
  "audit/audit_log.ts": [
    [
      "queries: Kysely<Tables> = this.#database.queries,\n  ): Promise<void> {\n    await queries",
      "_queries: Kysely<Tables> = this.#database.queries,\n  ): Promise<void> {\n    await this.#database.queries",
      "an action that failed is in the audit log",
    ],
    [
      'query = query.where("actorId", "=", storedText(filter.actorId, maxIdLength));',
      "",
      "the filter by admin shows everything",
    ],
    [
      'query = query.where("targetId", "=", storedText(filter.targetId, maxIdLength));',
      "",
      "the filter by person shows everything",
    ],
    [
      'if (filter.action !== undefined) query = query.where("action", "=", filter.action);',
      "",
      "the filter by action shows everything",
    ],
    ["if (cursor) query = query.where(isAfter(cursor));", "", "the second page is the first again"],
    [
      'orderBy("at", "desc").orderBy("number", "desc")',
      'orderBy("at").orderBy("number", "desc")',
      "the oldest entries come first",
    ],
    ['of.fn.max("number")', 'of.fn.min("number")', "the filter offers old names of admins"],
    ["storedText(actor.name, maxNameLength)", "actor.name", "a long name fails an action"],
    [
      "storedText(target.name, maxNameLength)",
      "target.name",
      "a person with a strange name cannot be disconnected",
    ],
  ],
  "audit/audit_query.ts": [
    ["targetId: target, action", "action", "the filter by person shows everything"],
    [
      ".optional().catch(undefined),\n});",
      ".optional(),\n});",
      "a made-up action in the address is an internal error",
    ],
    [".max(maxUserIdLength)", "", "an address may ask the database for an id of any length"],
    ["{ ...query, before }", "query", "the second page is the first again"],
  ],
});
