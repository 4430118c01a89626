/**
 * The one module that opens sockets to the outside.
 *
 * Every request: http or https only, no credentials in the URL, no denied port → the host is resolved here, every address
 * classified (see address-class.ts) → exactly a classified address is dialled (see egress-dial.ts). Connections are kept
 * per tenant, so no tenant rides on another one's. Answers are read to their end under a size limit; redirects are refused.
 */

import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { Agent } from 'undici';
import { requireSendable, unlessAborted } from './egress-asking.ts';
import { readBody } from './egress-body.ts';
import type { AddressRules, Destination, Resolve } from './egress-destination.ts';
import { checkUrl, hostOf, portOf, resolveAllowed, undecided } from './egress-destination.ts';
import { createDialer } from './egress-dial.ts';
import { EgressError } from './egress-error.ts';
import { asEgressError } from './egress-failure.ts';
import { type EgressProbe, type ProbeRequest, probe } from './egress-probe.ts';
import { openSocket, type SocketRequest } from './egress-socket.ts';
import { isOwnAddress, type OwnNetwork } from './own-networks.ts';
import { retryAfterSeconds } from './retry-after.ts';

export type EgressRequest = {
  readonly tenant: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Certificate authorities in PEM to trust instead of the public ones: appliances with their own. */
  readonly ca?: string;
  /** Whole call in milliseconds; can only shorten the module's limit. */
  readonly timeoutMs?: number;
  /** A POST that changes nothing at the receiver: a search, a token. Says so to the mark of changing calls. */
  readonly reads?: boolean;
  /**
   * Of a JSON answer that is larger than the limit, give the outline instead of refusing it; see json-outline.ts. Then the answer
   * is read to its end, and held no more than any other.
   */
  readonly outline?: boolean;
};

export type EgressResponse = {
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Seconds the receiver asks to wait, from `Retry-After`. */
  readonly retryAfterS: number | undefined;
  /** `text` is the outline of what was answered. */
  readonly isOutline?: boolean;
};

/** Any HTTP status is an answer; only what prevents an answer is thrown, as `EgressError`. */
export interface Egress {
  request(request: EgressRequest): Promise<EgressResponse>;
  /** A plain connection to a mail server; see egress-socket.ts. Throws `EgressError`. Absent: none may be opened. */
  openSocket?(request: SocketRequest): Promise<Socket>;
}

export type EgressOptions = {
  /** The local sandbox: may be reached although it is on loopback. Host as written in the URL. */
  readonly allowLoopback?: readonly { readonly host: string; readonly port: number }[];
  /**
   * Private networks of a tenant's own, which only it may reach. Asked at every call, so it has to be quick; connections
   * made under another answer are not used again. What it rejects with is thrown by the call.
   */
  readonly ownNetworks?: (tenant: string) => Promise<readonly OwnNetwork[]>;
  /** Whether a destination is this installation itself, which nobody may call through it. The sandbox is not asked about. */
  readonly isOurs?: (destination: Destination, address: string) => boolean;
  readonly resolve?: Resolve;
  /** Default 10 000. */
  readonly connectTimeoutMs?: number;
  /** Default 30 000. */
  readonly totalTimeoutMs?: number;
  /** Default 10 MiB. */
  readonly maxBodyBytes?: number;
  readonly now?: () => Date;
};

/**
 * `check` classifies a destination without sending anything; `probe` looks at one without reading what it says; `close`
 * ends all kept connections.
 */
export type GuardedEgress = Egress & {
  check(tenant: string, url: string): Promise<void>;
  /** One GET on a connection of its own, ended after the header. Throws `EgressError` like `request`. */
  probe(request: ProbeRequest): Promise<EgressProbe>;
  close(): Promise<void>;
};

/** Tenants (and own certificate authorities) whose connections are kept at the same time. */
const MAX_AGENTS = 500;

