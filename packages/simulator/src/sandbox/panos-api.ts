import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VendorFailures } from './disturbances.ts';
import { firstText, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

type Job = { readonly id: string; polls: number };

type Memory = {
  /** Tags by address. */
  readonly tags: Map<string, Map<string, number | null>>;
  readonly jobs: Job[];
  hasChanges: boolean;
};

/** The one tag the sandbox's deny rule blocks by, and its group. */
const BLOCK_TAG = 'airdeck-blocked';
const BLOCK_GROUP = 'Blocked by AIRdeck';

/** The XML API of a firewall: system information, tags on addresses, an address group, commits. */
export function createPanosApi(): VendorApi {
  const memory: Memory = { tags: new Map(), jobs: [], hasChanges: false };
  return {
    id: 'panos',
    failures,
    state: () => ({
      tags: Object.fromEntries([...memory.tags].map(([address, tags]) => [address, Object.fromEntries(tags)])),
      commits: memory.jobs.length,
    }),
    reset() {
      memory.tags.clear();
      memory.jobs.splice(0);
      memory.hasChanges = false;
    },
    register(app, { key }) {
      // Not the vendor's: something waits to be committed.
      app.post('/sandbox/edit', async () => {
        memory.hasChanges = true;
        return {};
      });
      app.post<{ Body: unknown }>('/sandbox/tags', async (request) => {
        for (const [address, tag] of Object.entries(objectOf(request.body)))
          tagsOf(memory, address).set(textOf(tag), null);
        return {};
      });
      registerXmlApi(app, memory, key);
    },
  };
}

const failures: VendorFailures = {
  // All of them with HTTP 200, as the vendor does.
  unauthorized: xmlFailure(200, 403, 'Invalid Credential'),
  forbidden: xmlFailure(200, 16, 'Unauthorized request'),
  rate_limited: {
    status: 429,
    headers: { 'retry-after': '20', 'content-type': 'text/plain' },
    body: 'Too many requests',
  },
  error_in_200: xmlFailure(200, 17, 'show -> system -> info is unexpected'),
  cut_json: {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: '<response status="success"><result><system><hostna',
  },
};

function xmlFailure(status: number, code: number, message: string) {
  const body = `<response status="error" code="${code}"><result><msg>${message}</msg></result></response>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

function registerXmlApi(app: FastifyInstance, memory: Memory, key: string): void {
  app.post<{ Body: unknown }>('/api/', async (request, reply) => {
    if (request.headers['x-pan-key'] !== key) return refuse(reply, 403, 'Invalid Credential');
    const form = objectOf(request.body);
    const cmd = textOf(form.cmd);
    switch (firstText(objectOf(request.query).type)) {
      case 'op':
        return runCommand(memory, cmd, reply);
      case 'user-id':
        return changeTags(memory, cmd, reply);
      case 'commit':
        return commit(memory, reply);
      case 'config':
        return readConfig(textOf(form.xpath), reply);
      default:
        return refuse(reply, 1, 'Unknown type');
    }
  });
}

const SYSTEM = [
  '<system><hostname>sandbox-pa</hostname><ip-address>192.0.2.10</ip-address><uptime>41 days, 3:12:09</uptime>',
  '<model>PA-VM</model><serial>007000000000001</serial><sw-version>10.2.9</sw-version><threat-version>8800-8900</threat-version></system>',
].join('');

type Command = { readonly pattern: RegExp; run(memory: Memory, match: RegExpExecArray): string | undefined };

const commands: readonly Command[] = [
  { pattern: /^<show><system><info><\/info><\/system><\/show>$/, run: () => SYSTEM },
  {
    pattern: /^<show><object><registered-ip><ip>([^<]{1,45})<\/ip><\/registered-ip><\/object><\/show>$/,
    run: (memory, [, address = '']) => entriesXml(memory, [address]),
  },
  {
    pattern:
      /^<show><object><registered-ip><limit>(\d+)<\/limit><start-point>(\d+)<\/start-point><tag><entry name="([^"<]+)"\/><\/tag><\/registered-ip><\/object><\/show>$/,
    run(memory, [, limit, start, tag = '']) {
      const found = [...memory.tags].filter(([, tags]) => tags.has(tag)).map(([address]) => address);
      const first = Number(start) - 1;
      return entriesXml(memory, found.slice(first, first + Number(limit)));
    },
  },
  {
    pattern: /^<show><jobs><id>(\d+)<\/id><\/jobs><\/show>$/,
    run(memory, [, id]) {
      const job = memory.jobs.find((one) => one.id === id);
      if (job === undefined) return undefined;
      job.polls += 1;
      const [status, result, progress] = job.polls > 1 ? ['FIN', 'OK', '100'] : ['ACT', 'PEND', '55'];
      const details = job.polls > 1 ? '<line>Configuration committed successfully</line>' : '';
      return `<job><id>${job.id}</id><type>Commit</type><status>${status}</status><result>${result}</result><progress>${progress}</progress><details>${details}</details></job>`;
    },
  },
];

function runCommand(memory: Memory, cmd: string, reply: FastifyReply): FastifyReply {
  for (const { pattern, run } of commands) {
    const match = pattern.exec(cmd);
    if (match === null) continue;
    const result = run(memory, match);
    return result === undefined ? refuse(reply, 7, 'job not found') : succeed(reply, `<result>${result}</result>`);
  }
  return refuse(reply, 17, 'The command is unexpected');
}

function entriesXml(memory: Memory, addresses: readonly string[]): string {
  const entries = addresses.flatMap((address) => {
    const tags = memory.tags.get(address);
    if (tags === undefined) return [];
    const members = [...tags.keys()].map((tag) => `<member>${tag}</member>`).join('');
    return [`<entry ip="${address}" from_agent="0" persistent="1"><tag>${members}</tag></entry>`];
  });
  return `${entries.join('')}<count>${entries.length}</count>`;
}

const UID_MESSAGE =
  /^<uid-message><version>1\.0<\/version><type>update<\/type><payload><(register|unregister)><entry ip="([0-9a-f.:]{2,45})"><tag><member(?: timeout="(\d{1,7})")?>([\w .-]{1,127})<\/member><\/tag><\/entry><\/\1><\/payload><\/uid-message>$/;

function changeTags(memory: Memory, cmd: string, reply: FastifyReply): FastifyReply {
  const match = UID_MESSAGE.exec(cmd);
  if (match === null) return refuse(reply, 17, 'The message is not valid');
  const [, kind, address = '', timeout, tag = ''] = match;
  const has = memory.tags.get(address)?.has(tag) === true;
  if (kind === 'register') {
    if (has) return refuseEntry(reply, kind, address, `tag ${tag} already exists, ignore`);
    tagsOf(memory, address).set(tag, timeout === undefined ? null : Number(timeout));
  } else {
    if (!has) return refuseEntry(reply, 'unregister', address, `tag ${tag} does not exist, ignore unreg`);
    memory.tags.get(address)?.delete(tag);
    if (memory.tags.get(address)?.size === 0) memory.tags.delete(address);
  }
  return succeed(
    reply,
    '<result><uid-response><version>2.0</version><payload><register></register></payload></uid-response></result>',
  );
}

function tagsOf(memory: Memory, address: string): Map<string, number | null> {
  const tags = memory.tags.get(address) ?? new Map<string, number | null>();
  memory.tags.set(address, tags);
  return tags;
}

function commit(memory: Memory, reply: FastifyReply): FastifyReply {
  if (!memory.hasChanges) return succeed(reply, '<msg>There are no changes to commit.</msg>', 13);
  memory.hasChanges = false;
  const id = String(memory.jobs.length + 23);
  memory.jobs.push({ id, polls: 0 });
  return succeed(
    reply,
    `<result><msg><line>Commit job enqueued with jobid ${id}</line></msg><job>${id}</job></result>`,
    19,
  );
}

function readConfig(xpath: string, reply: FastifyReply): FastifyReply {
  const name = /\/vsys\/entry\[@name='vsys1'\]\/address-group\/entry\[@name='([^']+)'\]$/.exec(xpath)?.[1];
  if (name === BLOCK_GROUP) {
    const entry = `<entry name="${name}"><dynamic><filter>'${BLOCK_TAG}'</filter></dynamic></entry>`;
    return succeed(reply, `<result total-count="1" count="1">${entry}</result>`, 19);
  }
  if (name === 'servers') {
    const entry = '<entry name="servers"><static><member>web-1</member><member>web-2</member></static></entry>';
    return succeed(reply, `<result total-count="1" count="1">${entry}</result>`, 19);
  }
  return succeed(reply, '<result/>', 7);
}

function succeed(reply: FastifyReply, inner: string, code?: number): FastifyReply {
  const attribute = code === undefined ? '' : ` code="${code}"`;
  return reply.type('application/xml').send(`<response status="success"${attribute}>${inner}</response>`);
}

function refuse(reply: FastifyReply, code: number, message: string): FastifyReply {
  const { status, headers, body } = xmlFailure(200, code, message);
  return reply.code(status).headers(headers).send(body);
}

function refuseEntry(reply: FastifyReply, kind: string, address: string, message: string): FastifyReply {
  const payload = `<payload><${kind}><entry ip="${address}" message="${message}"/></${kind}></payload>`;
  return reply
    .type('application/xml')
    .send(
      `<response status="error"><msg><line><uid-response><version>2.0</version>${payload}</uid-response></line></msg></response>`,
    );
}
