/** One call a vendor's API received. Credentials are left out: the state is readable without one. */
export type ReceivedCall = {
  readonly at: string;
  readonly vendor: string;
  readonly method: string;
  /** Path and query as sent, below the vendor's prefix. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
};

export type AddressObject = { readonly name: string; readonly subnet: string; readonly comment: string };

/** Everything the sandbox shows at `GET /sandbox/state`. */
export type SandboxState = {
  readonly calls: readonly ReceivedCall[];
  readonly fortigate: {
    readonly addresses: readonly AddressObject[];
    /** Members by group name. */
    readonly groups: Readonly<Record<string, readonly string[]>>;
  };
};

export type FirewallMemory = {
  readonly addresses: Map<string, AddressObject>;
  readonly groups: Map<string, Set<string>>;
};

export type SandboxMemory = {
  readonly calls: ReceivedCall[];
  readonly fortigate: FirewallMemory;
};

/** The address group a new sandbox has, used by its deny rule. */
export const BLOCK_GROUP = 'AIRdeck-Blocked';

/** Calls kept; older ones are forgotten so that a demo can run for weeks. */
const MAX_CALLS = 2000;

export function createMemory(): SandboxMemory {
  return { calls: [], fortigate: { addresses: new Map(), groups: new Map([[BLOCK_GROUP, new Set<string>()]]) } };
}

export function resetMemory(memory: SandboxMemory): void {
  memory.calls.length = 0;
  memory.fortigate.addresses.clear();
  memory.fortigate.groups.clear();
  memory.fortigate.groups.set(BLOCK_GROUP, new Set());
}

export function recordCall(memory: SandboxMemory, call: ReceivedCall): void {
  memory.calls.push(call);
  if (memory.calls.length > MAX_CALLS) memory.calls.splice(0, memory.calls.length - MAX_CALLS);
}

export function stateOf(memory: SandboxMemory): SandboxState {
  const { addresses, groups } = memory.fortigate;
  return {
    calls: [...memory.calls],
    fortigate: {
      addresses: [...addresses.values()],
      groups: Object.fromEntries([...groups].map(([name, members]) => [name, [...members]])),
    },
  };
}
