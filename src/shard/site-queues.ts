/** Queues of site numbers: the sites that may be fetched from now, in turn, and those whose time is yet to come. */

/** First in, first out; grows by doubling, so it is as large as the largest number of sites in it was. */
export class SiteQueue {
  #ring = new Int32Array(64);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(site: number): void {
    if (this.#length === this.#ring.length) {
      const larger = new Int32Array(2 * this.#ring.length);
      for (let i = 0; i < this.#length; i++)
        larger[i] = this.#ring[(this.#first + i) & (this.#ring.length - 1)]!;
      this.#ring = larger;
      this.#first = 0;
    }
    this.#ring[(this.#first + this.#length++) & (this.#ring.length - 1)] = site;
  }

  /** REQUIRES: not empty. */
  shift(): number {
    const site = this.#ring[this.#first]!;
    this.#first = (this.#first + 1) & (this.#ring.length - 1);
    this.#length--;
    return site;
  }
}

/** The site that is ready first comes out first. REQUIRES: a site's time does not change while it is in here. */
export class SiteHeap {
  #sites = new Int32Array(64);
  #times = new Float64Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** When the first site is ready; Infinity if there is none. */
  get firstTime(): number {
    return this.#length === 0 ? Number.POSITIVE_INFINITY : this.#times[0]!;
  }

  push(site: number, time: number): void {
    if (this.#length === this.#sites.length) this.#grow();
    let at = this.#length++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.#times[parent]! <= time) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#sites[at] = site;
    this.#times[at] = time;
  }

  /** REQUIRES: not empty. */
  shift(): number {
    const first = this.#sites[0]!;
    const last = --this.#length;
    const time = this.#times[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#times[child + 1]! < this.#times[child]!) child++;
      if (this.#times[child]! >= time) break;
      this.#move(child, at);
      at = child;
    }
    this.#sites[at] = this.#sites[last]!;
    this.#times[at] = time;
    return first;
  }

  #move(from: number, to: number): void {
    this.#sites[to] = this.#sites[from]!;
    this.#times[to] = this.#times[from]!;
  }

  #grow(): void {
    const sites = new Int32Array(2 * this.#sites.length);
    const times = new Float64Array(2 * this.#times.length);
    sites.set(this.#sites);
    times.set(this.#times);
    this.#sites = sites;
    this.#times = times;
  }
}
