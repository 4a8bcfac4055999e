import { type Exchange, exchange } from "../http_exchange.ts";
import {
  type CheckContext,
  code,
  errorCode,
  failed,
  ok,
  printable,
  required,
  secondsText,
  type Step,
  type Verdict,
} from "../step.ts";
import {
  newSelfRequest,
  readSelfRequestAnswer,
  type ReceivedRequest,
  selfRequestCookie,
  selfRequestPath,
} from "../self_request.ts";
import { addressBelow, type Target } from "../target.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** How many self-requests are sent: enough for a load balancer to use each of its servers. */
const requests = 4;

/** Passes when the address leads to this installation: to one process of it, or to several that share the count. */
export const installationStep: Step = {
  name: "installation",
  get title() {
    return text`This installation`;
  },
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
        return () =>
          failed(
            text`One of ${requests} requests got no response (${errorCode(error)}).`,
            text`Check the proxy and Rollcall logs.`,
          );
      }
    }
    return () => installationVerdict(answers, status);
  },
};

async function selfRequest({ target, timeoutMs }: CheckContext): Promise<{
  exchange: Exchange;
  received: ReceivedRequest | null;
}> {
  const token = newSelfRequest(target.secret);
  const url = addressBelow(target.pages, `${selfRequestPath}?token=${token}`);
  const answer = await exchange(url, {
    headers: {
      accept: "application/json",
      cookie: selfRequestCookie,
      origin: target.pages.origin,
    },
  }, timeoutMs);
  return { exchange: answer, received: readSelfRequestAnswer(target.secret, token, answer.body) };
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
      text`A Rollcall server answers, but not this one (status ${status}): it has another APP_KEY.`,
      longText(
        "Run the check with that server's settings: the same APP_KEY or, without one, the same DATA_DIR.",
      ),
      longText(
        "If they are the same, configure the proxy to forward this address to this Rollcall, with the ",
        "query string, and run the same version of the check and the server.",
      ),
    );
  }
  if (own.length < answers.length) {
    return failed(
      text`Two servers share the address: this installation, and one with another APP_KEY.`,
      text`Configure the proxy to forward everything to this one.`,
    );
  }
  const processes = new Set(own.map(({ process }) => process)).size;
  if (processes === 1) return ok(text`Reached this server.`);
  const alone = new Set(
    own.filter(({ sharesCount }) => !sharesCount).map(({ process }) => process),
  );
  if (alone.size === 0) return ok(text`Reached ${processes} servers, which share the count.`);
  return failed(
    alone.size === processes
      ? text`${processes} processes share the address. Each counts only its own users.`
      : text`${processes} processes share the address, and not all of them share the count.`,
    longText(
      "Give them all the same REDIS_URL and REDIS_PREFIX, and restart servers that run an earlier version.",
    ),
    longText(
      "Or run one process, and configure the proxy (`upstream` in nginx, `balancer://` in Apache) to ",
      "forward everything to it.",
    ),
  );
}

/** The HTTP API refuses signatures when clocks differ by more than this, in seconds. */
const maxSignatureAgeSeconds = 600;

/** A clock that is off by more than this is not synchronized and drifts further, in seconds. */
const maxDifferenceSeconds = 60;

/** Passes when the clocks of this machine, the server and the proxy agree. */
export const clockStep: Step = {
  name: "clock",
  get title() {
    return text`Clock`;
  },
  needs: ["installation"],
  run({ selfRequest }) {
    const { received, exchange: { sentAt, answeredAt, headers } } = required(selfRequest);
    const now = (sentAt + answeredAt) / 2;
    const ahead = {
      serverSeconds: (received.time - now) / 1_000,
      // The header has whole seconds: it lags by half a second on average.
      headerSeconds: (Date.parse(headers.date ?? "") + 500 - now) / 1_000,
    };
    return Promise.resolve(() => clockVerdict(ahead));
  },
};

/**
 * Judges how far other clocks are ahead of this machine's, in seconds.
 *
 * @param differences.headerSeconds by the header `Date`, which proxies may write; NaN without one.
 */
