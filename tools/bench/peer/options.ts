import { parseArgs } from "node:util";
import { z } from "zod";

/** The parts of the benchmark, in the order in which they run. */
export const parts = ["joins", "churn", "ghosts", "pages"] as const;

/** A part of the benchmark that can be chosen. */
export type Part = (typeof parts)[number];

/** The text of `--help`. */
export const usage = `deno task bench:peer --url URL --app ID --key KEY [OPTIONS]

Measures the presence channels of any server of the Pusher Channels protocol, from outside.

  --url URL           where clients connect: ws://HOST:PORT or wss://HOST, without /app/KEY
  --app ID            the app, which is in the paths of the HTTP API
  --key KEY           its key
  --secret SECRET     its secret; without it, the variable PUSHER_APP_SECRET is used
  --api URL           the HTTP API, where it has another address: http://… or https://…
  --sizes 10,100,1000 the rooms in which joins are timed, by members
  --joins 50          how many joins are timed in each room
  --rate 100          how many users come in a second of churn; as many go
  --seconds 20        how long churn lasts
  --seen 10           a join that others see later than this is not awaited, in seconds
  --patience 180      how long to wait for lists to be right, and for lost clients to leave them,
                      in seconds
  --settle 10         how long to look for late leaves after page changes, in seconds
  --only PARTS        some of joins,churn,ghosts,pages
  --restart           at the end, asks you to restart the server, and measures what is lost
  --label NAME        the head of the column; the host by default
  --json FILE         writes the result
  --compare FILE      shows the result of another run, written by --json, beside this one
  --help              this text
`;

const duration = z.coerce.number<string>("expected a number of seconds").positive("must be above 0")
  .max(3_600, "at most 3600 seconds");

const count = (most: number) =>
  z.coerce.number<string>("expected a whole number").int("expected a whole number").min(
    1,
    "at least 1",
  )
    .max(most, `at most ${most}`);

const list = (text: string) => text.split(",").map((each) => each.trim());

const required = (what: string) => z.string(`is missing: ${what}`).min(1, `is empty: ${what}`);

/** An address with a scheme, and without what could be a secret or is added to it. */
const addressOf = (...schemes: string[]) =>
  required(`the address, with ${schemes.join(" or ")}`).transform((text, context) => {
    const url = URL.parse(text);
    const problem = !url || !schemes.includes(url.protocol)
      ? `expected an address with ${schemes.join(" or ")}`
      : url.username || url.password || url.search || url.hash
      ? "expected an address without user, query or #"
      : undefined;
    if (url && !problem) return url;
    context.addIssue({ code: "custom", message: problem ?? "" });
    return z.NEVER;
  });

const schema = z.object({
  url: addressOf("ws:", "wss:"),
  app: required("the id of the app"),
  key: required("the key of the app").regex(/^[\w-]+$/, "expected letters, digits, - and _"),
  secret: required("the secret of the app, also as PUSHER_APP_SECRET"),
  api: addressOf("http:", "https:").optional(),
  sizes: z.string().default("10,100,1000").transform(list).pipe(z.array(count(20_000))),
  joins: count(1_000).default(50),
  rate: count(2_000).default(100),
  seconds: duration.default(20),
  settle: duration.default(10),
  seen: duration.default(10),
  patience: duration.default(180),
  only: z.string().default(parts.join()).transform(list).pipe(
    z.array(z.enum(parts, `expected some of ${parts.join()}`)),
  ),
  restart: z.boolean().default(false),
  label: z.string().min(1, "is empty").max(40, "at most 40 characters").optional(),
  json: z.string().min(1, "is empty").optional(),
  compare: z.string().min(1, "is empty").optional(),
});

/** What the benchmark is asked to measure. */
export type Options = z.infer<typeof schema>;

/** The command line is wrong. */
export class UsageError extends Error {
  override name = "UsageError";
}

const flags = {
  ...Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, { type: "string" as const }]),
  ),
  restart: { type: "boolean" as const },
  help: { type: "boolean" as const },
};

/**
 * Reads the command line.
 *
 * @param secret of the environment, which no list of processes shows.
 * @returns undefined where help is asked for
 * @throws {UsageError} with a line for each problem; no line has a value.
 */
export function readOptions(words: string[], secret?: string): Options | undefined {
  const values = read(words);
  if (values.help) return undefined;
  const result = schema.safeParse({ secret, ...values });
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    `--${path[0]!.toString()} ${message}`
  );
  throw new UsageError([...new Set(problems)].join("\n"));
}

function read(words: string[]): Record<string, unknown> {
  try {
    return parseArgs({ args: words, options: flags }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The rest of Node's message is advice on dashes.
    throw new UsageError(error.message.split(/\. |\n/)[0]);
  }
}
