/**
 * Five weeks of a shop that does not exist, so that a demo has something to show where an installation has a
 * past: how days and weeks go by, who came and went, days to compare, a record, deploys, and a time that was not
 * recorded.
 *
 * People come and go in a simulation, by the minute; joins and leaves become the activity, and the number, measured
 * as a server measures it, becomes the history. So all of them agree. Days are summed up by the code that does it
 * in an installation.
 *
 * @module
 */
import type { Database } from "../database/database.ts";
import { type ActivityEntry, ActivityLog } from "../activity/activity_log.ts";
import { rollUp } from "../history/daily_numbers.ts";
import { addMark } from "../history/marks.ts";
import {
  dayMs,
  type Interval,
  merged,
  MinuteMeasure,
  minuteMs,
  startOfInterval,
} from "../history/minute_measure.ts";
import { History, resolutions } from "../history/stored_history.ts";
import { onlineKey } from "@/shared/counted.ts";
import { demoGuest, type DemoPerson, demoUser } from "./demo_people.ts";
import { Random } from "./random.ts";

/** How far back the past of a demo reaches, in days. */
export const pastDays = 35;

/** How many users the shop has, of whom some are online. */
export const shopUsers = 400;

/** How many are online on a usual afternoon at the end of the past. */
const usualMost = 44;

/** The share of guests among those who come. */
export const guestShare = 0.25;

/** Entries of the activity that are stored at a time. */
const storedAtOnce = 2_000;

/** When a crowd came, and when nothing was recorded: how many days before now, at which hour, and for how long. */
const rush = { days: 12, hour: 14, lengthMs: 180 * minuteMs };
const gap = { days: 20, hour: 3, lengthMs: 50 * minuteMs };

/** Those still online at the end leave within this time before now, rather than all at once. */
const lastMs = 10 * minuteMs;

/**
 * How many people are online at a time, in the time zone of the process: most in the afternoon, fewest at night,
 * fewer at weekends, and more from week to week.
 *
 * @param now until when the shop has grown.
 */
export function expectedOnline(at: number, now: number): number {
  const date = new Date(at);
  const hour = date.getHours() + date.getMinutes() / 60;
  const day = 0.45 + 0.55 * (1 - Math.cos((hour - 4) / 12 * Math.PI)) / 2;
  const week = [0, 6].includes(date.getDay()) ? 0.75 : 1;
  const grown = 1 - 0.3 * (now - at) / (pastDays * dayMs);
  const restless = 1 + 0.06 * Math.sin(at / (4 * minuteMs)) + 0.05 * Math.sin(at / (17 * minuteMs));
  const begun = (at - timeBefore(now, rush)) / rush.lengthMs;
  const rushed = begun > 0 && begun < 1 ? 1 + 0.6 * Math.sin(begun * Math.PI) : 1;
  return Math.round(usualMost * day * week * grown * restless * rushed);
}

/** An hour of a day before now, in the time zone of the process. */
function timeBefore(now: number, { days, hour }: { days: number; hour: number }): number {
  return new Date(now - days * dayMs).setHours(hour, 0, 0, 0);
}

/** Someone joined or left at a time. */
interface Change {
  at: number;
  person: DemoPerson;
  change: "joined" | "left";
}

