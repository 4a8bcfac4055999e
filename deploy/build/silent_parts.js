/**
 * In the place of two parts that pusher-js makes for each client: the record of its own events for Pusher's
 * statistics, which no page sends, and the user who signs in over the connection, as no page has it do.
 */
export default class SilentPart {
  #ids = 0;

  generateUniqueID() {
    return ++this.#ids;
  }

  debug() {}
  info() {}
  error() {}

  isEmpty() {
    return true;
  }
}
