import { announce, listenOptions, stopOnSignal } from "./lifecycle.ts";
import { services } from "./main.ts";

const { default: built } = await import("./_fresh/server.js").catch((error) => {
  if (!String(error).includes("_fresh/server.js")) throw error;
  console.error("The pages are not built yet: run `deno task build` first.");
  Deno.exit(1);
});

const server = Deno.serve({
  ...listenOptions(services.config),
  onListen: ({ port }) => announce(services, port),
}, built.fetch);

stopOnSignal(services, () => server.shutdown());
