import type { Config } from "@/server/config/config.ts";
import { buildId } from "@/deploy/build/build_id.ts";
import { buildDocs } from "@/deploy/docs/build.ts";
import { finishBrowserFiles } from "@/deploy/build/browser_files.ts";
import { buildLanguageScripts } from "@/deploy/build/language_scripts.ts";
import { buildPusherJs } from "@/deploy/build/pusher_js.ts";
import { buildSiteScript } from "@/deploy/build/site_script.ts";
import { buildStyleSheets } from "@/deploy/build/style_sheets.ts";
import {
  announce,
  configOrExit,
  handleSignals,
  listenOptions,
} from "@/server/process/lifecycle.ts";
import { writeCommit } from "@/server/observability/commit.ts";
import { orExit, whyNotListening } from "@/server/process/start_failure.ts";

// Fresh would ask JSR for a newer version of itself.
Deno.env.set("FRESH_NO_UPDATE_CHECK", "true");

await buildStyleSheets();
await buildPusherJs();
await buildDocs();
await buildLanguageScripts();
const isBuild = Deno.args.includes("build");
// Fresh names a build by this variable, read when it is imported, or else at random.
if (isBuild && !Deno.env.get("DENO_DEPLOYMENT_ID")) {
  Deno.env.set("DENO_DEPLOYMENT_ID", await buildId());
}
const { Builder } = await import("fresh/dev");
const builder = new Builder({ target: "es2022" });

if (isBuild) {
  await builder.build();
  await buildSiteScript();
  await finishBrowserFiles();
  await writeCommit();
} else {
  await buildSiteScript();
  const config = configOrExit();
  if (config.workers > 1) console.log("WORKERS: one process serves while you develop");
  await orExit(listen(config), config, whyNotListening);
}

function listen(config: Config): Promise<void> {
  return builder.listen(() => import("@/main.ts"), {
    ...listenOptions(config),
    async onListen({ port }) {
      const { services } = await import("@/main.ts");
      // Clients reconnect after a change, so a restart need not wait for the drain.
      handleSignals(services, () => Promise.resolve(), 0);
      await services.onlineRecorder.begin();
      await announce(services, port);
    },
  });
}
