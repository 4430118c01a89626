import { Textarea } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import classes from './expression.module.css';
import { describedBy, FieldFrame } from './field-frame.tsx';
import { insertReference } from './insert-reference.ts';
import { ReferencePicker } from './reference-picker.tsx';
import type { ReferenceGroup } from './references.ts';

export type ExpressionFieldProps = {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  onLeave: () => void;
  /** The whole text is an expression; otherwise it is text with expressions in braces. */
  bare?: boolean;
  /** What expressions can read at this place; asked for when somebody wants to pick. */
  references: () => readonly ReferenceGroup[];
  help?: string | undefined;
  problem: string | undefined;
  placeholder?: string;
  rows?: number;
  /** Ordinary words, as of a question, rather than code. */
  prose?: boolean;
  /** Right of the label, before the picker. */
  aside?: ReactNode;
};

/** A text in which expressions can stand, with a picker of what they can read at this point. */
export function ExpressionField(props: ExpressionFieldProps) {
  const {
    id,
    label,
    value,
    onChange,
    onLeave,
    bare = false,
    references,
    help,
    problem,
    rows = 1,
    prose = false,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (expression: string) => {
    const { selectionStart: from = value.length, selectionEnd: to = value.length } = field.current ?? {};
    const done = insertReference(expression, { text: value, from, to, bare });
    onChange(done.text);
    // After the text is in the field; before, the cursor would be put behind the old one.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(done.cursor, done.cursor);
    });
  };
  return (
    <FieldFrame
      id={id}
      label={label}
      help={help}
      problem={problem}
      aside={
        <span className={classes.labelAside}>
          {props.aside}
          <ReferencePicker label={label} references={references} onPick={insert} />
        </span>
      }
    >
      <Textarea
        ref={field}
        id={id}
        {...describedBy(id, { help, problem })}
        classNames={{ input: prose ? '' : 'air-mono' }}
        autoComplete="off"
        autoCapitalize={prose ? 'sentences' : 'off'}
        spellCheck={prose}
        autosize
        minRows={rows}
        maxRows={10}
        placeholder={props.placeholder ?? ''}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onLeave}
      />
    </FieldFrame>
  );
}
