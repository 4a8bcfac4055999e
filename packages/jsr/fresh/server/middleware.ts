import type { Context } from "./context.ts";
import { HttpError } from "./http_error.ts";

/**
 * Answers a request, or lets what comes after it answer by `ctx.next()` and changes that answer.
 */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/**
 * Runs middleware in order, each inside the one before it. As in Fresh, `ctx.next()` of the last one, and a
 * second call after the chain has run, is a 404.
 */
export function runMiddleware<State>(
  chain: readonly Middleware<State>[],
  ctx: Context<State>,
): Promise<Response> {
  async function runFrom(index: number): Promise<Response> {
    if (index === chain.length) throw new HttpError(404);
    ctx.next = () => runFrom(index + 1);
    const response = await chain[index](ctx);
    if (!(response instanceof Response)) {
      throw new TypeError(
        "A middleware must return a Response; was `return ctx.next()` forgotten?",
      );
    }
    return response;
  }
  return runFrom(0);
}