/** Who came and went, in order, and the number in each minute. */
function simulate(now: number): { changes: Change[]; minutes: Interval[] } {
  const random = new Random(35);
  const start = startOfInterval(now - pastDays * dayMs, minuteMs);
  const gapStart = timeBefore(now, gap);
  const online = new Map<DemoPerson, number>();
  const users = Array.from({ length: shopUsers }, (_, index) => demoUser(index));
  const measure = new MinuteMeasure({ users: 0, connections: 0 }, start);
  const changes: Change[] = [];
  const minutes: Interval[] = [];
  // The first guests are those of the demo itself, who come back.
  let guests = 1_000;
  let guestsOnline = 0;
  const come = (at: number) => {
    let person = random.happens(guestShare) ? demoGuest(guests++) : random.pick(users);
    while (online.has(person)) person = random.pick(users);
    const lengthMs = Math.round(minuteMs * Math.min(2 - 58 * Math.log(1 - random.next()), 300));
    online.set(person, at + lengthMs);
    return { at, person, change: "joined" as const };
  };
  for (let at = start; at + minuteMs <= now; at += minuteMs) {
    const isGap = at >= gapStart && at < gapStart + gap.lengthMs;
    const ended = [...online].filter(([, until]) => isGap || until < at + minuteMs);
    const left = ended.map(([person, until]): Change => {
      online.delete(person);
      return { at: Math.max(at, Math.min(until, at + minuteMs - 1)), person, change: "left" };
    });
    const missing = isGap ? 0 : Math.max(0, expectedOnline(at, now) - online.size);
    const joined = Array.from({ length: missing }, () => come(at + random.whole(0, minuteMs - 1)));
    const ofMinute = [...left, ...joined].sort((one, other) => one.at - other.at);
    let number = online.size - joined.length + left.length;
    for (const { at, person, change } of ofMinute) {
      const step = change === "joined" ? 1 : -1;
      number += step;
      if (!person.options) guestsOnline += step;
      if (!isGap) minutes.push(...measure.change(countsOf(number, guestsOnline), at));
    }
    changes.push(...ofMinute);
    if (!isGap) minutes.push(...measure.advance(at + minuteMs));
  }
  for (const person of online.keys()) {
    const joinedAt = changes.findLast((change) => change.person === person)!.at;
    const at = Math.round(random.between(Math.max(joinedAt, now - lastMs), now));
    changes.push({ at, person, change: "left" });
  }
  return { changes: changes.sort((one, other) => one.at - other.at), minutes };
}

/** Some have two tabs open, and most use one. */
function countsOf(users: number, guests: number) {
  return {
    users,
    guests,
    connections: Math.round(users * 1.2),
    active: Math.round(users * 0.7),
  };
}

function entryOf({ at, person: { id, options }, change }: Change): ActivityEntry {
  const kind = options ? "foreign" as const : "guest" as const;
  const visit = { channel: onlineKey, at, userId: id, kind, name: options?.name ?? null };
  return change === "joined" ? { ...visit, change } : { ...visit, change, reason: "closed" };
}

/** Stores minutes as a server stores them one by one, but with a thousandth of the statements. */
async function storeMinutes(database: Database, minutes: Interval[], now: number): Promise<void> {
  const rows = resolutions.flatMap(({ intervalMs, keptMs }) => {
    const byStart = new Map<number, Interval>();
    for (const minute of minutes) {
      if (minute.startsAt < now - keptMs) continue;
      const startsAt = startOfInterval(minute.startsAt, intervalMs);
      const stored = byStart.get(startsAt);
      byStart.set(startsAt, stored ? merged(intervalMs, stored, minute) : { ...minute, startsAt });
    }
    const known = { channel: onlineKey, intervalMs, mostActive: null, guestsAtMost: null };
    return [...byStart.values()].map((interval) => ({ ...known, ...interval }));
  });
  await database.exclusively(async (transaction) => {
    for (let start = 0; start < rows.length; start += storedAtOnce) {
      const some = rows.slice(start, start + storedAtOnce);
      await transaction.insertInto("onlineInterval").values(some).execute();
    }
  });
}

/** What happened at the shop. */
const marks = [
  { days: 26, hour: 10, text: "Deployed 4.0.0" },
  { ...gap, text: "Moved to a larger server" },
  { days: 17, hour: 11, text: "Deployed 4.1.0" },
  { ...rush, text: "Newsletter sent" },
  { days: 5, hour: 10, text: "Deployed 4.2.0" },
  { days: 1, hour: 9, text: "Deployed 4.2.1" },
];

/**
 * Stores the past in the database of a demo, which has none.
 *
 * @param now in ms since 1970; the past ends there.
 */
export async function recordPast(
  database: Database,
  { timeZone, now }: { timeZone: string; now: number },
): Promise<void> {
  const { changes, minutes } = simulate(now);
  const history = new History(database);
  await storeMinutes(database, minutes, now);
  const activity = new ActivityLog(database);
  for (let start = 0; start < changes.length; start += storedAtOnce) {
    await activity.write(changes.slice(start, start + storedAtOnce).map(entryOf));
  }
  for (const { text, ...time } of marks) {
    const [id, at] = [crypto.randomUUID(), timeBefore(now, time)];
    await addMark(database, { id, at, text, createdBy: "Shop", app: null, channel: null }, at);
  }
  const source = { database, channel: onlineKey, history, timeZone, activityDays: pastDays };
  await rollUp(source, now, () => Promise.resolve(true));
}
