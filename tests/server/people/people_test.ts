import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Session, User } from "@/server/accounts/accounts.ts";
import {
  changeName,
  changePassword,
  changeRole,
  disableUser,
  enableUser,
  endOtherSessions,
  endSession,
  followResetLink,
  resetPassword,
} from "@/server/people/manage_user.ts";
import { type KnownPerson, knownPerson, personHistory } from "@/server/people/known_person.ts";
import type { Services } from "@/server/services.ts";
import { block, disconnect, disconnectOptions, unblock } from "@/server/people/disconnect.ts";
import { readMessage, sendMessage, whyUnreachable } from "@/server/people/send_message.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import type { State } from "@/http/state.ts";
import { AdminActions } from "./admin_state.ts";

const ben: User = {
  id: "ben",
  name: "Ben",
  email: "ben@example.org",
  role: "admin",
  limits: null,
  disabled: false,
  language: null,
  createdAt: new Date(0),
};

describe("what an admin does to a user", () => {
  it("closes the user's connections right after a password reset", async () => {
    const actions = new AdminActions();
    assert.ok((await resetPassword(actions.state, "ben", "a new password")).ok);
    assert.deepEqual(actions.done, ["recorded password_reset", "stored", "closed ben with 4200"]);
  });

  it("closes the connections of who is no longer an admin, has a new one's signed again, and tells pages of the role", async () => {
    const actions = new AdminActions();
    await changeRole(actions.state, ben, "user");
    assert.deepEqual(actions.done.slice(2), ["closed ben with 4200", "told ben"]);
    assert.deepEqual(actions.entries[0].details, { before: "admin", after: "user" });
    const promotion = new AdminActions();
    await changeRole(promotion.state, { ...ben, role: "user" }, "admin");
    assert.deepEqual(promotion.done.slice(2), ["reconnected ben", "told ben"]);
  });

  it("closes connections with each permission that is lost, and has them signed again with each that is new", async () => {
    const changes = {
      "closed ben with 4200": [["admin", "moderator"], ["moderator", "viewer"], ["viewer", "user"]],
      "reconnected ben": [["user", "viewer"], ["viewer", "moderator"], ["moderator", "admin"]],
      "told ben": [["viewer", "viewer"]],
    } as const;
    for (const [done, roles] of Object.entries(changes)) {
      for (const [before, after] of roles) {
        const actions = new AdminActions();
        assert.ok((await changeRole(actions.state, { ...ben, role: before }, after)).ok);
        assert.equal(actions.done[2], done, `${before} to ${after}`);
      }
    }
  });

  it("refuses a role that does not exist, and changes nothing", async () => {
    const actions = new AdminActions();
    assert.equal((await changeRole(actions.state, ben, "owner")).ok, false);
    assert.deepEqual(actions.done, []);
  });

  it("closes the connections of a disabled user for good", async () => {
    const actions = new AdminActions();
    assert.ok((await disableUser(actions.state, "ben", { openPages: 2 })).ok);
    assert.deepEqual(actions.done, ["recorded user_disabled", "stored", "closed ben"]);
    assert.deepEqual(actions.entries[0].details, { openPages: 2 });
  });

  it("cannot disable the admin's own account", async () => {
    const actions = new AdminActions();
    const result = await disableUser(actions.state, "ada");
    assert.equal(result.ok ? "" : result.reason, "yourself");
    assert.deepEqual(actions.done, []);
  });

  it("lets a user sign in again", async () => {
    const actions = new AdminActions();
    assert.ok((await enableUser(actions.state, "ben")).ok);
    assert.deepEqual(actions.done, ["recorded user_enabled", "stored"]);
  });
});

describe("a link that resets a password", () => {
  it("closes the connections of its user, and is recorded as their own action", async () => {
    const actions = new AdminActions();
    const input = { token: "x", password: "a new password" };
    assert.ok((await followResetLink(actions.state, input)).ok);
    assert.deepEqual(actions.done, ["recorded reset_link_used", "stored", "closed ben with 4200"]);
    assert.equal(actions.entries[0].actor.id, "ben");
  });
});

