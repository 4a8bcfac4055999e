import { secondsText, wait } from "../time.ts";
import { during, type FaultKind } from "./fault.ts";

const places = ["Redis"];
const losesAll = { losesData: true, losesUsers: true } as const;

/** What happens to Redis itself. */
export const redisFaults: readonly FaultKind[] = [
  frozen("Redis frozen"),
  restarted("Redis killed, started with its data", false),
  restarted("Redis killed, started empty", true),
  {
    name: "Redis emptied",
    plan({ installation: { redis }, witness }) {
      return {
        text: "by FLUSHALL",
        places,
        run: () => during(witness, { name: "Redis emptied", ...losesAll }, () => redis.flushAll()),
      };
    },
  },
  {
    name: "replica takes over",
    plan({ bounds, installation: { redis }, witness }, random) {
      const lagMs = random.between(100, 1_500);
      const ms = random.between(0, 0.6) * bounds.leaseMs;
      return {
        text: `${secondsText(lagMs)} behind, ${secondsText(ms)} after the end of the master`,
        places,
        async run() {
          redis.hold();
          await wait(lagMs);
          await during(witness, { name: "replica takes over", ...losesAll }, async () => {
            await redis.kill();
            await wait(ms);
            await redis.takeOver();
          });
          await redis.repair();
        },
      };
    },
  },
  {
    name: "CLIENT KILL",
    plan({ installation: { redis }, witness }, random) {
      const type = random.pick(["normal", "pubsub"]);
      return {
        text: `TYPE ${type}`,
        places,
        run: () => during(witness, { name: "CLIENT KILL" }, () => redis.killClients(type)),
      };
    },
  },
];

/** What happens to the coordinator that workers have in the place of Redis. */
export const coordinatorFaults: readonly FaultKind[] = [
  frozen("coordinator frozen"),
  restarted("coordinator killed", true),
];

function frozen(name: string): FaultKind {
  return {
    name,
    plan({ bounds, installation: { shared }, witness }, random) {
      const ms = random.between(0.05, 1.8) * bounds.leaseMs;
      return {
        text: `for ${secondsText(ms)}`,
        places,
        run: () =>
          during(witness, { name }, async () => {
            shared.freeze();
            await wait(ms);
            shared.thaw();
          }),
      };
    },
  };
}

function restarted(name: string, isEmpty: boolean): FaultKind {
  return {
    name,
    plan({ bounds, installation: { shared }, witness }, random) {
      const ms = random.between(0, 1.5) * bounds.leaseMs;
      return {
        text: `after ${secondsText(ms)}`,
        places,
        run: () =>
          during(witness, { name, losesData: true, losesUsers: isEmpty }, async () => {
            await shared.kill();
            await wait(ms);
            await shared.restart(isEmpty);
          }),
      };
    },
  };
}
