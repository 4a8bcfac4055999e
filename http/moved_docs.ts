import { docsPath } from "@/shared/docs.ts";

/**
 * Where pages of the documents are now that were at `/docs/NAME` in an earlier version. A browser takes the section
 * of its address along, unless the new page is named with one.
 */
export const movedDocs: ReadonlyMap<string, string> = new Map([
  // The name of its file in earlier versions.
  ["readme", docsPath("overview")],
  ["deploy", docsPath("install")],
  ["systemd", docsPath("executable", "run-it-as-a-service")],
  ["compose", docsPath("container")],
  ["connect", docsPath("quickstart")],
  ["admin-guide", docsPath("dashboard")],
  ["migrating", docsPath("migrate")],
  ["from-pusher", docsPath("migrate", "from-pusher")],
  ["from-reverb", docsPath("migrate", "from-laravel-reverb")],
  ["from-soketi", docsPath("migrate", "from-soketi")],
]);

/**
 * Sections that pages had in an earlier version. A browser looks for them on the page that its old address leads to:
 * there they are places of the section that is about the same, or links to the page that is.
 */
export const movedSections: Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
> = {
  quickstart: {
    "do-it": ["in-the-live-view"],
    "connect-your-own-app": ["the-page", "guides"],
    "next": [
      "names",
      "names-that-only-admins-see",
      "people-who-only-count",
      "observers",
      "where-people-are",
      "who-is-active",
      "ask-from-your-server",
    ],
  },
  identify: { "people-who-are-only-counted": ["people-who-only-count"] },
  install: { "choose-a-way": ["several-servers", "deno-deploy"] },
  container: { "good-to-know": ["when-it-does-not-start"] },
  migrate: { "do-it": ["steps"], "what-differs-everywhere": ["what-changes-for-your-app"] },
  dashboard: {
    "where-things-are": [
      "first-admin",
      "search-and-keys",
      "connect--apps",
      "channels",
      "activity",
      "numbers-over-time",
      "people",
      "blocked-people-of-your-app",
      "messages",
      "team",
      "roles",
      "limits-to-apps-and-channels",
      "your-account",
      "admin-log",
      "settings",
      "alert",
      "wallboards",
      "embeds",
      "site-tags",
      "api",
      "check",
      "command-line",
    ],
    "the-number": ["live"],
    "several-channels": ["counting-several-channels"],
  },
  security: { "what-a-public-server-needs": ["what-has-to-stand-in-front"] },
  workers: { "when-a-process-ends": ["when-something-ends"] },
};
