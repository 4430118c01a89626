import { t } from '../../language/translate.ts';
import type { FormField } from './form-schema.ts';

/** What every kind of field takes. */
export type FieldProps = {
  field: FormField;
  id: string;
  value: unknown;
  /** What to say beside it; undefined while nothing is wrong or it is still being filled in. */
  problem: string | undefined;
  disabled: boolean;
  /** `undefined` and the empty text take the property away. */
  onChange: (value: unknown) => void;
  /** The field was left, so that what is wrong with it may be said. */
  onLeave: () => void;
};

/** Under every control: what it is for, and that it may stay empty where nothing else says so. */
export function helpOf({ help, required, kind, schema }: FormField): string | undefined {
  if (required || kind === 'boolean' || kind === 'choice' || schema.default !== undefined) return help;
  return help === undefined ? t('Optional.') : t('Optional. {help}', { help });
}

/** What counts while the field is empty, shown in it; undefined where that is nothing. */
export function placeholderOf({ schema }: FormField): string | undefined {
  const { default: value } = schema;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

/** The parts of Mantine's input wrapper that all single fields share. */
export function wrapperOf({ field, id, problem, disabled }: FieldProps) {
  return {
    id,
    label: field.label,
    description: helpOf(field),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    error: problem,
    disabled,
    'aria-required': field.required,
  };
}
