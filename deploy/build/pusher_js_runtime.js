/**
 * What pusher-js runs on in pages of Rollcall, in the place of its `src/runtimes/web/runtime.ts`: no
 * transport but WebSocket, no JSONP, no statistics, no memory of the last transport.
 *
 * @module
 */
import xhrAuth from "pusher-js/src/runtimes/isomorphic/auth/xhr_auth.ts";
import transportConnectionInitializer from "pusher-js/src/runtimes/isomorphic/transports/transport_connection_initializer.ts";
import { Network } from "pusher-js/src/runtimes/web/net_info.ts";
import Transport from "pusher-js/src/core/transports/transport.ts";
import TransportManager from "pusher-js/src/core/transports/transport_manager.ts";
import { ws as urls } from "pusher-js/src/core/transports/url_schemes.ts";
import SequentialStrategy from "pusher-js/src/core/strategies/sequential_strategy.ts";

/** How long an attempt to connect may take, at first and at most, in milliseconds, as in pusher-js. */
const attempts = { loop: true, timeout: 15_000, timeoutLimit: 60_000 };

const ws = new Transport({
  urls,
  handlesActivityChecks: false,
  supportsPing: false,
  isInitialized: () => true,
  isSupported: () => "WebSocket" in globalThis,
  getSocket: (url) => new WebSocket(url),
});

export default {
  Transports: { ws },
  TimelineTransport: { name: "none", getAgent: () => () => {} },
  setup: (Pusher) => Pusher.ready(),
  getProtocol: () => location.protocol,
  getNetwork: () => Network,
  getAuthorizers: () => ({ ajax: xhrAuth }),
  createXHR: () => new XMLHttpRequest(),
  randomInt: (below) => Math.floor(Math.random() * below),
  transportConnectionInitializer,
  getDefaultStrategy(config, options, defineTransport) {
    const { wsHost, wsPort, wssPort, wsPath, activityTimeout } = config;
    const hosts = {
      ...options,
      hostNonTLS: `${wsHost}:${wsPort}`,
      hostTLS: `${wsHost}:${wssPort}`,
      httpPath: wsPath,
    };
    const manager = new TransportManager({ minPingDelay: 10_000, maxPingDelay: activityTimeout });
    const transport = defineTransport(config, "ws", "ws", 3, hosts, manager);
    return new SequentialStrategy([transport], attempts);
  },
};
