import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { backingOf, childrenOf } from "./installation.ts";

// Loaded before tests of pages: they run on two worker processes with one port, of which the system gives
// each connection to either.
Rollcall.installer = async (settings, dataFolder, startServer) => {
  const backing = await backingOf(dataFolder);
  const first = await startServer({
    PORT: String(await reservePort()),
    WORKERS: "2",
    ...backing.settings,
    ...settings,
  }, dataFolder);
  const surroundings = {
    databaseUrl: backing.settings.DATABASE_URL,
    origins: [],
    processIds: () => childrenOf(first.pid),
    stop: () => Promise.resolve(),
    remove: backing.remove,
  };
  return { first, origin: first.origin, surroundings };
};
