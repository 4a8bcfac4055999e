import { HttpApi } from "../../realtime/http_api.ts";
import { RealtimeServer } from "../../realtime/server.ts";
import { app, presenceChannel } from "./bench_app.ts";
import { type BenchServer, idleTimeoutSeconds } from "./bench_server.ts";

/** Rollcall's own server and HTTP API, without pages. */
export class RollcallServer implements BenchServer {
  readonly #realtime = new RealtimeServer({ apps: [app], idleTimeoutSeconds });
  readonly #api = new HttpApi({ appOf: (id) => this.#realtime.appChannels(id) });

  answer(request: Request, pathname: string, address: string): Response | Promise<Response> {
    return this.#api.handles(pathname)
      ? this.#api.answer(request)
      : this.#realtime.upgrade(request, address);
  }

  publish(channel: string, event: string, data: unknown): void {
    this.#realtime.publish(channel, event, data);
  }

  forget(): void {}

  /** Attaches what can hear of joining and leaving. */
  observe(): this {
    for (let turn = 0; turn < 100; turn++) {
      this.#realtime.onPresence(presenceChannel(turn), () => {});
    }
    return this;
  }
}
