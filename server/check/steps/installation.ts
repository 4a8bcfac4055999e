import { type Exchange, exchange } from "../http_exchange.ts";
import { errorCode } from "../printable.ts";
import {
  newSelfRequest,
  readSelfRequestAnswer,
  type ReceivedRequest,
  selfRequestCookie,
  selfRequestPath,
} from "../self_request.ts";
import type { CheckContext, Step } from "../step.ts";
import { addressBelow } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** How many self-requests are sent: enough for a load balancer to use each of its servers. */
const requests = 4;

/** Passes when the address leads to this installation: to one process of it, or to several that share the count. */
export const installationStep: Step = {
  name: "installation",
  title: "This installation",
  needs: ["page"],
  async run(context) {
    const answers: (ReceivedRequest | null)[] = [];
    let status = 0;
    for (let count = 0; count < requests; count++) {
      try {
        const { exchange, received } = await selfRequest(context);
        if (received) context.selfRequest ??= { received, exchange };
        status = exchange.status;
        answers.push(received);
      } catch (error) {
        return failed(
          `One of ${requests} requests got no response (${errorCode(error)}).`,
          "Check the proxy and Rollcall logs.",
        );
      }
    }
    return installationVerdict(answers, status);
  },
};

async function selfRequest({ target, timeoutMs }: CheckContext): Promise<{
  exchange: Exchange;
  received: ReceivedRequest | null;
}> {
  const token = newSelfRequest(target.secret);
  const url = addressBelow(target.pages, `${selfRequestPath}?token=${token}`);
  const made = await exchange(url, {
    headers: {
      accept: "application/json",
      cookie: selfRequestCookie,
      origin: target.pages.origin,
    },
  }, timeoutMs);
  return { exchange: made, received: readSelfRequestAnswer(target.secret, token, made.body) };
}

/**
 * Judges the answers to several self-requests.
 *
 * @param answers null stands for an answer that this installation did not sign.
 * @param status of the last response.
 */
export function installationVerdict(
  answers: (ReceivedRequest | null)[],
  status: number,
): Verdict {
  const own = answers.filter((answer) => answer !== null);
  if (own.length === 0) {
    return failed(
      `A Rollcall server answers, but not this one (status ${status}): it has another APP_KEY.`,
      "Run the check with that server's settings: the same APP_KEY or, without one, the same DATA_DIR.",
      "If they are the same, configure the proxy to forward this address to this Rollcall, with the " +
        "query string, and run the same version of the check and the server.",
    );
  }
  if (own.length < answers.length) {
    return failed(
      "Two servers share the address: this installation, and one with another APP_KEY.",
      "Configure the proxy to forward everything to this one.",
    );
  }
  const processes = new Set(own.map(({ process }) => process)).size;
  if (processes === 1) return ok("Reached this server.");
  const alone = new Set(
    own.filter(({ sharesCount }) => !sharesCount).map(({ process }) => process),
  );
  if (alone.size === 0) return ok(`Reached ${processes} servers, which share the count.`);
  return failed(
    alone.size === processes
      ? `${processes} processes share the address. Each counts only its own users.`
      : `${processes} processes share the address, and not all of them share the count.`,
    "Give them all the same REDIS_URL and REDIS_PREFIX, and restart those that run an earlier version.",
    "Or run one process, and configure the proxy (`upstream` in nginx, `balancer://` in Apache) to " +
      "forward everything to it.",
  );
}
