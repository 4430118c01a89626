import type { OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { NativeSelect, TextInput } from '@mantine/core';
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

const choices: readonly { value: Exclude<CredentialChoice, 'document'>; label: string }[] = [
  { value: 'bearer', label: 'A token (Authorization: Bearer)' },
  { value: 'basic', label: 'User name and password' },
  { value: 'header', label: 'A key in a header' },
  { value: 'query', label: 'A key in the address' },
  { value: 'none', label: 'Nothing: it asks for no credentials' },
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
      : [{ value: 'document', label: `As the description says (${credentials.join(', ')})` }]),
    ...choices,
  ];
  return (
    <Panel title="Integration">
      <div className={classes.form}>
        <TextInput
          id={ids.name}
          label="Name"
          description="How it stands in the catalogue, for this tenant only."
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
          label="Address of the API"
          description="The form of each connector begins with it, and can have another one."
          inputWrapperOrder={order}
          placeholder="https://api.example.net/v1"
          maxLength={ADDRESS_MAX}
          aria-required
          value={draft.baseUrl}
          error={problems.baseUrl}
          onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
        />
        <NativeSelect
          label="How it signs in"
          description="The credentials themselves are entered when it is connected."
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
            label={draft.credential === 'header' ? 'Name of the header' : 'Name of the parameter'}
            placeholder={draft.credential === 'header' ? 'X-API-Key' : 'api_key'}
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
