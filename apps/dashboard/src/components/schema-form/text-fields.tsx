import { type IpFamily, ipTyping } from '@airdeck/domain/ip-address';
import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { IpField } from '../../ui/ip-field.tsx';
import { type FieldProps, placeholderOf, wrapperOf } from './field-props.ts';
import { isNothing, objectOf, typeOf } from './form-schema.ts';

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

export function OneLineField(props: FieldProps) {
  const { field, value, onChange, onLeave } = props;
  const text = typeof value === 'string' ? value : '';
  return (
    <TextInput
      {...wrapperOf(props)}
      {...plain}
      placeholder={placeholderOf(field)}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => {
        // What was pasted often brings a blank along, which no vendor understands.
        if (text.trim() !== text) onChange(text.trim());
        onLeave();
      }}
    />
  );
}

export function LongTextField(props: FieldProps) {
  const { field, value, onChange, onLeave } = props;
  return (
    <Textarea
      {...wrapperOf(props)}
      {...plain}
      placeholder={placeholderOf(field)}
      rows={3}
      resize="vertical"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
    />
  );
}

/** A number; until it is one, what was typed stays as text. */
export function NumberField(props: FieldProps) {
  const { field, value, onChange, onLeave } = props;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  return (
    <TextInput
      {...wrapperOf(props)}
      {...plain}
      placeholder={placeholderOf(field)}
      inputMode={typeOf(field.schema) === 'integer' ? 'numeric' : 'decimal'}
      value={text}
      onChange={(event) => onChange(numberIfExact(event.currentTarget.value))}
      onBlur={() => {
        const number = Number(text);
        if (text.trim() !== '' && Number.isFinite(number)) onChange(number);
        onLeave();
      }}
    />
  );
}

/** Only a text that is written as the number would be: "1." must not lose its point while 1.5 is typed. */
function numberIfExact(text: string): unknown {
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) ? number : text;
}

/** An address that takes no key that cannot lead to one (spec §5). */
export function AddressField(props: FieldProps) {
  const { field, value, onChange, onLeave } = props;
  const text = typeof value === 'string' ? value : '';
  const family = familyOf(field.schema.format);
  if (family !== undefined) {
    return <IpField {...wrapperOf(props)} family={family} value={text} onChange={onChange} onBlur={onLeave} />;
  }
  return (
    <TextInput
      {...wrapperOf(props)}
      {...plain}
      placeholder="{ip}"
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value.trim();
        if (ipTyping.ipv4.test(next) || ipTyping.ipv6.test(next)) onChange(next);
      }}
      onBlur={onLeave}
    />
  );
}

function familyOf(format: unknown): IpFamily | undefined {
  const [family] = String(format).split('-');
  return family === 'ipv4' || family === 'ipv6' ? family : undefined;
}

/** A list of short values, one on each line, so that one can be pasted. */
export function LinesField(props: FieldProps) {
  const { field, value, onChange, onLeave } = props;
  const items = Array.isArray(value) ? value.map(String) : [];
  const isText = typeOf(objectOf(field.schema.items)) === 'string';
  const change = (lines: readonly string[]) => onChange(isText ? lines : lines.map(numberIfExact));
  const wrapper = wrapperOf(props);
  return (
    <Textarea
      {...wrapper}
      {...plain}
      description={[wrapper.description, t('One on each line.')].filter(Boolean).join(' ')}
      autosize
      minRows={2}
      maxRows={12}
      value={items.join('\n')}
      onChange={({ currentTarget: { value: text } }) => change(text === '' ? [] : text.split('\n'))}
      onBlur={() => {
        change(items.map((line) => line.trim()).filter((line) => line !== ''));
        onLeave();
      }}
    />
  );
}

/** How a value is written in a field, and read from it; `read` gives the text itself back where it cannot be read yet. */
type Notation = { write: (value: unknown) => string; read: (text: string) => unknown; hint: string };

const json: Notation = {
  write: (value) => JSON.stringify(value, undefined, 2),
  read: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
  hint: t('As JSON.'),
};

const pairs: Notation = {
  write: (value) =>
    Object.entries(objectOf(value))
      .map(([name, item]) => `${name}: ${item}`)
      .join('\n'),
  read: (text) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const entries = lines.map((line) =>
      /^([^:]+):(.*)$/
        .exec(line)
        ?.slice(1)
        .map((part) => part.trim()),
    );
    return entries.includes(undefined) ? text : Object.fromEntries(entries as [string, string][]);
  },
  hint: t('One name: value on each line.'),
};

/** A value no field is made for. */
export function JsonField(props: FieldProps) {
  return <WrittenField {...props} notation={json} />;
}

/** Names and values. */
export function PairsField(props: FieldProps) {
  return <WrittenField {...props} notation={pairs} />;
}

/** A value as text. What cannot be read yet stays as it was typed, and is said on leaving. */
function WrittenField({ notation, ...props }: FieldProps & { notation: Notation }) {
  const { value, onChange, onLeave } = props;
  const [typed, setTyped] = useState(() => ({ text: written(value, notation), value }));
  // Set by another hand than this field's.
  if (typed.value !== value) setTyped({ text: written(value, notation), value });
  const type = (text: string) => {
    const read = text.trim() === '' ? undefined : notation.read(text);
    // What is as good as nothing is taken out of the form, and comes back as undefined.
    const next = isNothing(read) ? undefined : read;
    setTyped({ text, value: next });
    onChange(next);
  };
  const wrapper = wrapperOf(props);
  return (
    <Textarea
      {...wrapper}
      {...plain}
      description={[wrapper.description, notation.hint].filter(Boolean).join(' ')}
      classNames={{ input: 'air-mono' }}
      autosize
      minRows={3}
      maxRows={16}
      value={typed.text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={onLeave}
    />
  );
}

function written(value: unknown, { write }: Notation): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : write(value);
}
