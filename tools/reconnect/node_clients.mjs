// Runs in Node: node node_clients.mjs PACKAGE PORT KEY COUNT. Prints "INDEX STATE" at each change, where
// STATE is a state of pusher-js, or `subscribed`.
import { createRequire } from "node:module";

const [folder, port, key, count] = process.argv.slice(2);
const loaded = createRequire(import.meta.url)(folder);
const Pusher = loaded.default ?? loaded;
const options = {
  wsHost: "127.0.0.1",
  wsPort: Number(port),
  forceTLS: false,
  cluster: "self",
  enabledTransports: ["ws"],
};

for (let index = 0; index < Number(count); index++) {
  const pusher = new Pusher(key, options);
  const report = (state) => console.log(`${index} ${state}`);
  pusher.connection.bind("state_change", ({ current }) => report(current));
  pusher.subscribe("news").bind("pusher:subscription_succeeded", () => report("subscribed"));
}
