import { z } from "zod";
import { apiPage } from "@/shared/api.ts";
import { numberText, onlineText } from "@/shared/text.ts";
import { ApiServer, Away, tokenText, urlFlag } from "../api_server.ts";
import { type Command, type CommandInput, UsageError } from "../command_line.ts";
import { printable, table } from "../help.ts";

/** How often a command that goes on asks, in milliseconds. */
const everyMs = 1_000;

/** The exit code of `wait` when the time is over. */
const timedOut = 3;

const personSchema = z.looseObject({
  id: z.string(),
  online_since: z.string(),
  status: z.string().nullable(),
  name: z.string().optional(),
  page: z.string().nullish(),
});

const answerSchema = z.looseObject({
  state: z.enum(["live", "recovering", "stale"]),
  users: z.number(),
  guests: z.number().optional(),
  active: z.number().nullable(),
  people: z.array(personSchema).optional(),
  next: z.string().nullish(),
});

const sentSchema = z.looseObject({ to: z.string().nullable() });

/** Who is online, by an answer of the API. */
type Online = z.infer<typeof answerSchema>;

const sourceFlags = {
  ...urlFlag,
  app: { value: "ID", about: "The app whose users are read; default: the first" },
  channel: { value: "NAME", about: "The counted channel; default: the first" },
};

const source = `Asks the API of a server, ${tokenText}.`;

/** `rollcall online` */
export const online: Command = {
  usage: "[--status active|idle] [--watch] [--json]",
  about: [
    "Prints how many are online, users and guests apart, and, as far as the token's scope goes, who they are.",
    source,
  ],
  flags: {
    status: { value: "STATUS", about: "Only the people who are active, or idle" },
    watch: { about: "Go on, and print the numbers whenever they change" },
    json: { about: "Print JSON; with --watch, a line for each change" },
    ...sourceFlags,
  },
  operands: [0, 0],
  async run({ flags }) {
    const server = serverOf(flags);
    if (flags.watch) return await watch(server, flags.json === true);
    const answer = await everyone(server, flags.status);
    if (flags.json) console.log(printable(JSON.stringify(answer, null, 2)));
    else console.log(printable([summaryOf(answer), ...peopleOf(answer)].join("\n")));
    return 0;
  },
};

const sentToAll = "Sent to everyone online. Your app's pages have to show it themselves.";

/** `rollcall message` */
export const message: Command = {
  usage: "TEXT [--to ID]",
  about: [
    "Sends a message to Rollcall's own pages of everyone online, or of one person, and to the operator's",
    "app, which has to show it. The message has the name of the token; it is in the admin log.",
    `Asks the API of a server, ${tokenText}, which needs the scope messages.`,
  ],
  flags: {
    to: { value: "ID", about: "The person who gets it; default: everyone online" },
    ...urlFlag,
  },
  operands: [1, 1],
  async run({ operands: [text], flags }) {
    const body = { text, ...typeof flags.to === "string" && { to: flags.to } };
    const { to } = await new ApiServer(flags).call("/messages", sentSchema, body);
    console.log(printable(to === null ? sentToAll : `Sent to ${to}.`));
    return 0;
  },
};

