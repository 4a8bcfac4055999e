import { STATUS_TEXT } from "@std/http/status";
import { HttpError } from "./http_error.ts";

/** The answer to a request whose error no page has handled. Only what is unexpected is logged. */
export function plainErrorResponse(error: unknown): Response {
  if (error instanceof HttpError) {
    if (error.status >= 500) console.error(error);
    const { message, status } = error;
    return new Response(message || STATUS_TEXT[status], { status });
  }
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}
