import type { OnlineChanged } from "../live_view/changes.ts";
import type { Person } from "../live_view/person.ts";
import type { OnlineSnapshot } from "../live_view/publisher.ts";

/** Who is online, as of a version. */
export interface People {
  readonly version: number;
  readonly byId: ReadonlyMap<string, Person>;
  /** Open pages of them all. */
  readonly connections: number;
}

/** What a snapshot says. It replaces what was known, whatever that was. */
export function peopleOf({ version, people, connections }: OnlineSnapshot): People {
  return { version, byId: new Map(people.map((person) => [person.id, person])), connections };
}

/**
 * What is known after an event. Pure. The same object when the event is old news; null when events
 * are missing in between, and a new snapshot is needed.
 */
export function withChanges(before: People, changed: OnlineChanged): People | null {
  if (changed.version <= before.version) return before;
  if (changed.version !== before.version + 1) return null;
  const byId = new Map(before.byId);
  for (const change of changed.changes) {
    if (change.type === "joined") byId.set(change.person.id, change.person);
    if (change.type === "left") byId.delete(change.id);
    const known = change.type === "changed" ? byId.get(change.id) : undefined;
    if (change.type === "changed" && known) {
      const { id, connections, lastSeenAt } = change;
      byId.set(id, { ...known, connections, lastSeenAt });
    }
  }
  return { version: changed.version, byId, connections: changed.connections };
}
