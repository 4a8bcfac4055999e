/**
 * Writes the messages that this release sends to `recorded/RELEASE.json`, for later releases to read:
 * `deno run --config deno.dev.json -A tests/realtime/cluster/messages/record.ts RELEASE`. Files of earlier releases stay as they are.
 *
 * @module
 */
import { sentMessages } from "./sent_messages.ts";

const [release = ""] = Deno.args;
if (!/^\d+\.\d+\.\d+$/.test(release)) throw new Error("Usage: record.ts RELEASE, such as 0.1.0");
const path = new URL(`recorded/${release}.json`, import.meta.url);
await Deno.writeTextFile(path, `${JSON.stringify(await sentMessages(), null, 2)}\n`);
