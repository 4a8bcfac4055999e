import { createHash, randomBytes } from "node:crypto";
import { type Exchange, exchange } from "../exchange.ts";
import type { Step } from "../step.ts";
import { socketAddress } from "../protocol_client.ts";
import { codeOf, shownAddress } from "../printable.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** What a server adds to the key to show that it speaks WebSocket (RFC 6455, 1.3). */
const handshakeId = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A request to open a socket is understood as one. */
export function upgradeStep(needs: readonly string[]): Step {
  return {
    name: "upgrade",
    title: "Socket upgrade",
    needs,
    async run({ target, patienceMs }) {
      const key = randomBytes(16).toString("base64");
      try {
        const answer = await exchange(socketAddress(target), {
          headers: {
            connection: "Upgrade",
            upgrade: "websocket",
            origin: target.pages.origin,
            "sec-websocket-version": "13",
            "sec-websocket-key": key,
          },
        }, patienceMs);
        return upgradeVerdict(target, answer, key);
      } catch (error) {
        return noUpgradeVerdict(codeOf(error));
      }
    },
  };
}

/** Judges the answer to a request to open a socket. */
export function upgradeVerdict(
  { sockets }: Pick<Target, "sockets">,
  { status, headers }: Pick<Exchange, "status" | "headers">,
  key: string,
): Verdict {
  const found = `A socket is asked for and answered with status ${status}`;
  if (status === 101) {
    const expected = createHash("sha1").update(key + handshakeId).digest("base64");
    return headers["sec-websocket-accept"] === expected
      ? ok("The socket opens: 101 Switching Protocols.")
      : failed(
        "The socket is said to open, but by something that does not speak WebSocket.",
        ...passUpgradeOn,
      );
  }
  if (status >= 300 && status < 400) {
    return failed(
      `${found}: it leads to ${
        shownAddress(headers.location ?? "", sockets)
      }, and clients do not ` +
        "follow.",
      "Pass the paths below `/app/` on as they are: no `rewrite`, `return` or `Redirect` for them.",
    );
  }
  if (status === 401 || status === 403) {
    return failed(
      `${found} before Rollcall is asked.`,
      "Let the proxy or the firewall in between allow WebSocket for the paths below `/app/`.",
    );
  }
  if (status === 404) {
    return failed(
      `${found}: the path does not get to Rollcall.`,
      "Pass the paths below `/app/` on to Rollcall as all others: look for a `location` or " +
        "`ProxyPass` that takes them elsewhere.",
    );
  }
  if (status >= 502 && status <= 504) {
    return failed(
      `${found}: the proxy passes pages on, but not sockets.`,
      "Pass sockets on to the same address as pages: one location for all paths.",
      "Apache, 2.4.47 or later: `upgrade=websocket` at the end of ProxyPass.",
    );
  }
  return failed(
    `${found}, as if it were a page: the header Upgrade got lost on the way.`,
    ...passUpgradeOn,
  );
}

const passUpgradeOn = [
  "Pass the upgrade on.",
  "nginx: `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; " +
  'proxy_set_header Connection "upgrade";`',
  "Apache, 2.4.47 or later: `upgrade=websocket` at the end of ProxyPass.",
  "Caddy does so by itself. In a CDN, switch WebSocket on.",
];

/** Judges a request to open a socket that got no answer, by the code of what went wrong. */
export function noUpgradeVerdict(code: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      "A socket is asked for, and no answer comes: something in between waits for the end of it.",
      ...passUpgradeOn,
    );
  }
  return failed(`A socket is asked for, and the connection ends (${code}).`, ...passUpgradeOn);
}
