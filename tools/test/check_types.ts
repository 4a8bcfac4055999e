import { fileURLToPath } from "node:url";
import { buildPusherJs } from "@/deploy/build/pusher_js.ts";
import { leftOutFolders, pathsWithout, testConfiguration } from "./configuration.ts";

/** Checks the types of the project as `deno check` does, without what is only about unlinked shims. */
const root = fileURLToPath(new URL("../../", import.meta.url));
// Pages import it.
await buildPusherJs();
const leftOut = leftOutFolders(root);
const paths = leftOut.length > 0 ? pathsWithout(leftOut, root) : [];
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["check", testConfiguration, ...paths],
  cwd: root,
})
  .spawn().status;
Deno.exit(code);
