import { signedPost } from "@/server/check/protocol_client.ts";
import { app, eventData, publicChannel } from "./bench_app.ts";

/**
 * Another server that triggers events over one connection that stays open. Every call is the same
 * bytes, signed once, so that the caller costs next to nothing.
 */
export class ApiCaller {
  readonly #connection: Deno.Conn;
  readonly #request: Uint8Array<ArrayBuffer>;
  readonly #buffer = new Uint8Array(4_096);

  private constructor(connection: Deno.Conn, port: number) {
    this.#connection = connection;
    this.#request = triggerRequest(port);
  }

  static async connect(port: number): Promise<ApiCaller> {
    return new ApiCaller(await Deno.connect({ port, hostname: "127.0.0.1" }), port);
  }

  /** Triggers one event and waits for the answer, which is `{}`. */
  async trigger(): Promise<void> {
    await this.#connection.write(this.#request);
    let answer = "";
    while (!answer.endsWith("\r\n\r\n{}")) {
      const length = await this.#connection.read(this.#buffer);
      if (length === null) throw new Error("The server closed a connection");
      answer += new TextDecoder().decode(this.#buffer.subarray(0, length));
      if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(`The server answered ${answer}`);
    }
  }

  close(): void {
    this.#connection.close();
  }
}

function triggerRequest(port: number): Uint8Array<ArrayBuffer> {
  const data = JSON.stringify(eventData);
  const body = JSON.stringify({ name: "update", channel: publicChannel, data });
  const address = signedPost(app, `/apps/${app.id}/events`, body);
  const lines = [
    `POST ${address} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
