/**
 * What the servers share cannot be read or changed now: they do not reach what is between them. What was
 * asked may have been carried out nevertheless.
 */
export class Unavailable extends Error {
  override name = "Unavailable";

  constructor(options?: ErrorOptions) {
    super("The servers cannot reach each other right now", options);
  }
}
