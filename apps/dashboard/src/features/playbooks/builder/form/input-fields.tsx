import {
  InputFields as FieldsOfInput,
  type InputFieldsProps,
} from '../../../../components/expression/input-fields.tsx';
import { useReferences } from './use-references.ts';

/** Fields of a step's input: each either a value, or an expression that gives one when the playbook runs. */
export function InputFields({ actionId, ...rest }: Omit<InputFieldsProps, 'references'> & { actionId: string }) {
  return <FieldsOfInput {...rest} references={useReferences(actionId)} />;
}
