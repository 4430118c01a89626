import type { AuditRecord } from '@airdeck/contracts/audit/schema';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { isUuid } from '@airdeck/domain/uuid';
import { kindWord } from './audit-words.ts';

/** What ids of a record are called now. */
export type AuditNames = {
  /** Full names by id and by username. */
  readonly people: ReadonlyMap<string, string>;
  readonly tenant: { readonly id: string; readonly name: string };
};

export function peopleOf(users: readonly Pick<TenantUser, 'id' | 'uname' | 'fullname'>[]): AuditNames['people'] {
  return new Map(
    users.flatMap(({ id, uname, fullname }) => [
      [id, fullname],
      [uname, fullname],
    ]),
  );
}

/** Full name of who did it; undefined for those who are not in the tenant, and for what is nobody. */
export function actorName({ kind, id, name }: AuditRecord['actor'], { people }: AuditNames): string | undefined {
  if (kind !== 'user' && kind !== 'api_key') return undefined;
  return (id === null ? undefined : people.get(id)) ?? people.get(name);
}

type TargetWords = {
  kind: string;
  /** What it is called, or as much of its id as tells it from its neighbours; undefined where there is only a kind. */
  name: string | undefined;
};

/** What was acted on, for reading: today's name, the one the record holds, or the end of the id. */
export function targetWords({ target, data }: Pick<AuditRecord, 'target' | 'data'>, names: AuditNames): TargetWords {
  const { kind, id } = target;
  const name = (id === null ? undefined : nameNow(kind, id, names)) ?? recordedName(kind, data);
  return { kind: kindWord(kind), name: name ?? (id === null ? undefined : shortId(id)) };
}

function nameNow(kind: string, id: string, { people, tenant }: AuditNames): string | undefined {
  if (kind === 'user') return people.get(id);
  return kind === 'tenant' && id === tenant.id ? tenant.name : undefined;
}

const nameFields = ['reference', 'name', 'title', 'domain', 'email'] as const;
/** Other names in a person's or a tenant's records are those of what they have: a passkey, a key. */
const ownNameFields: Readonly<Record<string, readonly string[]>> = { user: ['email'], tenant: [] };

function recordedName(kind: string, data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const fields: readonly string[] = ownNameFields[kind] ?? nameFields;
  return fields.map((field) => Reflect.get(data, field)).find((value) => typeof value === 'string' && value !== '');
}

const SHOWN_LENGTH = 8;

/** The end, because ids made in the same minute begin alike. What is no uuid is a name already. */
function shortId(id: string): string {
  return isUuid(id) ? `…${id.slice(-SHOWN_LENGTH)}` : id;
}
