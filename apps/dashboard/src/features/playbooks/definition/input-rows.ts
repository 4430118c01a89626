import type { JsonObject } from '@airdeck/contracts/fields';
import { type FormField, formFields } from '../../../components/schema-form/form-schema.ts';
import { typeWords } from '../../../components/schema-form/type-words.ts';
import { t } from '../../../language/translate.ts';

export type InputRow = {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  readonly help: string | undefined;
  /** As JSON; undefined without one. */
  readonly byDefault: string | undefined;
};

/** What a playbook takes, input by input. */
export function inputRows(schema: JsonObject): InputRow[] {
  return formFields(schema).map(({ name, label, required, help, schema: own }: FormField) => ({
    name,
    label,
    required,
    help,
    type: typeWords(own, { choices: true }) ?? t('anything'),
    byDefault: own.default === undefined ? undefined : JSON.stringify(own.default),
  }));
}