export function createEgress(options: EgressOptions = {}): GuardedEgress {
  const totalTimeoutMs = options.totalTimeoutMs ?? 30_000;
  const maxBytes = options.maxBodyBytes ?? 10 * 1_048_576;
  const now = options.now ?? (() => new Date());
  const dialDeps = {
    resolve: options.resolve ?? resolveWithSystem,
    ...addressRules(options),
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
  };
  const isSandbox = sandboxes(options);
  const agents = createAgents((tenant, ca) => createDialer(tenant, ca, dialDeps));
  const ownNetworksOf = async (tenant: string) => (await options.ownNetworks?.(tenant)) ?? [];

  return {
    async check(tenant, text) {
      const url = checkUrl(text);
      await resolveAllowed({ tenant, host: hostOf(url), port: portOf(url) }, dialDeps);
    },

    async request(request) {
      const url = checkUrl(request.url);
      const host = hostOf(url);
      const timeoutMs = Math.min(request.timeoutMs ?? totalTimeoutMs, totalTimeoutMs);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
      try {
        const networks = await ownNetworksOf(request.tenant).catch((cause: unknown) => {
          throw undecided(host, cause);
        });
        requireSendable(request.headers ?? {}, host);
        const asked = agents.of(request.tenant, request.ca, networks).request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method,
          headers: { 'user-agent': 'AIRdeck', 'accept-encoding': 'gzip, deflate, br', ...request.headers },
          body: request.body ?? null,
          signal,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
        const answer = await unlessAborted(asked, signal);
        // A body that is dropped or aborted emits an error; whoever reads it gets it thrown, so this listener is for nobody else.
        answer.body.on('error', () => undefined);
        const headers = flatHeaders(answer.headers);
        if (answer.statusCode >= 300 && answer.statusCode < 400 && headers.location !== undefined) {
          answer.body.destroy();
          throw new EgressError('REDIRECT_REFUSED', redirected(host, headers.location, url), {
            outcomeUnknown: answersElsewhere.has(answer.statusCode),
          });
        }
        const outline = request.outline === true;
        const { text, isOutline } = await readBody(answer.body, headers['content-encoding'], {
          host,
          maxBytes,
          outline,
        });
        return {
          status: answer.statusCode,
          headers,
          text,
          retryAfterS: retryAfterSeconds(headers['retry-after'], now()),
          ...(isOutline ? { isOutline } : {}),
        };
      } catch (error) {
        throw asEgressError(error, {
          host,
          timeoutMs,
          timedOut: timeout.aborted,
          aborted: request.signal?.aborted === true,
        });
      }
    },

    openSocket: (request) => openSocket(request, { ...dialDeps, isSandbox }),

    probe: (request) => probe(request, { ...dialDeps, totalTimeoutMs }),

    close: () => agents.close(),
  };
}

/** Addresses as the operating system finds them, hosts file included, in both families. */
async function resolveWithSystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map((entry) => entry.address);
}

function sandboxes(options: EgressOptions): (host: string, port: number) => boolean {
  const known = new Set((options.allowLoopback ?? []).map((entry) => `${entry.host} ${entry.port}`));
  return (host, port) => known.has(`${host} ${port}`);
}

function addressRules(options: EgressOptions): AddressRules {
  const isSandbox = sandboxes(options);
  return {
    isRefused(destination, address) {
      if (isLoopback(address) && isSandbox(destination.host, destination.port)) return false;
      return options.isOurs?.(destination, address) === true;
    },
    async isExcepted(destination, address) {
      if (isLoopback(address)) return isSandbox(destination.host, destination.port);
      return isOwnAddress(address, (await options.ownNetworks?.(destination.tenant)) ?? []);
    },
  };
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

type DialerOf = (tenant: string, ca: string | undefined) => ReturnType<typeof createDialer>;

/** One agent per tenant, its own networks and certificate authority; the one unused longest gives way. */
function createAgents(dialerOf: DialerOf) {
  const agents = new Map<string, Agent>();
  return {
    of(tenant: string, ca: string | undefined, networks: readonly OwnNetwork[]): Agent {
      const key = JSON.stringify([tenant, ca ?? null, networks]);
      const known = agents.get(key);
      const agent = known ?? new Agent({ connect: dialerOf(tenant, ca), connections: 16 });
      agents.delete(key);
      agents.set(key, agent);
      if (agents.size > MAX_AGENTS) {
        const [oldestKey, oldest] = agents.entries().next().value ?? [];
        if (oldestKey !== undefined) agents.delete(oldestKey);
        oldest?.close().catch(() => undefined);
      }
      return agent;
    },
    async close() {
      const all = [...agents.values()];
      agents.clear();
      await Promise.all(all.map((agent) => agent.destroy()));
    },
  };
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.push([name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]);
  }
  return Object.fromEntries(flat);
}

/** What many answer a form with once they have taken it; also a page for signing in. Others did nothing yet. */
const answersElsewhere: ReadonlySet<number> = new Set([302, 303]);

function redirected(host: string, location: string, base: URL) {
  if (!URL.canParse(location, base.href)) return refusal('EGRESS_REDIRECT_UNREADABLE', { host });
  return refusal('EGRESS_REDIRECT', { host, target: new URL(location, base.href).host });
}
