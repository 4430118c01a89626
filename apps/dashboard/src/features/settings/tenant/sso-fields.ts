import { type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type { SsoConnection, SsoKind } from '@airdeck/contracts/settings/schema';
import { known, t } from '../../../language/translate.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';
import type { SsoInput } from '../../../queries/settings.ts';

export const ssoKindWords: Readonly<Record<SsoKind, string>> = {
  microsoft: t('Microsoft Entra ID'),
  google: t('Google Workspace'),
  oidc: t('OpenID Connect'),
};

/** What to put into the issuer's field. */
export const issuerHints: Readonly<Record<SsoKind, string>> = {
  microsoft: 'https://login.microsoftonline.com/<directory id>/v2.0',
  google: 'https://accounts.google.com',
  oidc: 'https://id.example.com',
};

export type GroupRole = { group: string; role: Role };

/** The form as it is shown. */
export type SsoFields = {
  kind: SsoKind;
  label: string;
  issuer: string;
  client_id: string;
  /** Empty keeps the stored one. */
  client_secret: string;
  domains: string[];
  join: boolean;
  default_role: Role | null;
  groups_claim: string;
  group_roles: GroupRole[];
  enabled: boolean;
};

export type SsoProblems = Partial<
  Record<'label' | 'issuer' | 'client_id' | 'client_secret' | 'domains' | 'join', string>
>;

export function ssoFieldsOf(connection: SsoConnection | undefined): SsoFields {
  if (connection === undefined) {
    return {
      ...{ kind: 'microsoft', label: '', issuer: '', client_id: '', client_secret: '', domains: [], enabled: true },
      ...{ join: false, default_role: null, groups_claim: 'groups', group_roles: [] },
    };
  }
  const { kind, label, issuer, client_id, domains, join, enabled } = connection;
  return {
    ...{ kind, label, issuer, client_id, client_secret: '', domains: [...domains], enabled },
    ...{ join: join.enabled, default_role: join.default_role, groups_claim: join.groups_claim },
    group_roles: join.group_roles.map((each) => ({ ...each })),
  };
}

/** The secret is never told, and lists are put together. */
export function ssoWords(fields: SsoFields): FieldWords {
  const { default_role: role } = fields;
  return {
    [t('Kind')]: ssoKindWords[fields.kind],
    [t('Name')]: fields.label,
    [t('Issuer')]: fields.issuer,
    [t('Client id')]: fields.client_id,
    [t('New people join by signing in')]: fields.join ? t('On') : t('Off'),
    [t('Role of everybody who joins')]: role === null ? '' : known(roleLabels[role]),
    [t('Claim that lists groups')]: fields.groups_claim,
    [t('Enabled')]: fields.enabled ? t('On') : t('Off'),
  };
}

export function ssoInputOf(fields: SsoFields): SsoInput {
  const { kind, domains, enabled, default_role } = fields;
  return {
    ...{ kind, domains, enabled },
    label: fields.label.trim(),
    issuer: fields.issuer.trim(),
    client_id: fields.client_id.trim(),
    ...(fields.client_secret === '' ? {} : { client_secret: fields.client_secret }),
    join: {
      enabled: fields.join,
      default_role,
      groups_claim: fields.groups_claim.trim() || 'groups',
      group_roles: fields.group_roles
        .map(({ group, role }) => ({ group: group.trim(), role }))
        .filter(({ group }) => group !== ''),
    },
  };
}

/** What is missing before the server is asked. A secret belongs to its issuer: another one needs its own. */
export function ssoProblemsOf(fields: SsoFields, saved: SsoConnection | undefined): SsoProblems {
  const { label, issuer, client_id } = ssoInputOf(fields);
  const moved = saved !== undefined && saved.client_secret_set_at !== null && saved.issuer !== issuer;
  const named = fields.group_roles.some(({ group }) => group.trim() !== '');
  return {
    ...(label === '' ? { label: t('Enter a name.') } : {}),
    ...(isWebAddress(issuer) ? {} : { issuer: t('Enter the address of the issuer, with https://.') }),
    ...(client_id === '' ? { client_id: t('Enter the client id the issuer gave you.') } : {}),
    ...(moved && fields.client_secret === '' ? { client_secret: t('Another issuer needs its own secret.') } : {}),
    ...(fields.join && fields.default_role === null && !named
      ? { join: t('Choose a role for everybody, or give a group one: else nobody could join.') }
      : {}),
  };
}

/** Problems the server named, by the field they belong to. */
export function serverSsoProblems(details: readonly { path: string; message: string }[]): SsoProblems {
  const problems: SsoProblems = {};
  for (const { path, message } of details) {
    const name = /^body\.(label|issuer|client_id|client_secret|domains|join)\b/.exec(path)?.[1];
    if (name !== undefined) problems[name as keyof SsoProblems] ??= message;
  }
  return problems;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
