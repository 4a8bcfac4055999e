import net from "node:net";
import { startLogging } from "@/server/observability/logging.ts";
import { ignoreUncaughtErrors, logUncaughtErrors } from "@/server/process/uncaught_errors.ts";

// A program that ends by an error that no code catches; its argument is how.

startLogging({ format: "text", level: "error" });
logUncaughtErrors();

function failing(): never {
  throw new Error("the cause");
}

function dispatch(): void {
  const target = new EventTarget();
  target.addEventListener("event", failing);
  target.dispatchEvent(new Event("event"));
}

const ends: Record<string, () => void> = {
  timer: () => setTimeout(failing),
  rejection: () => Promise.resolve().then(failing),
  null: () =>
    setTimeout(() => {
      throw null;
    }),
  exit() {
    ignoreUncaughtErrors();
    Promise.reject(null);
  },
  listener() {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    const { addr } = Deno.serve(options, () => new Response());
    const socket = net.connect(addr.port, addr.hostname).on("data", dispatch);
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  },
};
ends[Deno.args[0]]();
