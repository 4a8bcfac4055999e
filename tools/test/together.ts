import { resolve } from "node:path/posix";
import { pathToFileURL } from "node:url";

// Deno loads each file that it is given in an isolate of its own, which takes longer than most tests: all
// unit tests together take a quarter of that CPU time, and Playwright is loaded once instead of 26 times.
for (const file of Deno.args) await import(pathToFileURL(resolve(file)).href);
