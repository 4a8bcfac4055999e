import "./fast_timers.cjs";
import current from "pusher-js";
import oldest from "pusher-js-4";

/**
 * A program: the oldest and the current pusher-js that Node has, on the port that is its argument. Their
 * timers run six times as fast. Prints `NAME STATE` at each change, where STATE is a state of
 * pusher-js, or `subscribed`.
 */
const [port, key] = Deno.args;

for (const [name, library] of Object.entries({ oldest, current })) {
  // deno-lint-ignore no-explicit-any -- the versions differ in their types
  const pusher = new (library as any)(key, {
    cluster: "self",
    wsHost: "127.0.0.1",
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ["ws"],
  });
  const report = (state: string) => console.log(`${name} ${state}`);
  pusher.connection.bind("state_change", (states: { current: string }) => report(states.current));
  pusher.subscribe("news").bind("pusher:subscription_succeeded", () => report("subscribed"));
}
