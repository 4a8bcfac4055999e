import { BuiltApp } from "./built_app.ts";
import { ofOneServer } from "./one_server.ts";
import { describeRules } from "./proved_rules.ts";

/**
 * Their proofs count the subscribers of three connections at once, of which two are at one worker: each worker states
 * its number at most once a second. Three servers have one each.
 */
const ofFewSubscribers = ["api-channels.one", "api-events.info"];

describeRules("The Pusher protocol over two workers", () => BuiltApp.startWorkers(2), {
  without: new Set([...Object.keys(ofOneServer), ...ofFewSubscribers]),
});
