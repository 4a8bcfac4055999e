import { z } from "zod";
import { readConfig } from "@/server/config/config.ts";
import { apiPath } from "@/shared/api.ts";
import { CommandError, type CommandInput, UsageError } from "./command_line.ts";

/** The variable with the token of the API: the arguments of a command are seen by others on the machine. */
const tokenVariable = "ROLLCALL_TOKEN";

/** How long the server may take to answer, in milliseconds. */
const answerMs = 15_000;

/** Where a command's token comes from, for its help. */
export const tokenText = `with the token in ${tokenVariable} (rollcall token create)`;

/** The flag with the server to ask. */
export const urlFlag = {
  url: { value: "URL", about: "The address of a server; default: APP_URL" },
};

/** The server did not answer, or could not. */
export class Away extends CommandError {}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** A server whose API is asked, with a token. */
export class ApiServer {
  readonly #address: string;
  readonly #token: string;

  /** @param flags with {@link urlFlag}. @throws {UsageError} without a token, and for an invalid URL. */
  constructor({ url }: CommandInput["flags"]) {
    const token = Deno.env.get(tokenVariable);
    if (!token) throw new UsageError(`${tokenVariable} has no token of the API`);
    const { appUrl, basePath } = readConfig();
    const given = typeof url === "string" ? url : new URL(appUrl).origin + basePath;
    if (!URL.canParse(given)) throw new UsageError(`--url is ${JSON.stringify(given)}, not a URL`);
    this.#address = given.replace(/\/+$/, "") + apiPath;
    this.#token = token;
  }

  /**
   * Calls the API.
   *
   * @param path below `/api/v1`, with the query.
   * @param body sent with POST, as JSON; undefined for GET.
   * @throws {CommandError} what the server refuses; {@link Away} without an answer.
   */
  async call<Answer>(path: string, schema: z.ZodType<Answer>, body?: unknown): Promise<Answer> {
    const { origin } = new URL(this.#address);
    const response = await fetch(this.#address + path, {
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: "application/json",
        ...body !== undefined && { "content-type": "application/json" },
      },
      ...body !== undefined && { method: "POST", body: JSON.stringify(body) },
      signal: AbortSignal.timeout(answerMs),
    }).catch((error: Error) => {
      throw new Away(`${origin} does not answer: ${error.message}`);
    });
    const json = await response.json().catch(() => null);
    const answer = schema.safeParse(json).data;
    if (response.ok && answer) return answer;
    const message = errorSchema.safeParse(json).data?.error.message ??
      `No answer of Rollcall's API, but status ${response.status}`;
    const fault = `${origin}: ${message.replace(/\.$/, "")}`;
    throw response.status === 429 || response.status >= 500
      ? new Away(fault)
      : new CommandError(fault);
  }
}
