import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { childrenOf } from "./installation.ts";

// Loaded before tests of pages: they run on two worker processes with nothing beside them.
Rollcall.installer = async (settings, dataFolder, startServer) => {
  const first = await startServer({
    PORT: String(await reservePort()),
    WORKERS: "2",
    ...settings,
  }, dataFolder);
  const surroundings = {
    origins: [],
    processIds: () => childrenOf(first.pid),
    stop: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  };
  return { first, origin: first.origin, surroundings };
};
