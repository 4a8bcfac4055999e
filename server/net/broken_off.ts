/** Ends an answer on purpose; it is no failure. */
class BrokenOff extends Error {
  override name = "BrokenOff";
}

/**
 * A body that fails after its last byte. It is the one way to have Deno close a connection on which the whole body
 * of a request is still to come; `Connection: close` leaves it open, and Deno goes on reading. A connection of which
 * a part of the body was read stays open, idle, until its client closes it.
 */
export function brokenOff(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream({
      flush: (controller) => controller.error(new BrokenOff("The connection is closed")),
    }),
  );
}

/** Whether an error is the end of a {@link brokenOff} body. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof BrokenOff;
}
