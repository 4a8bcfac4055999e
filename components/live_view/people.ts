import type {
  Change,
  OnlineChanged,
  OnlineSnapshot,
  Person,
  UserActivity,
} from "@/shared/online.ts";

/** Who is online, as of a version. */
export interface People {
  readonly epoch: string;
  readonly version: number;
  /** Replaced whenever a person changed. */
  readonly byId: ReadonlyMap<string, Person>;
}

/** The people of a snapshot. */
export function peopleOf(
  { epoch, version, people }: Pick<OnlineSnapshot, "epoch" | "version" | "people">,
): People {
  return { epoch, version, byId: new Map(people.map((person) => [person.id, person])) };
}

/**
 * The people after events; the same object when all events are older. Null when events are missing in
 * between, or come from another server than the list, and a new snapshot is needed. Pure.
 */
export function withChanges(before: People, ...events: readonly OnlineChanged[]): People | null {
  let { version } = before;
  const changes: Change[] = [];
  for (const event of events) {
    if (event.epoch !== before.epoch) return null;
    if (event.version <= version) continue;
    if (event.version !== version + 1) return null;
    version = event.version;
    changes.push(...event.changes.filter(({ type }) => type !== "activity"));
  }
  if (version === before.version) return before;
  if (changes.length === 0) return { ...before, version };
  // One copy for all events: there may be thousands of people.
  const byId = new Map(before.byId);
  for (const change of changes) apply(byId, change);
  return { ...before, version, byId };
}

function apply(byId: Map<string, Person>, change: Change): void {
  if (change.type === "joined") byId.set(change.person.id, change.person);
  if (change.type === "left") byId.delete(change.id);
  if (change.type !== "changed") return;
  const { id, connections, lastSeenAt, page, activity } = change;
  const person = byId.get(id);
  if (person) byId.set(id, { ...person, connections, lastSeenAt, page, activity });
}

/** What to show of a person's activity: nothing of who is leaving, with no tab left that could be in use. */
export function presentActivity<State extends UserActivity>(
  { connections, activity }: { connections: number; activity?: State },
): State | undefined {
  return connections === 0 ? undefined : activity;
}
