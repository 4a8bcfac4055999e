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
      stopOnSignal(services, () => Promise.resolve());
      await announce(services, port);
    },
  });
}