const { state: { session } } = new AdminActions();
const own = session as Session;
const change = { current: "present", password: "a new password", endsOthers: true };

describe("what users do to their own account", () => {
  it("closes the connections of the sessions that a new password ends, with code 4200", async () => {
    const actions = new AdminActions();
    assert.ok((await changePassword(actions.state, own, change)).ok);
    assert.deepEqual(actions.done, [
      "recorded password_changed",
      "stored",
      "closed session one with 4200",
      "closed session two with 4200",
    ]);
  });

  it("closes the connections of one session that is ended, if it was open", async () => {
    const actions = new AdminActions();
    assert.equal(await endSession(actions.state, own, "one"), true);
    assert.deepEqual(actions.done, ["ended one of ada", "closed session one with 4200"]);
    assert.equal(await endSession(actions.state, own, "of another"), false);
    assert.deepEqual(actions.done.slice(2), []);
  });

  it("closes the connections of all other sessions", async () => {
    const actions = new AdminActions();
    await endOtherSessions(actions.state, own);
    const closed = ["closed session one with 4200", "closed session two with 4200"];
    assert.deepEqual(actions.done, ["ended all of ada but session", ...closed]);
  });

  it("records a new name, and has admins' pages show it", async () => {
    const actions = new AdminActions();
    assert.ok((await changeName(actions.state, own, " Ada Lovelace ")).ok);
    assert.deepEqual(actions.done, ["recorded name_changed", "stored", "told ada"]);
    const [{ actor, details }] = actions.entries;
    assert.deepEqual([actor.name, details], ["Ada", { newName: "Ada Lovelace" }]);
  });
});

const guestId = `guest-${"3f2a".repeat(8)}`;

function person(id: string, kind: KnownPerson["kind"], isOnline = true): KnownPerson {
  const presence = { userId: id, since: 0, connections: 3, lastSeenAt: 0 };
  return {
    id,
    kind,
    name: id,
    role: null,
    account: null,
    lastSeenAt: null,
    isBlocked: false,
    isPartial: false,
    seenIn: undefined,
    channels: [],
    presence: isOnline ? presence : null,
  };
}

