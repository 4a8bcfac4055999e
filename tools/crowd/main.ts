import { configOrExit } from "@/server/process/lifecycle.ts";
import { openDatabase } from "@/server/database/database.ts";
import { installationSecrets } from "@/server/config/installation_secrets.ts";
import { servesHttps } from "@/server/config/config.ts";
import { defaultLimits } from "@/realtime/options.ts";
import { DemoUser } from "./demo_user.ts";

/**
 * `deno task crowd N`: N demo users who come, open second tabs, leave and come again, so that
 * a newcomer sees the number move. It signs with the server's own secret, so it runs in the server's
 * folder and with the server's settings. Ctrl-C ends it, and all users leave.
 */
const size = Number(Deno.args[0] ?? "50");
if (!Number.isInteger(size) || size < 1 || size > 2_000) {
  console.error(`deno task crowd N: N is a whole number from 1 to 2000, not ${Deno.args[0]}`);
  Deno.exit(2);
}

const config = configOrExit();
const database = await openDatabase(config);
const { apps: [pusherApp] } = await installationSecrets(config, database);
await database.close();
const address = {
  host: "127.0.0.1",
  port: config.port,
  secure: config.tls !== undefined && servesHttps(config),
};

const { maxConnectionsPerAddress: limit = defaultLimits.maxConnectionsPerAddress } = config;
if (limit > 0 && 2 * size > limit) {
  console.log(
    `The server admits ${limit} tabs: start it with MAX_CONNECTIONS_PER_ADDRESS=0 for more`,
  );
}

const users = Array.from({ length: size }, (_, index) => new DemoUser(index, pusherApp, address));
for (const user of users) user.live();

const unreached = `Nothing admits them at ${address.host}:${address.port} as the app ` +
  `${pusherApp.key}: is the server running, and has this command the same settings ` +
  `(${["PORT", "DATA_DIR", "DATABASE_URL", "PUSHER_APP_KEY"].join(", ")})?`;

const report = setInterval(() => {
  const online = users.filter((user) => user.tabsOnline > 0).length;
  const tabs = users.reduce((sum, user) => sum + user.tabsOnline, 0);
  console.log(`${online} of ${size} demo users online, ${tabs} tabs`);
  if (online === 0) console.log(unreached);
}, 2_000);

Deno.addSignalListener("SIGINT", () => {
  clearInterval(report);
  for (const user of users) user.leave();
  Deno.exit(0);
});
