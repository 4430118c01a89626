import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VendorFailures } from './disturbances.ts';
import { integerOf, listOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

const SERIAL = 'FGVMSANDBOX00001';
const VERSION = { version: 'v7.4.1', build: 2463 };

/** FortiOS error numbers: look at `status` and `error`, not only at the HTTP status. A 404 comes without one. */
const fortiErrors = {
  duplicate: { error: -5, httpStatus: 500 },
  notFound: { error: undefined, httpStatus: 404 },
  missingReference: { error: -3, httpStatus: 500 },
  badInput: { error: -651, httpStatus: 500 },
  inUse: { error: -23, httpStatus: 500 },
} as const;

export type AddressObject = { readonly name: string; readonly subnet: string; readonly comment: string };

/** What the sandbox shows of the firewall. */
export type FirewallState = {
  readonly addresses: readonly AddressObject[];
  /** Members by group name. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
};

type FirewallMemory = {
  readonly addresses: Map<string, AddressObject>;
  readonly groups: Map<string, Set<string>>;
};

/** The address group a new sandbox has, used by its deny rule. */
const BLOCK_GROUP = 'AIRdeck-Blocked';

/** The deny rule on the group, then one policy for each of the company's services. */
const policies: readonly Readonly<Record<string, unknown>>[] = [
  policy(1, 'deny-blocked', { action: 'deny', source: BLOCK_GROUP, service: 'ALL' }),
  ...Array.from({ length: 119 }, (_none, index) =>
    policy(index + 2, `service-${index + 1}`, { action: 'accept', source: 'all', service: 'HTTPS' }),
  ),
];

function policy(id: number, name: string, parts: { action: string; source: string; service: string }) {
  return {
    policyid: id,
    name,
    status: 'enable',
    action: parts.action,
    srcintf: [{ name: 'wan1' }],
    dstintf: [{ name: 'lan' }],
    srcaddr: [{ name: parts.source }],
    dstaddr: [{ name: 'all' }],
    service: [{ name: parts.service }],
  };
}

type Target = { method: string; path: string; name: string; mkey?: string; vdom: string };

/** The part of FortiOS 7.4's REST API that a blocking integration uses: addresses, address groups, system status. */
export function createFortigateApi(): VendorApi & { state(): FirewallState } {
  const firewall: FirewallMemory = { addresses: new Map(), groups: new Map([[BLOCK_GROUP, new Set<string>()]]) };
  return {
    id: 'fortigate',
    failures,
    register: (app, { key }) => registerFirewall(app, firewall, key),
    state: () => ({
      addresses: [...firewall.addresses.values()],
      groups: Object.fromEntries([...firewall.groups].map(([name, members]) => [name, [...members]])),
    }),
    reset() {
      firewall.addresses.clear();
      firewall.groups.clear();
      firewall.groups.set(BLOCK_GROUP, new Set());
    },
  };
}

const failures: VendorFailures = {
  unauthorized: { status: 401, headers: { 'content-type': 'text/html' }, body: '<h1>401 Unauthorized</h1>' },
  forbidden: { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>403 Forbidden</h1>' },
  rate_limited: { status: 429, headers: { 'retry-after': '60' }, body: '' },
  error_in_200: {
    status: 200,
    body: {
      http_method: 'POST',
      status: 'error',
      error: -651,
      http_status: 200,
      vdom: 'root',
      serial: SERIAL,
      ...VERSION,
    },
  },
};

function registerFirewall(app: FastifyInstance, firewall: FirewallMemory, key: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === `Bearer ${key}`) return;
    await reply.code(401).type('text/html').send('<h1>401 Unauthorized</h1>');
  });

  app.get('/api/v2/monitor/system/status', async (request) => ({
    ...success({ method: 'GET', path: 'system', name: 'status', vdom: vdomOf(request) }),
    results: {
      model_name: 'FortiGate',
      model_number: 'VM64',
      model: 'FGVM64',
      hostname: 'sandbox-fw',
      log_disk_status: 'available',
    },
  }));

  app.get('/api/v2/cmdb/firewall/policy', async (request) => {
    const query = objectOf(request.query);
    const start = integerOf(query.start, 0);
    const results = policies.slice(start, start + integerOf(query.count, policies.length));
    return { ...success({ method: 'GET', path: 'firewall', name: 'policy', vdom: vdomOf(request) }), results };
  });

  app.post<{ Body: unknown }>('/api/v2/cmdb/firewall/address', async (request, reply) => {
    const body = objectOf(request.body);
    const name = textOf(body.name);
    const target = { method: 'POST', path: 'firewall', name: 'address', mkey: name, vdom: vdomOf(request) };
    const subnet = textOf(body.subnet);
    if (name === '' || name.length > 79 || !isSubnet(subnet)) return failure(reply, target, 'badInput');
    if (firewall.addresses.has(name)) return failure(reply, target, 'duplicate');
    firewall.addresses.set(name, { name, subnet, comment: textOf(body.comment) });
    return success(target);
  });

  app.get<{ Params: { name: string } }>('/api/v2/cmdb/firewall/address/:name', async (request, reply) => {
    const { name } = request.params;
    const target = { method: 'GET', path: 'firewall', name: 'address', mkey: name, vdom: vdomOf(request) };
    const found = firewall.addresses.get(name);
    return found === undefined ? failure(reply, target, 'notFound') : { ...success(target), results: [found] };
  });

  app.delete<{ Params: { name: string } }>('/api/v2/cmdb/firewall/address/:name', async (request, reply) => {
    const { name } = request.params;
    const target = { method: 'DELETE', path: 'firewall', name: 'address', mkey: name, vdom: vdomOf(request) };
    if (!firewall.addresses.has(name)) return failure(reply, target, 'notFound');
    if ([...firewall.groups.values()].some((members) => members.has(name))) return failure(reply, target, 'inUse');
    firewall.addresses.delete(name);
    return success(target);
  });

  app.post<{ Body: unknown }>('/api/v2/cmdb/firewall/addrgrp', async (request, reply) => {
    const body = objectOf(request.body);
    const name = textOf(body.name);
    const target = { method: 'POST', path: 'firewall', name: 'addrgrp', mkey: name, vdom: vdomOf(request) };
    const members = listOf(body.member).map((member) => textOf(objectOf(member).name));
    if (name === '' || name.length > 79) return failure(reply, target, 'badInput');
    if (firewall.groups.has(name)) return failure(reply, target, 'duplicate');
    if (members.some((member) => !firewall.addresses.has(member))) return failure(reply, target, 'missingReference');
    firewall.groups.set(name, new Set(members));
    return success(target);
  });

  app.get<{ Params: { group: string } }>('/api/v2/cmdb/firewall/addrgrp/:group', async (request, reply) => {
    const { group } = request.params;
    const target = { method: 'GET', path: 'firewall', name: 'addrgrp', mkey: group, vdom: vdomOf(request) };
    const members = firewall.groups.get(group);
    if (members === undefined) return failure(reply, target, 'notFound');
    return { ...success(target), results: [{ name: group, member: [...members].map((name) => ({ name })) }] };
  });

  app.post<{ Params: { group: string }; Body: unknown }>(
    '/api/v2/cmdb/firewall/addrgrp/:group/member',
    async (request, reply) => {
      const name = textOf(objectOf(request.body).name);
      const target = { method: 'POST', path: 'firewall', name: 'addrgrp', mkey: name, vdom: vdomOf(request) };
      return addMember(firewall, request.params.group, name, { reply, target });
    },
  );

  app.delete<{ Params: { group: string; name: string } }>(
    '/api/v2/cmdb/firewall/addrgrp/:group/member/:name',
    async (request, reply) => {
      const { group, name } = request.params;
      const target = { method: 'DELETE', path: 'firewall', name: 'addrgrp', mkey: name, vdom: vdomOf(request) };
      if (firewall.groups.get(group)?.delete(name) !== true) return failure(reply, target, 'notFound');
      return success(target);
    },
  );
}

