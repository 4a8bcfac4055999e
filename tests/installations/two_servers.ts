import { join } from "node:path";
import { secretsFileName } from "@/server/config/stored_secrets.ts";
import { FaultyProxy, type Head, isUpgrade, setHeader } from "../fixtures/faulty_proxy.ts";
import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { backingOf } from "./installation.ts";

// Loaded before tests of pages: they run on two servers behind a proxy, which sends each request to the
// next server in turn, and all sockets to the first.
Rollcall.installer = async (settings, dataFolder, startServer) => {
  const backing = await backingOf(dataFolder);
  const port = Number(settings.PORT ?? await reservePort());
  const shared = {
    APP_URL: `http://localhost:${port}`,
    TRUSTED_PROXIES: "127.0.0.1",
    ...backing.settings,
    ...settings,
    PORT: "0",
  };
  const [first, second] = await startBoth(
    () => startServer(shared, dataFolder),
    async () => startServer(shared, await folderWithSecretsOf(dataFolder)),
  );
  const addresses = [await first.listening(), await second.listening()];
  const proxy = await proxyTo(addresses, port, "TRUSTED_PROXIES" in settings);
  const surroundings = {
    databaseUrl: backing.settings.DATABASE_URL,
    origins: addresses.map((address) => address.replace("127.0.0.1", "localhost")),
    processIds: () => [second.pid],
    async stop() {
      await second[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
    remove: backing.remove,
  };
  return { first, origin: first.origin, surroundings };
};

/** A data folder of another server, which may be the one that puts the secrets into the database. */
async function folderWithSecretsOf(dataFolder: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
  await Deno.copyFile(join(dataFolder, secretsFileName), join(folder, secretsFileName));
  return folder;
}

/** Starts both at once, and ends the one that started where the other did not. */
async function startBoth(
  ...starts: (() => Promise<Rollcall>)[]
): Promise<Rollcall[]> {
  const outcomes = await Promise.allSettled(starts.map((start) => start()));
  const started = outcomes.flatMap((each) => each.status === "fulfilled" ? each.value : []);
  const failure = outcomes.find(({ status }) => status === "rejected");
  if (failure?.status !== "rejected") return started;
  for (const server of started) await server[Symbol.asyncDispose]();
  throw failure.reason;
}

/** @param trustsClients whether proxies before this one state the address of the client. */
async function proxyTo(
  addresses: readonly string[],
  port: number,
  trustsClients: boolean,
): Promise<FaultyProxy> {
  let requests = 0;
  const proxy = await FaultyProxy.to(addresses[0], { request: direct }, port);
  function direct(head: Head, clientAddress: string): void {
    proxy.target = isUpgrade(head) ? addresses[0] : addresses[requests++ % addresses.length];
    const stated = head.headers.find(([name]) => name.toLowerCase() === "x-forwarded-for")?.[1];
    const way = trustsClients && stated ? [stated, clientAddress] : [clientAddress];
    setHeader(head, "x-forwarded-for", way.join(", "));
  }
  return proxy;
}
