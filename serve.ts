import { announce, handleSignals, listenOptions } from "./process/lifecycle.ts";
import { services } from "./main.ts";
import { orExit, whyNotListening } from "./process/start_failure.ts";

const { default: built } = await import("./_fresh/server.js").catch((error) => {
  if (!String(error).includes("_fresh/server.js")) throw error;
  console.error("The pages are not built yet: run `deno task build` first.");
  Deno.exit(1);
});

const { config } = services;
const listening = Promise.try(() =>
  Deno.serve({ ...listenOptions(config), onListen() {} }, built.fetch)
);
const server = await orExit(listening, config, whyNotListening);
handleSignals(services, () => server.shutdown());
await services.onlineRecorder.begin();
await announce(services, server.addr.port);
