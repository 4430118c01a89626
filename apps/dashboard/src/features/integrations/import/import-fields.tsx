import type { OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { NativeSelect, TextInput } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import classes from './import.module.css';
import {
  ADDRESS_MAX,
  type CredentialChoice,
  type ImportDraft,
  type ImportProblems,
  isNamed,
  KEY_NAME_MAX,
  NAME_MAX,
} from './import-draft.ts';

const ADDRESS_EXAMPLE = 'https://api.example.net/v1';
const HEADER_EXAMPLE = 'X-API-Key';
const PARAMETER_EXAMPLE = 'api_key';

const choices: readonly { value: Exclude<CredentialChoice, 'document'>; label: string }[] = [
  { value: 'bearer', label: t('A token (Authorization: Bearer)') },
  { value: 'basic', label: t('User name and password') },
  { value: 'header', label: t('A key in a header') },
  { value: 'query', label: t('A key in the address') },
  { value: 'none', label: t('Nothing: it asks for no credentials') },
];

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

type Props = {
  description: OpenapiDocument;
  draft: ImportDraft;
  problems: ImportProblems;
  idPrefix: string;
  onChange: (part: Partial<ImportDraft>) => void;
};

export function fieldIds(idPrefix: string) {
  return { name: `${idPrefix}-name`, baseUrl: `${idPrefix}-address`, keyName: `${idPrefix}-key` } as const;
}

/** What the integration is called, where it is and how it signs in. */
export function ImportFields({ description, draft, problems, idPrefix, onChange }: Props) {
  const ids = fieldIds(idPrefix);
  const { credentials } = description;
  const options = [
    ...(credentials.length === 0
      ? []
      : [
          {
            value: 'document',
            label: t('As the description says ({credentials})', { credentials: credentials.join(', ') }),
          },
        ]),
    ...choices,
  ];
  return (
    <Panel title={t('Integration')}>
      <div className={classes.form}>
        <TextInput
          id={ids.name}
          label={t('Name')}
          description={t('How it stands in the catalog, for this tenant only.')}
          inputWrapperOrder={order}
          maxLength={NAME_MAX}
          autoComplete="off"
          aria-required
          value={draft.name}
          error={problems.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          id={ids.baseUrl}
          {...plain}
          label={t('Address of the API')}
          description={t('The form of each connector begins with it, and can have another one.')}
          inputWrapperOrder={order}
          placeholder={ADDRESS_EXAMPLE}
          maxLength={ADDRESS_MAX}
          aria-required
          value={draft.baseUrl}
          error={problems.baseUrl}
          onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('How it signs in')}
          description={t('The credentials themselves are entered when it is connected.')}
          inputWrapperOrder={order}
          value={draft.credential}
          data={options}
          onChange={(event) => {
            const chosen = options.find(({ value }) => value === event.currentTarget.value);
            if (chosen !== undefined) onChange({ credential: chosen.value as CredentialChoice });
          }}
        />
        {isNamed(draft.credential) ? (
          <TextInput
            id={ids.keyName}
            {...plain}
            label={draft.credential === 'header' ? t('Name of the header') : t('Name of the parameter')}
            placeholder={draft.credential === 'header' ? HEADER_EXAMPLE : PARAMETER_EXAMPLE}
            maxLength={KEY_NAME_MAX}
            aria-required
            value={draft.keyName}
            error={problems.keyName}
            onChange={(event) => onChange({ keyName: event.currentTarget.value })}
          />
        ) : null}
      </div>
    </Panel>
  );
}