export function clockVerdict(
  { serverSeconds, headerSeconds }: { serverSeconds: number; headerSeconds: number },
): Verdict {
  if (isOff(serverSeconds)) {
    const isTooMuch = Math.abs(serverSeconds) > maxSignatureAgeSeconds;
    const off = serverSeconds > 0
      ? text`The server's clock is ${secondsOff(serverSeconds)} s ahead of this machine's clock.`
      : text`The server's clock is ${secondsOff(serverSeconds)} s behind this machine's clock.`;
    const effect = isTooMuch
      ? text`Beyond ${maxSignatureAgeSeconds} s, signatures are refused, as they are now.`
      : text`Beyond ${maxSignatureAgeSeconds} s, signatures are refused.`;
    return failed(
      `${off} ${effect}`,
      longText("Synchronize the clocks of both machines: `timedatectl set-ntp true`."),
    );
  }
  if (isOff(headerSeconds)) {
    return failed(
      headerSeconds > 0
        ? text`The server's clock is right, but the Date header is ${
          secondsOff(headerSeconds)
        } s ahead of this machine's clock: a proxy writes it.`
        : text`The server's clock is right, but the Date header is ${
          secondsOff(headerSeconds)
        } s behind this machine's clock: a proxy writes it.`,
      longText(
        "Synchronize the clock of the proxy's machine (`timedatectl set-ntp true`), or configure the ",
        "proxy to forward the header.",
      ),
    );
  }
  return ok(text`Clocks match (${secondsText(Math.abs(serverSeconds), 1)} s apart).`);
}

function isOff(seconds: number): boolean {
  return Math.abs(seconds) > maxDifferenceSeconds;
}

function secondsOff(seconds: number): number {
  return Math.round(Math.abs(seconds));
}

/** Passes when the server knows a client's own address. */
export const clientAddressStep: Step = {
  name: "client_address",
  get title() {
    return text`Client address`;
  },
  needs: ["installation"],
  run({ target, selfRequest }) {
    const { received, exchange } = required(selfRequest);
    return Promise.resolve(() => clientAddressVerdict(target, received, exchange.from));
  },
};

/** What the server knows about where a request comes from. */
type Origin = Pick<
  ReceivedRequest,
  "peer" | "isPeerTrusted" | "client" | "forwardedFor" | "proxyHeaders"
>;

/**
 * Judges what the server takes for a client's address. The self-request is sent without
 * `X-Forwarded-For`, so proxies wrote all of its entries; the first one is the client.
 *
 * @param from this end of the connection.
 */
export function clientAddressVerdict(
  { pages, hasTls }: Target,
  { peer, isPeerTrusted, client, forwardedFor: [first], proxyHeaders }: Origin,
  from: Exchange["from"],
): Verdict {
  const address = printable(client);
  if (peer.port === from.port && withoutPort(peer.address) === withoutPort(from.address)) {
    return ok(text`No proxy; client address ${address}.`);
  }
  if (first !== undefined) {
    if (isPeerTrusted && withoutPort(first) === withoutPort(client)) {
      return ok(text`Trusted proxy; client address ${address}.`);
    }
    return failed(
      text`The server takes the proxy ${address} for the client. Limits per address apply to all users together.`,
      text`Set ${code("TRUSTED_PROXIES")} to the addresses of your proxies, including ${address}.`,
    );
  }
  if (proxyHeaders.length === 0 && (pages.protocol === "http:" || hasTls)) {
    return ok(text`No forwarding headers; client address ${address}.`);
  }
  return failed(
    text`A proxy hides client addresses: the server sees ${address} for every client.`,
    text`Configure the proxy to send X-Forwarded-For. Apache and Caddy do so by default.`,
    "nginx: `proxy_set_header X-Forwarded-For $remote_addr;`",
    text`Then set ${code("TRUSTED_PROXIES")} to the proxy's address, ${address}.`,
  );
}

/** An address in the form that is compared: some proxies add the port, or write IPv4 as IPv6. */
function withoutPort(text: string): string {
  const [, inBrackets, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return (inBrackets ?? ipv4 ?? text).toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, "");
}
