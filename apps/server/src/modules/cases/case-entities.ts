import { isIP } from 'node:net';
import type { CaseEntity, CaseEntityKind } from '@airdeck/contracts/cases/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';

const PER_KIND = 25;
const VALUE_MAX = 256;
const DEPTH_MAX = 4;
/** A field of an event that is longer holds no list of hashes somebody wants to read. */
const HASH_TEXT_MAX = 2_000;

/** SHA-256, SHA-1, MD5 in hexadecimal, alone or as in `SHA1=…,MD5=…`. */
const HASH = /(?<![0-9a-z])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi;
const HASH_FIELD = /hash|md5|sha\d|sha-\d/i;
const USER_FIELD = /(?:^|[._])(?:user|username|user_name|account|actor|principal)$/i;
const HOST_FIELD = /(?:^|[._])(?:host|hostname|host_name|computer|device)$/i;

type Event = Pick<StoredEvent, 'user' | 'host' | 'src_ip' | 'dst_ip' | 'fields'>;
type Named = { kind: CaseEntityKind; value: string };

/** Users, hosts, addresses and hashes that group values and events name. */
export function entitiesOf(meta: JsonObject, events: readonly Event[]): CaseEntity[] {
  const found = new Map<string, CaseEntity>();
  const note = ({ kind, value }: Named, isGroupValue: boolean): void => {
    const key = `${kind}/${kind === 'user' ? value : value.toLowerCase()}`;
    const known = found.get(key);
    if (known === undefined) {
      found.set(key, { kind, value, events: isGroupValue ? 0 : 1, is_group_value: isGroupValue });
    } else if (!isGroupValue) known.events += 1;
  };
  for (const [name, value] of Object.entries(meta)) {
    for (const one of namedByGroup(name, value)) note(one, true);
  }
  for (const event of events) {
    const named = new Map(entitiesOfEvent(event).map((one) => [`${one.kind}/${one.value.toLowerCase()}`, one]));
    for (const one of named.values()) note(one, false);
  }
  return mostTelling([...found.values()]);
}

function mostTelling(entities: readonly CaseEntity[]): CaseEntity[] {
  const order: Readonly<Record<CaseEntityKind, number>> = { user: 0, host: 1, address: 2, hash: 3 };
  const kept = { user: 0, host: 0, address: 0, hash: 0 };
  return entities
    .toSorted(
      (a, b) =>
        Number(b.is_group_value) - Number(a.is_group_value) ||
        order[a.kind] - order[b.kind] ||
        b.events - a.events ||
        (a.value < b.value ? -1 : 1),
    )
    .filter(({ kind }) => {
      kept[kind] += 1;
      return kept[kind] <= PER_KIND;
    });
}

function namedByGroup(name: string, value: unknown): Named[] {
  if (typeof value !== 'string') return [];
  if (isIP(value) !== 0) return [{ kind: 'address', value }];
  if (HASH_FIELD.test(name)) return hashesIn(value);
  if (USER_FIELD.test(name)) return plain('user', value);
  if (HOST_FIELD.test(name)) return plain('host', value);
  return [];
}

/** What one event names, the same also several times. */
export function entitiesOfEvent({ user, host, src_ip, dst_ip, fields }: Event): Named[] {
  const addresses = [src_ip, dst_ip, ...(isIP(host) === 0 ? [] : [host])].filter((text) => isIP(text) !== 0);
  return [
    ...plain('user', user),
    ...(isIP(host) === 0 ? plain('host', host) : []),
    ...addresses.map((value): Named => ({ kind: 'address', value })),
    ...hashFields(fields, DEPTH_MAX),
  ];
}

/** Only what is named a hash: session and trace ids look alike. */
function hashFields(value: unknown, depth: number, name = ''): Named[] {
  if (typeof value === 'string') return HASH_FIELD.test(name) ? hashesIn(value) : [];
  if (value === null || typeof value !== 'object' || depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, PER_KIND).flatMap((each) => hashFields(each, depth - 1, name));
  return Object.entries(value).flatMap(([key, each]) =>
    hashFields(each, depth - 1, HASH_FIELD.test(key) || !HASH_FIELD.test(name) ? key : name),
  );
}

function hashesIn(text: string): Named[] {
  return [...text.slice(0, HASH_TEXT_MAX).matchAll(HASH)].map(([value]) => ({
    kind: 'hash',
    value: value.toLowerCase(),
  }));
}

function plain(kind: 'user' | 'host', text: string): Named[] {
  const value = text.trim();
  return value === '' || value === '-' || value.length > VALUE_MAX ? [] : [{ kind, value }];
}
