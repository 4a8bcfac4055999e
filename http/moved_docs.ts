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