describe("disconnecting and blocking", () => {
  it("is recorded before connections are closed", async () => {
    const actions = new AdminActions();
    assert.equal(await disconnect(actions.state, person("ben", "user")), null);
    assert.deepEqual(actions.done, ["recorded member_removed", "closed ben"]);
    assert.deepEqual(actions.entries[0].details, { openPages: 3 });
  });

  it("closes a guest's connections once the guest is blocked, who else would come back", async () => {
    const actions = new AdminActions();
    const { promise, resolve } = Promise.withResolvers<void>();
    actions.stored = promise;
    const blocked = block(actions.state, person(guestId, "guest"));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    assert.deepEqual(actions.done, ["recorded guest_blocked"]);
    resolve();
    assert.equal(await blocked, null);
    assert.deepEqual(actions.done.slice(1), ["blocked", `closed ${guestId}`]);
  });

  it("disables a user who is blocked", async () => {
    const actions = new AdminActions();
    assert.equal(await block(actions.state, person("ben", "user")), null);
    assert.deepEqual(actions.done, ["recorded user_disabled", "stored", "closed ben"]);
  });

  it("is refused to a moderator for an account that sees people: such a person can only be disconnected", async () => {
    const { state } = new AdminActions();
    const moderator = { ...state.session!, user: { ...ben, id: "mo", role: "moderator" } };
    const acting = { ...state, session: moderator } as State;
    for (const role of ["viewer", "moderator", "admin"] as const) {
      const colleague = { ...person("ben", "user"), role };
      assert.equal(await block(acting, colleague), "admins_only");
      assert.equal(disconnectOptions(acting, colleague).disconnect, null);
      assert.equal(disconnectOptions(state, colleague).block, null);
    }
    assert.equal(disconnectOptions(acting, { ...person("ben", "user"), role: "user" }).block, null);
  });

  it("blocks no one for a moderator who may see only a channel of the app, in which they can be disconnected", async () => {
    const { done, state } = new AdminActions();
    const limits = [{ app: state.served.own.id, channel: "presence-desk" }];
    const user = { ...ben, id: "mo", role: "moderator", limits } as const;
    const acting = { ...state, session: { id: "session", user } };
    for (const kind of ["user", "guest", "foreign"] as const) {
      const someone = { ...person("7", kind), isPartial: true };
      assert.deepEqual(disconnectOptions(acting, someone), { disconnect: null, block: "limited" });
      assert.equal(await block(acting, someone), "limited");
      assert.equal(await unblock(acting, someone), "limited");
    }
    assert.deepEqual(done, []);
  });

  it("is refused for oneself, and for people who are not online", async () => {
    const { state, done } = new AdminActions();
    const self = person("ada", "user");
    assert.deepEqual(disconnectOptions(state, self), { disconnect: "yourself", block: "yourself" });
    assert.equal(await disconnect(state, self), "yourself");
    assert.equal(await block(state, self), "yourself");
    assert.equal(await disconnect(state, person("ben", "user", false)), "not_online");
    assert.deepEqual(done, []);
  });

  it("blocks a person of the operator's own app there, with the reason", async () => {
    const actions = new AdminActions();
    const bo = person("42", "foreign");
    assert.equal(await block(actions.state, bo, " You broke\nthe rules "), null);
    assert.deepEqual(actions.done, ["recorded person_blocked", "blocked 42 in 1"]);
    assert.deepEqual(actions.entries[0].details, { reason: "You broke the rules" });
    assert.equal(await block(actions.state, bo, "x".repeat(201)), "invalid_reason");
    actions.isFull = true;
    assert.equal(await block(actions.state, bo), "too_many_blocked");
    assert.equal(await unblock(actions.state, bo), null);
    assert.deepEqual(actions.done.slice(2), ["recorded person_unblocked", "unblocked 42 in 1"]);
  });
});

const knownBen = { id: "ben", kind: "user", name: "Ben" } as KnownPerson;

/** A request of an admin, and what it broadcast. */
function simulate({ waitSeconds = 0 } = {}) {
  const actions = new AdminActions();
  const sent: unknown[][] = [];
  const state = Object.assign(actions.state, {
    sendingLimit: { take: () => waitSeconds },
    broadcast: (...event: unknown[]) => sent.push(event),
  }) as State;
  Object.assign(state.allServers, {
    isOccupied: (channel: string) => Promise.resolve(channel === "private-rollcall.users.ben"),
  });
  return { actions, sent, state };
}

