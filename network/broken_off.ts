/** Ends an answer on purpose; it is no failure. */
class BrokenOff extends Error {
  override name = "BrokenOff";
}

/**
 * A body that fails after its last byte. It is the one way to have Deno close a connection on which a
 * request's body still arrives; `Connection: close` leaves it open, and Deno goes on reading.
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
