/**
 * How `--memory` is shared out: every bounded thing in the crawler gets its number from here, and together they stay
 * within the option, unless so many agents need more for their rings. What does not fit goes to disk.
 */
export interface MemoryPlan {
  /** Bytes of one ring, a power of two. */
  readonly ringBytes: number;
  readonly siteTable: number;
  readonly siteUrlDrum: number;
  /** The coordinator's list of sites that wait for the DNS check and an agent. */
  readonly siteUrlList: number;
  readonly coordinatorOutboxes: number;
  /** When each IP address, and each host, may be asked again; answers of the DNS. */
  readonly ipTable: number;
  readonly hostTable: number;
  readonly names: number;
  /** Digests of what was stored, and what tells most of those that were not at a glance. */
  readonly digestDrum: number;
  readonly digestFilter: number;
  /** Lines of the index that are sorted at a time. */
  readonly indexLines: number;
  readonly agent: {
    readonly pageUrlDrum: number;
    readonly sitePartitionDrum: number;
    readonly recentlySeen: number;
    readonly recentlyReported: number;
    readonly frontier: number;
    readonly unassigned: number;
    /** What is taken out of the rings for a checkpoint; the coordinator has one, too. */
    readonly inbox: number;
    readonly outboxes: number;
    readonly robots: number;
    /** Where robots.txt of sites was redirected to. */
    readonly robotsRedirects: number;
    /** Of disk: rules of robots.txt that memory has no room for. */
    readonly robotsFile: number;
    /** Large bodies under way. */
    readonly bodies: number;
  };
}

/** The smallest ring that takes every record. */
export const SMALLEST_RING = 4096;
/** Larger rings hold no more than an agent takes in one turn. */
const LARGEST_RING = 1 << 20;
/** A larger filter falls out of the processor's cache and saves nothing over the DRUM's own buffers. */
const LARGEST_RECENTLY_SEEN = 4 << 20;
/** Takes some files of robots.txt as large as they come. */
const LEAST_ROBOTS_FILE = 16 << 20;
/** Two kilobytes for each origin whose place in the file is remembered: rules are mostly smaller. */
const ROBOTS_FILE_TIMES = 64;
/** Enough for 200 million bodies. */
const LARGEST_DIGEST_FILTER = 256 << 20;
/** Lines of a hundred thousand pages: more at a time would not be sorted sooner. */
const LARGEST_INDEX_LINES = 32 << 20;

/**
 * A thread's own heap and code, whatever it keeps. Two agents' are beside the option, like the process itself; those of
 * more agents are taken from it, as long as something is left for what it is there for.
 */
const THREAD_BYTES = 35e6;
const THREADS_BESIDE = 2;
const LEAST_FOR_DATA = 64e6;

function forData(memoryBytes: number, agents: number): number {
  const left = memoryBytes - THREAD_BYTES * Math.max(0, agents - THREADS_BESIDE);
  return Math.max(left, Math.min(memoryBytes, LEAST_FOR_DATA));
}

function powerOfTwo(atMost: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, atMost)));
}

/** Rings may take more than their share, down to the smallest ring, but not more than this of all. */
const MOST_FOR_RINGS = 0.5;

/** The least `--memory` that so many agents can do with: each has a ring to each other thread. */
export const leastMemory = (agents: number): number =>
  Math.ceil((agents * (agents + 1) * SMALLEST_RING) / MOST_FOR_RINGS);

/** `option` is `--memory` in bytes; `ringBytes` replaces the plan's own choice when given. */
export function planMemory(option: number, agents: number, ringBytes?: number): MemoryPlan {
  const memoryBytes = forData(option, agents);
  const threads = agents + 1;
  const forRings = 0.08 * memoryBytes;
  const ring =
    ringBytes ??
    Math.min(LARGEST_RING, Math.max(SMALLEST_RING, powerOfTwo(forRings / (threads * Math.max(1, agents)))));
  const perAgent = (0.7 * memoryBytes) / Math.max(1, agents);
  return {
    ringBytes: ring,
    siteTable: 0.06 * memoryBytes,
    siteUrlDrum: 0.08 * memoryBytes,
    siteUrlList: 0.02 * memoryBytes,
    coordinatorOutboxes: 0.02 * memoryBytes,
    ipTable: 0.005 * memoryBytes,
    hostTable: 0.005 * memoryBytes,
    names: 0.01 * memoryBytes,
    digestDrum: 0.008 * memoryBytes,
    digestFilter: Math.min(LARGEST_DIGEST_FILTER, 0.006 * memoryBytes),
    indexLines: Math.min(LARGEST_INDEX_LINES, 0.006 * memoryBytes),
    agent: {
      pageUrlDrum: 0.38 * perAgent,
      sitePartitionDrum: 0.07 * perAgent,
      recentlySeen: Math.min(LARGEST_RECENTLY_SEEN, 0.1 * perAgent),
      recentlyReported: Math.min(LARGEST_RECENTLY_SEEN, 0.03 * perAgent),
      frontier: 0.15 * perAgent,
      unassigned: 0.04 * perAgent,
      inbox: 0.01 * perAgent,
      outboxes: 0.05 * perAgent,
      robots: 0.05 * perAgent,
      robotsRedirects: 0.01 * perAgent,
      robotsFile: Math.max(LEAST_ROBOTS_FILE, ROBOTS_FILE_TIMES * 0.05 * perAgent),
      bodies: 0.1 * perAgent,
    },
  };
}