describe("a message of an admin", () => {
  it("goes to the pages of its reader, but not to the one that sent it", async () => {
    const { actions, sent, state } = simulate();
    assert.ok((await sendMessage(state, knownBen, { text: "Hi", except: "1.2" })).ok);
    const [[channel, name, message, options]] = sent;
    assert.deepEqual([channel, name, options], [
      "private-rollcall.users.ben",
      "MessageSent",
      { except: "1.2" },
    ]);
    const { from, text } = message as Record<string, string>;
    assert.deepEqual([from, text], ["Ada", "Hi"]);
    assert.deepEqual(actions.done, ["recorded message_sent"]);
    assert.deepEqual(actions.entries[0].details, { text: "Hi" });
  });

  it("goes to everyone online, whatever the page calls itself", async () => {
    const { actions, sent, state } = simulate();
    await sendMessage(state, null, { text: "Hi", except: "not a socket" });
    assert.deepEqual([sent[0][0], sent[0][3]], ["presence-chart", { except: null }]);
    assert.deepEqual(actions.done, ["recorded message_sent_to_all"]);
  });

  it("is neither sent nor recorded when the admin sends too fast", async () => {
    const { actions, sent, state } = simulate({ waitSeconds: 3 });
    const refused = await sendMessage(state, knownBen, { text: "Hi", except: null });
    assert.deepEqual([refused.ok, sent, actions.done], [false, [], []]);
    assert.equal(refused.ok ? 0 : refused.retryAfterSeconds, 3);
  });

  it("is refused before the confirmation when it is empty or its reader has gone", async () => {
    const reasonOf = async (text: string, to: KnownPerson | null) => {
      const read = await readMessage(simulate().state, to, text);
      return read.ok ? read.text : read.reason;
    };
    assert.equal(await reasonOf("Hi", knownBen), "Hi");
    assert.equal(await reasonOf("", knownBen), "invalid");
    assert.equal(await reasonOf("Hi", { ...knownBen, id: "cleo" }), "unreachable");
    assert.equal(await reasonOf("Hi", null), "Hi");
  });

  it("cannot be sent to one person while the servers do not reach each other", async () => {
    const { state } = simulate();
    state.allServers.isOccupied = () => Promise.reject(new Unavailable());
    assert.match(await whyUnreachable(state, knownBen) ?? "", /cannot reach each other/);
  });

  it("cannot be sent to a person of another application, which shows none", async () => {
    const { state } = simulate();
    const refused = await whyUnreachable(state, person("ben", "foreign"));
    assert.match(refused ?? "", /in your own app/);
  });
});

const guest = { id: `guest-${"0".repeat(32)}`, kind: "guest", presence: null };
const user = { id: "a".repeat(32), kind: "user", presence: null };
const foreigner = { id: "7", kind: "foreign", presence: {} };

describe("with an external Pusher server", () => {
  // It has what the actions use of a state, and nothing else.
  const state = {
    config: { pusher: { cluster: "eu" } },
    served: { own: { id: "1" } },
    session: { user: { id: "b".repeat(32), role: "admin", limits: null } },
    allServers: { isOccupied: () => Promise.resolve(true) },
  } as unknown as State;
  const options = (person: unknown) => disconnectOptions(state, person as KnownPerson);

  it("no person can be disconnected; users and guests can be blocked", () => {
    assert.deepEqual(options(user), { disconnect: "other_server", block: null });
    assert.deepEqual(options(guest), { disconnect: "other_server", block: null });
    assert.deepEqual(options(foreigner), { disconnect: "other_server", block: "other_server" });
  });

  it("no message can be sent", async () => {
    for (const person of [user, guest, foreigner, null]) {
      assert.match(
        await whyUnreachable(state, person as KnownPerson) ?? "",
        /external Pusher server/,
      );
    }
  });
});

describe("a person whom the activity log knows", () => {
  it("is known by the latest entry alone, for every action, and has a history where it is shown", async () => {
    const limits: number[] = [];
    const entries = Array.from({ length: 20 }, (_, number) => (
      { userId: "7", name: "Ann Ek", at: 1_000 - number, change: number % 2 ? "joined" : "left" }
    ));
    const services = {
      accounts: { find: () => Promise.resolve(null) },
      apps: {},
      blockedPeople: { reasonOf: () => undefined },
      config: { activityDays: 30 },
      counted: [],
      onlineRecorder: {
        activityOf(_id: string, { limit }: { limit: number }) {
          limits.push(limit);
          return Promise.resolve(entries.slice(0, limit));
        },
      },
      served: { own: { id: "1" } },
    } as unknown as Services;
    const person = await knownPerson(services, "7");
    assert.ok(person);
    assert.deepEqual([person.name, person.lastSeenAt, limits], ["Ann Ek", 1_000, [1]]);
    const { activity } = await personHistory(services, person);
    assert.deepEqual([activity.length, limits], [10, [1, 500]]);
  });
});
