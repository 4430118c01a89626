/**
 * Slots shared by tenants: some per tenant, some in all, so that one tenant's work cannot keep the others from theirs. Work
 * that finds no slot waits in the line of its tenant; slots that become free go round the tenants in turn. What runs must
 * end by itself, so waiting ends too; whoever goes away leaves the line. State is of this process only: a crash forgets
 * lines whose owners are gone anyway.
 */
export type TenantSlots = {
  /**
   * Throws what `refusal` makes when the tenant's line is full, and the signal's reason when it is aborted while waiting;
   * without a signal nobody leaves the line.
   */
  run<T>(tenant: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
};

export type SlotBounds = {
  /** A function is asked whenever a slot is: what a tenant may have can change meanwhile. */
  readonly perTenant: number | ((tenant: string) => number);
  readonly inAll: number;
};
/** How long the line of a tenant may become, and what whoever comes then is told. */
type Line = { readonly waitingPerTenant: number; refusal(): Error };

type Waiter = { readonly start: () => void };
type Lane = { running: number; readonly waiting: Waiter[] };

export function createTenantSlots(bounds: SlotBounds, line?: Line): TenantSlots {
  /** In the order in which they get the next free slot. */
  const lanes = new Map<string, Lane>();
  let running = 0;
  const { perTenant } = bounds;
  const slotsOf = typeof perTenant === 'number' ? () => perTenant : perTenant;

  function laneOf(tenant: string): Lane {
    const lane = lanes.get(tenant) ?? { running: 0, waiting: [] };
    lanes.set(tenant, lane);
    return lane;
  }

  function mayStart(tenant: string, lane: Lane): boolean {
    return running < bounds.inAll && lane.running < slotsOf(tenant);
  }

  function take(lane: Lane): void {
    running += 1;
    lane.running += 1;
  }

  function release(tenant: string, lane: Lane): void {
    running -= 1;
    lane.running -= 1;
    // To the end of the round.
    lanes.delete(tenant);
    if (lane.running > 0 || lane.waiting.length > 0) lanes.set(tenant, lane);
    while (startOneOfEach());
  }

  /** Whether anybody could be started: more than one slot is free where a tenant may have more than before. */
  function startOneOfEach(): boolean {
    let anybody = false;
    for (const [tenant, lane] of [...lanes]) {
      if (lane.waiting.length === 0 || !mayStart(tenant, lane)) continue;
      take(lane);
      lane.waiting.shift()?.start();
      anybody = true;
    }
    return anybody;
  }

  function wait(tenant: string, lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = lane.waiting.indexOf(waiter);
        if (at !== -1) lane.waiting.splice(at, 1);
        if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(tenant);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      lane.waiting.push(waiter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async run(tenant, signal, work) {
      signal?.throwIfAborted();
      const lane = laneOf(tenant);
      if (lane.waiting.length === 0 && mayStart(tenant, lane)) take(lane);
      else if (line !== undefined && lane.waiting.length >= line.waitingPerTenant) throw line.refusal();
      else await wait(tenant, lane, signal);
      try {
        return await work();
      } finally {
        release(tenant, lane);
      }
    },
  };
}
