import {
  type ExpressionFieldProps,
  ExpressionField as FieldOfExpression,
} from '../../../../components/expression/expression-field.tsx';
import { useReferences } from './use-references.ts';

type Props = Omit<ExpressionFieldProps, 'references'> & {
  /** The step whose place decides what there is to read; undefined for the outputs of the playbook. */
  actionId: string | undefined;
};

/** A text in which expressions can stand, with a picker of what they can read at this point of the playbook. */
export function ExpressionField({ actionId, ...rest }: Props) {
  return <FieldOfExpression {...rest} references={useReferences(actionId)} />;
}