/** `rollcall wait` */
export const wait: Command = {
  usage: "--below N [--for SECONDS] [--timeout SECONDS]",
  about: [
    "Waits until fewer than N have been online for some seconds, guests included: before a deployment, say.",
    "A number that cannot be believed, and a server that does not answer, begin the seconds again.",
    `Exit code 0: it was quiet; ${timedOut}: it was not before the time was over.`,
    source,
  ],
  flags: {
    below: { value: "N", about: "It is quiet while fewer than this are online" },
    for: { value: "SECONDS", about: "How long it has to be quiet; default: 0" },
    timeout: { value: "SECONDS", about: "How long to wait at most; default: 600" },
    ...sourceFlags,
  },
  operands: [0, 0],
  async run({ flags }) {
    const quiet = new Quiet(wholeNumber(flags, "below"), 1_000 * wholeNumber(flags, "for", 0));
    const timeoutMs = 1_000 * wholeNumber(flags, "timeout", 600);
    const server = serverOf(flags);
    const begun = performance.now();
    while (true) {
      const answer = await server.answer().catch(onlyRefusals);
      const now = performance.now();
      if (quiet.isOver(answer?.state === "live" ? answer.users : null, now)) {
        console.log(printable(summaryOf(answer!)));
        return 0;
      }
      if (now - begun >= timeoutMs) {
        const last = answer ? summaryOf(answer) : "The server does not answer";
        console.error(printable(`rollcall: Not quiet within the time. ${last}`));
        return timedOut;
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  },
};

/** Whether the number online has been low for long enough. It knows no clock. */
export class Quiet {
  readonly #below: number;
  readonly #forMs: number;
  #since: number | undefined;

  /** @param below quiet is a number under it. */
  constructor(below: number, forMs: number) {
    this.#below = below;
    this.#forMs = forMs;
  }

  /**
   * Takes the number at a time, in milliseconds from any origin.
   *
   * @param users null when it cannot be believed, or is not known.
   * @returns whether it has been quiet for as long as it has to be.
   */
  isOver(users: number | null, now: number): boolean {
    if (users === null || users >= this.#below) this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since >= this.#forMs;
  }
}

/** The server that does not answer is asked again; what it refuses, it refuses again. */
function onlyRefusals(error: unknown): null {
  if (error instanceof Away) return null;
  throw error;
}

/** A server, asked with a token. */
interface Server {
  /** @throws {CommandError} what the server refuses; {@link Away} without an answer. */
  answer(query?: Record<string, string>): Promise<Online>;
}

function serverOf(flags: CommandInput["flags"]): Server {
  const api = new ApiServer(flags);
  const fixed = ["app", "channel"]
    .flatMap((name) => typeof flags[name] === "string" ? [[name, flags[name]]] : []);
  return {
    async answer(query = {}) {
      const parameters = new URLSearchParams([...fixed, ...Object.entries(query)]);
      return await api.call(`/online?${parameters}`, answerSchema);
    },
  };
}

/** All who are online, of as many answers as that takes. */
async function everyone(server: Server, status: string | boolean | undefined): Promise<Online> {
  const query = { limit: String(apiPage.most), ...typeof status === "string" && { status } };
  const first = await server.answer(query);
  const people = [...first.people ?? []];
  for (let after = first.next; after;) {
    const { next, people: more = [] } = await server.answer({ ...query, after });
    people.push(...more);
    after = next;
  }
  const { next: _, people: some, ...numbers } = first;
  return { ...numbers, ...some && { people } };
}

async function watch(server: Server, asJson: boolean): Promise<never> {
  let last = "";
  while (true) {
    const { people: _people, next: _next, ...numbers } = await server.answer({ limit: "1" });
    const summary = summaryOf(numbers);
    if (summary !== last) {
      const time = new Date().toISOString();
      console.log(printable(asJson ? JSON.stringify(numbers) : `${time}  ${summary}`));
    }
    last = summary;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** `38 users online, 21 active`, guests apart where there are any, with how far that can be believed. */
function summaryOf({ active, guests, state, users }: Online): string {
  const known = active === null ? "" : `, ${numberText(active)} active`;
  return `${onlineText(users, guests)}${known}${state === "live" ? "" : ` (${state})`}`;
}

function peopleOf({ people = [] }: Online): string[] {
  if (people.length === 0) return [];
  const hasNames = people.some(({ name }) => name !== undefined);
  return [
    "",
    table([
      ["ID", ...hasNames ? ["NAME"] : [], "ONLINE SINCE", "STATUS", ...hasNames ? ["PAGE"] : []],
      ...people.map(({ id, name, online_since: since, page, status }) => [
        id,
        ...hasNames ? [name ?? ""] : [],
        since,
        status ?? "–",
        ...hasNames ? [page ?? ""] : [],
      ]),
    ]),
  ];
}

function wholeNumber(flags: CommandInput["flags"], name: string, otherwise?: number): number {
  const text = flags[name];
  if (text === undefined && otherwise !== undefined) return otherwise;
  if (text === undefined) throw new UsageError(`Missing --${name}`);
  if (/^\d{1,7}$/.test(String(text))) return Number(text);
  throw new UsageError(`--${name} is ${JSON.stringify(text)}, not a whole number`);
}
