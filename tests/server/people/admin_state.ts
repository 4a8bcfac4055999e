import type { AuditEntry } from "@/server/audit/audit_log.ts";
import type { Session } from "@/server/accounts/accounts.ts";
import type { Role } from "@/shared/permissions.ts";
import type { State } from "@/http/state.ts";

/** What an admin's action did, in its order: calls of the admin log, the database and the sockets. */
export class AdminActions {
  readonly done: string[] = [];
  /** The entries of the admin log. */
  readonly entries: AuditEntry[] = [];
  /** Whether an app has as many blocked people as it may. */
  isFull = false;
  /** What the database waits for before it stores something. */
  stored: Promise<void> = Promise.resolve();

  /** The state of a request of the admin `ada`, with an app whose sockets only record their closing. */
  readonly state = {
    session: { id: "session", user: { id: "ada", name: "Ada", role: "admin", limits: null } },
    config: { pusher: {} },
    auditLog: {
      append: (entry: AuditEntry) => {
        this.entries.push(entry);
        this.done.push(`recorded ${entry.action}`);
        return Promise.resolve();
      },
    },
    accounts: {
      resetPassword: (id: string, _: string, inTransaction: InTransaction) =>
        this.#store(id, inTransaction),
      setRole: (id: string, _: string, inTransaction: InTransaction) =>
        this.#store(id, inTransaction),
      setDisabled: (id: string, _: boolean, inTransaction: InTransaction) =>
        this.#store(id, inTransaction),
      changeOwnName: (id: string, _: string, inTransaction: InTransaction) =>
        this.#store(id, inTransaction),
      changeOwnPassword: async (
        { user: { id } }: Session,
        _: unknown,
        inTransaction: InTransaction,
      ) => ({
        ...await this.#store(id, inTransaction),
        value: ["one", "two"],
      }),
      endSession: (user: string, id: string) => {
        if (id !== "one") return Promise.resolve(false);
        this.done.push(`ended ${id} of ${user}`);
        return Promise.resolve(true);
      },
      endOtherSessions: (user: string, kept: string) => {
        this.done.push(`ended all of ${user} but ${kept}`);
        return Promise.resolve(["one", "two"]);
      },
      links: {
        follow: async (_: unknown, __: string, inTransaction: InTransaction) => ({
          ...await this.#store("ben", inTransaction),
          value: { id: "ben" },
        }),
      },
    },
    database: {
      exclusively: async () => {
        await this.stored;
        this.done.push("blocked");
      },
    },
    served: { own: { id: "1" } },
    blockedPeople: {
      block: async (
        person: { appId: string; userId: string },
        inTransaction: (transaction: unknown) => Promise<void>,
      ) => {
        if (this.isFull) return false;
        await inTransaction(null);
        this.done.push(`blocked ${person.userId} in ${person.appId}`);
        return true;
      },
      unblock: async (appId: string, id: string, inTransaction: InTransaction) => {
        await inTransaction(null, { id, name: "Bo" });
        this.done.push(`unblocked ${id} in ${appId}`);
        return true;
      },
    },
    allServers: {
      closeUser: (id: string, { code }: { code?: number }) => {
        this.done.push(`closed ${id}${code === undefined ? "" : ` with ${code}`}`);
        return 1;
      },
      reconnectUser: (id: string) => this.done.push(`reconnected ${id}`),
      closeSession: (id: string, { code }: { code?: number }) => {
        this.done.push(`closed session ${id} with ${code}`);
        return 1;
      },
    },
    liveView: { identityChanged: (id: string) => this.done.push(`told ${id}`) },
    // The actions use nothing else of a state.
  } as unknown as State;

  async #store(id: string, inTransaction: InTransaction) {
    await inTransaction(null, { id, name: "Ben", role: "user" });
    await this.stored;
    this.done.push("stored");
    return { ok: true, value: undefined };
  }
}

type InTransaction = (
  transaction: unknown,
  target: { id: string; name: string; role?: Role },
) => Promise<void>;
