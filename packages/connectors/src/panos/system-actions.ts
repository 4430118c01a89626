import type { ActionDefinition, ConnectorContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { inputText } from '../vendor-action.ts';
import { xmlChild, xmlText } from '../xml.ts';
import { panosAction } from './panos-action.ts';
import { callPanos, PANOS, showPanos, vsysOf } from './panos-client.ts';

const nullableText: JsonObject = { type: ['string', 'null'] };

/** What is worth showing of a firewall. */
export async function systemInfo(context: ConnectorContext): Promise<JsonObject> {
  const response = await showPanos(context, '<show><system><info></info></system></show>');
  const system = xmlChild(response, 'result', 'system');
  if (system === undefined) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${PANOS} answered without its system information.`);
  }
  return {
    hostname: xmlText(system, 'hostname'),
    model: xmlText(system, 'model'),
    serial: xmlText(system, 'serial'),
    version: xmlText(system, 'sw-version'),
    uptime: xmlText(system, 'uptime'),
    threat_version: xmlText(system, 'threat-version'),
  };
}

const getSystemInfo = panosAction({
  verb: 'get_system_info',
  friendly_name: 'Get system information',
  description: 'Reads name, model, serial number and version of the firewall.',
  effect: 'reads',
  idempotent: true,
  input: {},
  output: {
    hostname: nullableText,
    model: nullableText,
    serial: nullableText,
    version: nullableText,
    uptime: nullableText,
    threat_version: nullableText,
  },
  run: systemInfo,
});

const GROUP = { max: 63, pattern: /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/, like: 'the name of an address group' };

const getAddressGroup = panosAction({
  verb: 'get_address_group',
  friendly_name: 'Get address group',
  description: 'Reads an address group: to see whether its filter collects the tag that blocks.',
  effect: 'reads',
  idempotent: true,
  input: { group: { type: 'string', title: 'Address group', minLength: 1, maxLength: GROUP.max } },
  required: ['group'],
  output: {
    group: { type: 'string' },
    filter: { ...nullableText, description: 'Of a dynamic group; null for a static one.' },
    members: { type: 'array', items: { type: 'string' }, description: 'Of a static group.' },
  },

  async run(context) {
    // Goes into a path; the pattern has no quotes, so it stays one name.
    const group = inputText(context, 'group', GROUP);
    const xpath = `/config/devices/entry[@name='localhost.localdomain']/vsys/entry[@name='${vsysOf(context.config)}']/address-group/entry[@name='${group}']`;
    const response = await callPanos(context, { type: 'config', form: { action: 'get', xpath }, reads: true });
    const entry = xmlChild(response, 'result', 'entry');
    // What is not there is a success without a result.
    if (entry === undefined) throw new VendorError('VENDOR_NOT_FOUND', `The firewall has no address group ${group}.`);
    const members = xmlChild(entry, 'static')?.children ?? [];
    return {
      group,
      filter: xmlText(entry, 'dynamic', 'filter'),
      members: members.filter(({ name }) => name === 'member').map(({ text }) => text.trim()),
    };
  },
});

const commit = panosAction({
  verb: 'commit',
  friendly_name: 'Commit changes',
  description:
    'Makes all changes that wait on the firewall take effect, those of others too. Goes on by itself: see Get commit status.',
  effect: 'changes',
  idempotent: false,
  input: {},
  output: {
    job_id: { ...nullableText, description: 'Null when there was nothing to commit.' },
    changed: { type: 'boolean' },
  },
  timeout_s: 60,

  async run(context) {
    const response = await callPanos(context, { type: 'commit', form: { cmd: '<commit></commit>' } });
    const job = xmlText(response, 'result', 'job');
    return { job_id: job, changed: job !== null };
  },
});

const JOB = { max: 10, pattern: /^\d+$/, like: 'the number of a job' };

const getCommitStatus = panosAction({
  verb: 'get_commit_status',
  friendly_name: 'Get commit status',
  description: 'Says how far a commit is and how it ended.',
  effect: 'reads',
  idempotent: true,
  input: { job_id: { type: 'string', title: 'Job', minLength: 1, maxLength: JOB.max } },
  required: ['job_id'],
  output: {
    job_id: { type: 'string' },
    type: nullableText,
    is_finished: { type: 'boolean' },
    succeeded: { type: ['boolean', 'null'], description: 'Null while it is not finished.' },
    progress: nullableText,
    details: { type: 'array', items: { type: 'string' } },
  },

  async run(context) {
    const id = inputText(context, 'job_id', JOB);
    const response = await showPanos(context, `<show><jobs><id>${id}</id></jobs></show>`);
    const job = xmlChild(response, 'result', 'job');
    if (job === undefined || xmlText(job, 'id') !== id) {
      throw new VendorError('VENDOR_NOT_FOUND', `The firewall has no job ${id}.`);
    }
    const isFinished = xmlText(job, 'status') === 'FIN';
    return {
      job_id: id,
      type: xmlText(job, 'type'),
      is_finished: isFinished,
      succeeded: isFinished ? xmlText(job, 'result') === 'OK' : null,
      progress: xmlText(job, 'progress'),
      details: (xmlChild(job, 'details')?.children ?? []).map(({ text }) => text.trim()).filter((text) => text !== ''),
    };
  },
});

export const systemActions: readonly ActionDefinition[] = [getSystemInfo, getAddressGroup, commit, getCommitStatus];
