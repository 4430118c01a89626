import { addressFamily } from '@airdeck/connector-kit/address-class';
import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { collectPages, nextOffset } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { callFalcon, FALCON, filterTerm, idsIn, objectsIn } from './falcon-client.ts';

const DEVICE_ID = /^[0-9a-f]{32}$/;
const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/;

const PAGE_SIZE = 500;
const MAX_COMPARED = 2000;

export const hostInput: JsonObject = {
  type: 'string',
  title: 'Host',
  description: 'Host name, IP address or device id.',
  minLength: 1,
  maxLength: 255,
};

/**
 * Hosts of exactly that name, address or id; empty when there are none. Falcon takes a name for the beginning of one, and
 * its own exact search minds capitals, so what it answers is compared here.
 */
export async function findHosts(context: ActionContext): Promise<readonly JsonObject[]> {
  const host = inputText(context, 'host', { max: 255 });
  if (DEVICE_ID.test(host)) return readHosts(context, [host]);
  const isAddress = addressFamily(host) !== 0;
  if (!isAddress && !HOST_NAME.test(host)) {
    throw new VendorError('VENDOR_REJECTED', '"host" must be a host name, an IP address or a device id.');
  }
  const field = isAddress ? 'local_ip' : 'hostname';
  const filter = filterTerm(field, host);
  const { items, isCut } = await collectPages({
    vendor: FALCON,
    first: 0,
    maxItems: MAX_COMPARED,
    fetch: async (offset) => {
      const query = { filter, limit: PAGE_SIZE, offset };
      const answer = await callFalcon(context, { path: '/devices/queries/devices/v1', query });
      const ids = idsIn(answer);
      const total = answer.total === null ? {} : { total: answer.total };
      return {
        items: ids.length === 0 ? [] : await readHosts(context, ids),
        next: nextOffset({ offset, limit: PAGE_SIZE, count: ids.length, ...total }),
      };
    },
  });
  if (isCut) {
    throw new VendorError('VENDOR_CONFLICT', `${FALCON} knows too many hosts of such a name. Give the device id.`);
  }
  return items.filter((item) => textOf(item, field)?.toLowerCase() === host.toLowerCase());
}

/** The one host that is meant. Throws `VENDOR_NOT_FOUND` for none, `VENDOR_CONFLICT` for several: never a guess. */
export async function inputHost(context: ActionContext): Promise<JsonObject & { device_id: string }> {
  const hosts = await findHosts(context);
  const [host] = hosts;
  const id = host === undefined ? null : textOf(host, 'device_id');
  if (hosts.length === 1 && host !== undefined && id !== null) return { ...host, device_id: id };
  if (hosts.length === 0) throw new VendorError('VENDOR_NOT_FOUND', `${FALCON} knows no such host.`);
  throw new VendorError('VENDOR_CONFLICT', `${FALCON} knows several such hosts. Give the device id.`);
}

export async function readHosts(context: ConnectorContext, ids: readonly string[]): Promise<readonly JsonObject[]> {
  return objectsIn(
    await callFalcon(context, { method: 'POST', path: '/devices/entities/devices/v2', json: { ids }, reads: true }),
  );
}

const nullableText: JsonObject = { type: ['string', 'null'] };

export const hostOutput: JsonObject = {
  device_id: { type: 'string' },
  hostname: nullableText,
  local_ip: nullableText,
  external_ip: nullableText,
  platform: nullableText,
  os_version: nullableText,
  status: { ...nullableText, description: 'normal, containment_pending, contained or lift_containment_pending.' },
  last_seen: nullableText,
};

/** A host in the shape of `hostOutput`. */
export function hostFacts(host: JsonObject): JsonObject {
  return {
    device_id: textOf(host, 'device_id') ?? '',
    hostname: textOf(host, 'hostname'),
    local_ip: textOf(host, 'local_ip'),
    external_ip: textOf(host, 'external_ip'),
    platform: textOf(host, 'platform_name'),
    os_version: textOf(host, 'os_version'),
    status: textOf(host, 'status'),
    last_seen: textOf(host, 'last_seen'),
  };
}
