import type { Ending } from "../bounds.ts";
import { ListView } from "../truth/views.ts";
import type { Reception, SentChange, Visit } from "../truth/records.ts";
import type { Witness } from "./witness.ts";

/** The rooms of a tab: when it was in each of them, and the list that its frames make. */
export class RoomVisits {
  readonly #user: string;
  readonly #rooms: readonly string[];
  readonly #witness: Witness;
  readonly #current = new Map<string, { readonly visit: Visit; readonly view: ListView }>();

  constructor(user: string, rooms: readonly string[], witness: Witness) {
    this.#user = user;
    this.#rooms = rooms;
    this.#witness = witness;
  }

  /** Whether all rooms have their list. */
  get areListed(): boolean {
    return this.#rooms.every((room) => this.users(room));
  }

  /** The list of a room; undefined before it came. */
  users(room: string): ReadonlySet<string> | undefined {
    return this.#current.get(room)?.view.users;
  }

  /** The client asks to join. @param server the place of the server that it asks */
  asked(room: string, server: string): void {
    const visit: Visit = { user: this.#user, room, server, askedAt: performance.now() };
    this.#current.set(room, { visit, view: new ListView() });
    this.#witness.asked(visit);
  }

  /** The list of a room came. @returns what is wrong with it */
  listed(room: string, data: unknown, reception: Reception): string | undefined {
    const current = this.#current.get(room);
    const problem = current
      ? current.view.listed(data, this.#user)
      : "was sent a list without asking";
    if (current) current.visit.joinedAt = reception.at;
    this.#witness.listed({ ...reception, users: [...current?.view.users ?? []], room });
    return problem;
  }

  /** A change of a room's list came. @returns what is wrong with it */
  changed(
    room: string,
    type: SentChange["type"],
    data: unknown,
    reception: Reception,
  ): string | undefined {
    const { user_id: user } = data as { user_id: string };
    this.#witness.changed({ ...reception, type, user, room });
    const view = this.#current.get(room)?.view;
    return view ? view.changed(type, data) : `was sent member_${type} of no room`;
  }

  /** The tab is in a room no more. */
  end(room: string, ending: Ending): void {
    const visit = this.#current.get(room)?.visit;
    this.#current.delete(room);
    if (visit) Object.assign(visit, { endedAt: performance.now(), ending });
  }

  /** The tab is in none of its rooms any more. */
  endAll(ending: Ending): void {
    for (const room of this.#rooms) this.end(room, ending);
  }
}
