import { serveWholeApp } from "../fixtures/whole_app.ts";

/** The whole app, which is sent strange requests. */
await serveWholeApp([]);
