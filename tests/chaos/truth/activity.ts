/** An entry of the log of joins and leaves that servers store. */
export interface StoredChange {
  readonly user: string;
  readonly change: "joined" | "left";
}

/** The log of one room, read bit by bit. */
export class ActivityLog {
  #present = new Set<string>();

  /**
   * Compares entries that were added with the users who are there now.
   *
   * @returns a sentence for each entry that repeats the previous one, and for what the last ones are wrong
   * about
   */
  compare(
    added: readonly StoredChange[],
    there: ReadonlySet<string>,
  ): { doubles: string[]; wrong: string[] } {
    const present = new Set(this.#present);
    const doubles: string[] = [];
    for (const { change, user } of added) {
      if (present.has(user) === (change === "joined")) doubles.push(`${user} ${change} twice`);
      if (change === "joined") present.add(user);
      else present.delete(user);
    }
    const wrong = [
      ...[...present].filter((user) => !there.has(user)).map((user) => `${user} has not left`),
      ...[...there].filter((user) => !present.has(user)).map((user) => `${user} has not joined`),
    ];
    return { doubles, wrong };
  }

  /** From now on, these users are known to be there. */
  accept(there: ReadonlySet<string>): void {
    this.#present = new Set(there);
  }
}
