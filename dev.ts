import { Builder } from "fresh/dev";
import type { Config } from "./config/config.ts";
import { announce, configOrExit, listenOptions, obeySignals } from "./process/lifecycle.ts";
import { orExit, whyNotListening } from "./process/start_failure.ts";

const builder = new Builder({ target: "es2022" });

if (Deno.args.includes("build")) await builder.build();
else {
  const config = configOrExit();
  await orExit(listen(config), config, whyNotListening);
}

function listen(config: Config): Promise<void> {
  return builder.listen(() => import("./main.ts"), {
    ...listenOptions(config),
    async onListen({ port }) {
      const { services } = await import("./main.ts");
      // A restart after a change is not to be waited for.
      obeySignals(services, () => Promise.resolve(), 0);
      await services.onlineRecorder.begin();
      await announce(services, port);
    },
  });
}
