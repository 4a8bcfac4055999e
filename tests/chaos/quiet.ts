import { publish, usersOf } from "./api.ts";
import { type Crowd, eventChannels, rooms } from "./crowd/crowd.ts";
import type { Witness } from "./crowd/witness.ts";
import type { Simulation } from "./faults/fault.ts";
import { wait } from "./time.ts";
import { difference } from "./truth/views.ts";
import { promises } from "./truth/promises.ts";

/** How often is looked whether all agrees, in milliseconds. */
const everyMs = 100;

/** For how long all has to agree, in milliseconds. */
const agreesForMs = 1_000;

/**
 * Waits, while no one comes and goes and no fault happens, until every client's list on every server
 * equals the truth; then asks the servers and sends events.
 *
 * @returns how long that took, in milliseconds
 */
export async function settle(simulation: Simulation): Promise<number> {
  const { bounds, crowd, witness } = simulation;
  const start = performance.now();
  const out = () => crowd.tabs.filter((tab) => tab.isWanted && !tab.isIn);
  // Clients wait for an answer for 8 s, pusher-js for more, and a server may need a lease.
  const entered = await agrees(2 * bounds.leaseMs + 40_000, () => {
    const [tab] = out();
    return tab &&
      `${out().length} clients are not let in, such as ${tab.name} on ${
        tab.server?.name ?? "no server"
      }`;
  }, 0);
  if (entered) witness.violation(promises.letIn, entered);
  const deadlineMs = 2 * bounds.leaseMs + 15_000;
  const wrong = await agrees(deadlineMs, () => wrongLists(crowd, witness)[0]?.what, agreesForMs);
  const tookMs = performance.now() - start - agreesForMs;
  if (wrong) {
    const after = `When all was quiet for ${Math.round(tookMs / 1_000)} s`;
    for (const { what, who } of wrongLists(crowd, witness)) {
      witness.violation(promises.quietList, `${after}, ${what}`, who);
    }
  }
  await askServers(simulation);
  await sendEvents(simulation);
  return tookMs;
}

/** @returns what does not agree when the time is over */
async function agrees(
  deadlineMs: number,
  find: () => string | undefined,
  forMs: number,
): Promise<string | undefined> {
  const end = performance.now() + deadlineMs;
  let since: number | undefined;
  while (true) {
    const found = find();
    const now = performance.now();
    since = found ? undefined : since ?? now;
    if (since !== undefined && now - since >= forMs) return undefined;
    if (now > end && found) return found;
    await wait(everyMs);
  }
}

function wrongLists(crowd: Crowd, witness: Witness): { what: string; who: string }[] {
  const found: { what: string; who: string }[] = [];
  for (const room of rooms) {
    const there = witness.present(room);
    for (const tab of crowd.tabs) {
      for (const shown of [tab.shown(room), tab.ownList(room)]) {
        const wrong = shown && difference(shown, there);
        if (!wrong) continue;
        const who = `${tab.name} on ${tab.server?.name}`;
        found.push({ what: `the list of ${room} has ${wrong}`, who });
        break;
      }
    }
  }
  return found;
}

async function askServers({ installation, witness }: Simulation): Promise<void> {
  for (const server of installation.serving) {
    for (const room of rooms) {
      try {
        const wrong = difference(await usersOf(server, room), witness.present(room));
        const text = `the HTTP API of ${server.name} says of ${room}: ${wrong}`;
        if (wrong) witness.violation(promises.api, text);
      } catch (error) {
        const text = `the HTTP API of ${server.name} did not answer: ${error}`;
        witness.violation(promises.api, text);
      }
    }
  }
}

/** Each server sends an event, and all clients receive it. */
async function sendEvents({ installation, crowd, witness }: Simulation): Promise<void> {
  for (const server of installation.serving) {
    for (const channel of eventChannels) {
      const id = `quiet-${crypto.randomUUID()}`;
      const receivers = crowd.connected.filter((tab) => tab.isSubscribed(channel));
      try {
        await publish(server, channel, id);
      } catch (error) {
        witness.violation(promises.delivery, `${server.name} published no event: ${error}`);
        continue;
      }
      const missing = await agrees(5_000, () => {
        const order = witness.orders.get(channel);
        const tab = receivers.find((tab) => !order?.has(tab.connection, id));
        return tab &&
          `${tab.name} on ${tab.server?.name} did not receive an event of ${server.name} in ${channel}`;
      }, 0);
      if (missing) witness.violation(promises.delivery, missing);
    }
  }
}
