import { z } from "zod";
import type { Witness } from "./crowd/witness.ts";
import { wait } from "./time.ts";
import { countedRoom, type Installation } from "./installation/installation.ts";
import { ActivityLog } from "./truth/views.ts";
import { promises } from "./truth/promises.ts";

const row = z.object({
  number: z.coerce.number(),
  userId: z.string(),
  change: z.enum(["joined", "left"]),
});

/** The joins and leaves that the servers have stored in their database. */
export class StoredActivity {
  /** Entries, over all time. */
  entries = 0;
  /** The longest time until all was stored, in milliseconds. */
  slowestMs = 0;
  readonly #installation: Installation;
  readonly #log = new ActivityLog();
  #number = 0;

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  /** Waits until what is stored is as the truth is. */
  async settle(witness: Witness, timeoutMs: number): Promise<void> {
    const start = performance.now();
    while (true) {
      const rows = await this.#added();
      const added = rows.map(({ change, userId }) => ({ change, user: userId }));
      const there = witness.present(countedRoom);
      const { doubles, wrong } = this.#log.compare(added, there);
      const tookMs = performance.now() - start;
      if (wrong.length > 0 && tookMs < timeoutMs) {
        await wait(200);
        continue;
      }
      this.slowestMs = Math.max(this.slowestMs, tookMs);
      for (const [what, found] of [["doubles", doubles], ["the end", wrong]] as const) {
        if (found.length === 0) continue;
        witness.violation(
          promises.activity,
          `the stored activity of ${countedRoom} is wrong, ${what}: ${
            found.slice(0, 8).join(", ")
          }`,
        );
      }
      this.entries += rows.length;
      this.#number = rows.at(-1)?.number ?? this.#number;
      return this.#log.accept(there);
    }
  }

  async #added(): Promise<z.infer<typeof row>[]> {
    const rows = await this.#installation.stored(
      `select number, "userId", change from attendance ` +
        `where channel = '${countedRoom}' and number > ${this.#number} order by number`,
    );
    return z.array(row).parse(rows);
  }
}
