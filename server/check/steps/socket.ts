import { z } from "zod";
import { isSocketId } from "@/realtime/protocol/socket_id.ts";
import {
  code,
  errorCode,
  failed,
  ok,
  required,
  secondsText,
  type Step,
  type Verdict,
} from "../step.ts";
import { ProtocolClient, type SocketClose, SocketClosed } from "../protocol_client.ts";
import type { Target } from "../target.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

const establishedData = z.object({ socket_id: z.string().refine(isSocketId) });
const errorData = z.object({ code: z.number() });

/** Passes when the server accepts the client and sends its first message. */
export const connectionStep: Step = {
  name: "connection",
  get title() {
    return text`Connection`;
  },
  needs: ["upgrade"],
  async run(context) {
    const { target, timeoutMs } = context;
    const client = context.client = ProtocolClient.open(target);
    try {
      const frame = await client.next(({ event }) => /^pusher:/.test(event), timeoutMs);
      if (frame.event !== "pusher:connection_established") {
        return () => refusedVerdict(target, errorData.safeParse(frame.data).data?.code ?? 0);
      }
      const id = context.socketId = establishedData.safeParse(frame.data).data?.socket_id;
      return () =>
        id === undefined
          ? failed(
            text`The server's first message has no socket id.`,
            text`Check which server this is.`,
          )
          : ok(text`Connected.`);
    } catch (error) {
      if (error instanceof SocketClosed) return () => closedVerdict(target, error.close);
      return () =>
        failed(
          text`The WebSocket opens, but no message arrives (${errorCode(error)}).`,
          longText(
            "Configure the proxy to forward messages immediately, and firewalls not to scan their contents.",
          ),
          "nginx: `proxy_buffering off;`",
          text`Apache: no ${code("mod_buffer")}.`,
        );
    }
  },
};

function closedVerdict(target: Target, close: SocketClose): Verdict {
  if (close.code >= 4_000) return refusedVerdict(target, close.code);
  return failed(
    text`The WebSocket opens, but is closed before the first message (code ${close.code}).`,
    text`Check the proxy and Rollcall logs.`,
  );
}

/** Judges a refused connection, by the protocol's code. */
export function refusedVerdict(
  { pages, usesExternalServer, app }: Target,
  refusedWith: number,
): Verdict {
  const refusal = (found: string, change: string) => failed(`${found} (${refusedWith}).`, change);
  switch (refusedWith) {
    case 4_000:
      return refusal(
        text`The server requires TLS`,
        text`Set ${code("PUSHER_SCHEME=https")}.`,
      );
    case 4_001:
      return refusal(
        text`The server has no app with the key ${app.key}`,
        usesExternalServer ? text`Correct PUSHER_APP_KEY, or the host or cluster.` : longText(
          "Run the check with the server's PUSHER_APP_KEY, or restart the server if the setting is new.",
        ),
      );
    case 4_003:
      return refusal(text`The app is disabled`, text`Enable it in the list of apps.`);
    case 4_004:
    case 4_100:
      return refusal(
        text`The server has reached a limit of connections`,
        longText(
          "Raise max_connections, MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS. Behind a proxy, set ",
          "TRUSTED_PROXIES.",
        ),
      );
    case 4_005:
      return refusal(
        text`The server does not recognize the path of the WebSocket`,
        longText("Configure the proxy to pass the paths below `/app/` on unchanged."),
      );
    case 4_007:
    case 4_008:
      return refusal(
        text`The server does not receive the protocol version`,
        longText(
          "Configure the proxy to forward the query string (`?protocol=7`): look for a rewrite that drops it.",
        ),
      );
    case 4_009:
      return refusal(
        text`Pages of ${pages.origin} are not allowed to connect`,
        text`Add ${pages.origin} to ALLOWED_ORIGINS, or to allowed_origins of the app.`,
      );
    default:
      return refusal(text`The server refuses the connection`, text`Check its log.`);
  }
}

/** Passes when a WebSocket without traffic stays open, and works afterwards. */
export const idleStep: Step = {
  name: "idle",
  get title() {
    return text`Idle connection`;
  },
  needs: ["signature"],
  async run(context) {
    const { idleMs, timeoutMs } = context;
    const client = required(context.client);
    const start = performance.now();
    await client.waitForClose(idleMs);
    const seconds = (performance.now() - start) / 1_000;
    if (client.closed) return () => idleVerdict({ seconds, isOpen: false });
    client.send("pusher:ping", {});
    try {
      await client.next(({ event }) => event === "pusher:pong", timeoutMs);
      return () => idleVerdict({ seconds, isOpen: true });
    } catch (error) {
      return () => idleVerdict({ seconds, isOpen: true, silence: errorCode(error) });
    }
  },
};

/**
 * Judges a WebSocket that was left idle.
 *
 * @param outcome.silence why the ping afterwards got no answer; absent when it got one.
 */
function idleVerdict(
  { seconds, isOpen, silence }: { seconds: number; isOpen: boolean; silence?: string },
): Verdict {
  const time = `${secondsText(seconds, seconds < 10 ? 1 : 0)} s`;
  if (isOpen && silence === undefined) return ok(text`Connection stays open when idle (${time}).`);
  return failed(
    isOpen
      ? text`After ${time} without traffic, messages no longer get through (${silence}).`
      : text`The connection was closed after ${time} without traffic.`,
    text`Configure the proxy to wait longer than the ${
      secondsText(12.5, 1)
    } s between two pings of the server.`,
    "nginx: `proxy_read_timeout 90s;`",
    "Apache: `Timeout 90`",
    text`A load balancer has an idle timeout of its own: raise it.`,
  );
}
