import { ApiError } from '@airdeck/api-client/api-error';
import type { ImportedCredential, ImportedIntegration, OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { t } from '../../../language/translate.ts';
import type { ImportInput } from '../../../queries/openapi.ts';
import { CHOSEN_MAX, withChosen } from './operation-rows.ts';

/** How connectors sign in: as the document says, or in a way that somebody chose. */
export type CredentialChoice = 'document' | 'none' | 'bearer' | 'basic' | 'header' | 'query';

export type ImportDraft = {
  readonly name: string;
  readonly baseUrl: string;
  readonly credential: CredentialChoice;
  /** Of the header or of the parameter, where one is chosen. */
  readonly keyName: string;
  readonly chosen: ReadonlySet<string>;
};

export type ImportProblems = {
  readonly [field in 'name' | 'baseUrl' | 'keyName' | 'chosen']?: string | undefined;
};

export const NAME_MAX = 80;
export const ADDRESS_MAX = 500;
export const KEY_NAME_MAX = 100;

/** What the document says; of an integration that is imported anew its name, and the operations it has already. */
export function draftOf(document: OpenapiDocument, replaced: ImportedIntegration | undefined): ImportDraft {
  // The release before does not say which operations they are.
  const before = new Set(replaced?.operations ?? []);
  return {
    name: replaced?.name ?? document.title,
    baseUrl: document.base_url ?? '',
    credential: document.credentials.length === 0 ? 'bearer' : 'document',
    keyName: '',
    chosen: withChosen(
      new Set(),
      document.operations.filter(({ key }) => before.has(key)),
      true,
    ),
  };
}

/** What stands in the way of importing; the server judges again. */
export function importProblems({ name, baseUrl, credential, keyName, chosen }: ImportDraft): ImportProblems {
  return {
    name: name.trim() === '' ? t('Enter a name.') : undefined,
    baseUrl: addressProblem(baseUrl.trim()),
    keyName: isNamed(credential) && keyName.trim() === '' ? t('Enter its name, such as X-API-Key.') : undefined,
    chosen: chosenProblem(chosen.size),
  };
}

export function chosenProblem(count: number): string | undefined {
  if (count === 0) return t('Choose the operations that become actions.');
  return count > CHOSEN_MAX
    ? t('At most {max} operations become one integration. Choose fewer.', { max: CHOSEN_MAX })
    : undefined;
}

export function isNamed(credential: CredentialChoice): credential is 'header' | 'query' {
  return credential === 'header' || credential === 'query';
}

function addressProblem(text: string): string | undefined {
  if (text === '') return t('Enter the address of the API.');
  const isAddress = /^https?:\/\//.test(text) && URL.canParse(text) && !/[{}]/.test(text);
  return isAddress ? undefined : t('An address such as https://api.example.net/v1.');
}

export function hasProblems(problems: ImportProblems): boolean {
  return Object.values(problems).some((problem) => problem !== undefined);
}

const fieldsByPath: readonly (readonly [string, keyof ImportProblems])[] = [
  ['body.name', 'name'],
  ['body.base_url', 'baseUrl'],
  ['body.credential', 'keyName'],
  ['body.operations', 'chosen'],
];

/** Problems the server named, by field. None when it named no field: then the failure is shown as a whole. */
export function refusedProblems(error: unknown): ImportProblems {
  if (!(error instanceof ApiError)) return {};
  const found = fieldsByPath.flatMap(([path, field]) => {
    const detail = error.details.find((each) => each.path === path || each.path.startsWith(`${path}.`));
    return detail === undefined ? [] : [[field, detail.message] as const];
  });
  return Object.fromEntries(found);
}

export function importOf(
  document: OpenapiDocument,
  draft: ImportDraft,
  replaced: ImportedIntegration | undefined,
): ImportInput {
  const credential = credentialOf(draft);
  return {
    document_id: document.id,
    // In the document's order, whatever the order of the clicks.
    operations: document.operations.map(({ key }) => key).filter((key) => draft.chosen.has(key)),
    name: draft.name.trim(),
    base_url: draft.baseUrl.trim(),
    ...(credential === undefined ? {} : { credential }),
    ...(replaced === undefined ? {} : { replaces: { id: replaced.id, version: replaced.version } }),
  };
}

function credentialOf({ credential, keyName }: ImportDraft): ImportedCredential | undefined {
  if (credential === 'document') return undefined;
  return isNamed(credential) ? { kind: 'key', place: credential, name: keyName.trim() } : { kind: credential };
}
