import { serveWholeApp } from "@/tests/fixtures/whole_app.ts";

/** The whole app, which is sent strange requests. */
await serveWholeApp([]);
