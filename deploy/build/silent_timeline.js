/** In the place of pusher-js's record of its own events for Pusher's statistics, which no page sends. */
export default class SilentTimeline {
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
