import fc from "fast-check";
import { apiCall, sendCall } from "./api_calls.ts";
import { checkAnswer } from "./answers.ts";
import { play, sequence } from "./frame_sequences.ts";
import { type Fuzzed, FuzzedPages, FuzzedServer, ServerInTurn } from "./fuzzed_server.ts";
import { pageRequest, sendPageRequest } from "./page_requests.ts";
import { checkUpgrade, sendUpgrade, upgrade } from "./upgrades.ts";
import { sendBytes, wireBytes } from "./wire.ts";

/** A kind of strange input that is sent to a server. */
export interface Kind {
  name: string;
  /** How many of a hundred cases are of it. */
  percent: number;
  /**
   * Sends this many cases to a server; checks the answers, that the server keeps nothing of any, and
   * at the end that it still serves real clients.
   *
   * @throws with the smallest case that shows a fault, and how to repeat it.
   */
  check(parameters: { numRuns: number; seed: number }): Promise<void>;
}

function kind<Server extends Fuzzed, Case>(
  name: string,
  percent: number,
  start: () => Promise<Server>,
  cases: fc.Arbitrary<Case>,
  send: (server: Server, one: Case) => Promise<void>,
): Kind {
  return {
    name,
    percent,
    async check(parameters) {
      await using servers = new ServerInTurn(start);
      const property = fc.asyncProperty(cases, (one) =>
        servers.use(async (server) => {
          await send(server, one);
          await server.isUntouched();
        }));
      await fc.assert(property, parameters);
      await servers.use(async (server) => {
        await server.serves();
        await server.isUntouched();
      });
    },
  };
}

const start = () => FuzzedServer.start();

/** All kinds. */
export const kinds: readonly Kind[] = [
  kind("frames of several clients", 40, start, sequence, ({ port }, all) => play(port, all)),
  kind("calls of the HTTP API", 30, start, apiCall, async ({ port }, call) => {
    checkAnswer(call, await sendCall(port, call));
  }),
  kind("bytes on an open socket", 15, start, wireBytes, ({ port }, all) => sendBytes(port, all)),
  kind("requests for a socket", 10, start, upgrade, async ({ port }, request) => {
    checkUpgrade(request, await sendUpgrade(port, request));
  }),
  kind("requests for pages", 5, () => FuzzedPages.start(), pageRequest, sendPageRequest),
];

/** How many of all cases are of a kind. */
export function shareOf({ percent }: Kind, cases: number): number {
  return Math.ceil(cases * percent / 100);
}

/** Any seed. */
export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
