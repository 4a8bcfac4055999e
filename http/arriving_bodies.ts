/** A body that has not arrived yet. */
interface Arriving {
  client: string;
  giveUp: () => void;
}

/** How many bodies there may be at the same time, in all and of one client. */
export interface PlacesForBodies {
  most: number;
  mostOfClient: number;
}

/**
 * The bodies that are arriving. Each new one gets a place: of too many, the one that has been arriving the
 * longest is given up, of the client that has too many or else of the client that has most.
 */
export class ArrivingBodies {
  readonly #places: PlacesForBodies;
  /** By client, the oldest first. */
  readonly #ofClient = new Map<string, Set<Arriving>>();
  #count = 0;

  constructor(places: PlacesForBodies) {
    this.#places = places;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /**
   * Gives a body a place.
   *
   * @param giveUp called when the place is needed for another body.
   * @returns a function that frees the place, however often it is called.
   */
  add(client: string, giveUp: () => void): () => void {
    const { most, mostOfClient } = this.#places;
    if ((this.#ofClient.get(client)?.size ?? 0) >= mostOfClient) this.#giveUpOldest(client);
    else if (this.#count >= most) this.#giveUpOldest(this.#clientWithMost());
    const arriving: Arriving = { client, giveUp };
    const ofClient = this.#ofClient.get(client) ?? new Set();
    this.#ofClient.set(client, ofClient.add(arriving));
    this.#count++;
    return () => this.#remove(arriving);
  }

  #clientWithMost(): string {
    let [busiest, most] = ["", 0];
    for (const [client, { size }] of this.#ofClient) {
      if (size > most) [busiest, most] = [client, size];
    }
    return busiest;
  }

  #giveUpOldest(client: string): void {
    const [oldest] = this.#ofClient.get(client) ?? [];
    if (!oldest) return;
    this.#remove(oldest);
    oldest.giveUp();
  }

  #remove(arriving: Arriving): void {
    const ofClient = this.#ofClient.get(arriving.client);
    if (!ofClient?.delete(arriving)) return;
    this.#count--;
    if (ofClient.size === 0) this.#ofClient.delete(arriving.client);
  }
}
