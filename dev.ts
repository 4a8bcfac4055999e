import { Builder } from "fresh/dev";
import { announce, configOrExit, listenOptions, stopOnSignal } from "./lifecycle.ts";

const builder = new Builder({ target: "es2022" });

if (Deno.args.includes("build")) {
  await builder.build();
} else {
  await builder.listen(() => import("./main.ts"), {
    ...listenOptions(configOrExit()),
    async onListen({ port }) {
      const { services } = await import("./main.ts");
      // A restart after a change is not to be waited for.
      stopOnSignal(services, () => Promise.resolve(), 0);
      await announce(services, port);
    },
  });
}