function addMember(
  firewall: FirewallMemory,
  group: string,
  name: string,
  { reply, target }: { reply: FastifyReply; target: Target },
): unknown {
  const members = firewall.groups.get(group);
  if (members === undefined) return failure(reply, target, 'notFound');
  if (!firewall.addresses.has(name)) return failure(reply, target, 'missingReference');
  if (members.has(name)) return failure(reply, target, 'duplicate');
  members.add(name);
  return success(target);
}

function success({ method, path, name, mkey, vdom }: Target): Record<string, unknown> {
  return {
    http_method: method,
    ...(mkey === undefined ? {} : { mkey }),
    status: 'success',
    http_status: 200,
    vdom,
    path,
    name,
    serial: SERIAL,
    ...VERSION,
  };
}

function failure(reply: FastifyReply, target: Target, kind: keyof typeof fortiErrors): FastifyReply {
  const { error, httpStatus } = fortiErrors[kind];
  // Undefined is left out of the JSON.
  return reply.code(httpStatus).send({ ...success(target), status: 'error', error, http_status: httpStatus });
}

function vdomOf(request: FastifyRequest): string {
  return textOf(objectOf(request.query).vdom) || 'root';
}

/** `203.0.113.7 255.255.255.255` or `203.0.113.7/32`. */
function isSubnet(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2}| \d{1,3}(?:\.\d{1,3}){3})$/.test(text);
}
