import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type FieldProps, helpOf, wrapperOf } from './field-props.ts';
import { isSecretMask } from './form-schema.ts';
import classes from './schema-form.module.css';

/**
 * A secret. One that is saved never comes back to the browser: it shows as saved, and is kept, replaced or removed. While
 * it is replaced the mask is remembered, so that it can be kept after all.
 */
export function SecretField(props: FieldProps) {
  const { field, value, disabled, onChange, onLeave } = props;
  const mask = isSecretMask(value) ? value : undefined;
  const [saved, setSaved] = useState(mask);
  // A save gives another mask.
  if (mask !== undefined && mask !== saved) setSaved(mask);
  // Where the focus goes on when the control that had it is exchanged.
  const [next, setNext] = useState<'field' | 'replace'>();
  const [shown, setShown] = useState(false);
  if (mask !== undefined) {
    return (
      <SavedSecret {...props} setAt={mask.set_at} focused={next === 'replace'} onExchange={() => setNext('field')} />
    );
  }
  const label = field.label.toLowerCase();
  const Eye = shown ? IconEyeOff : IconEye;
  return (
    <div className={classes.secret}>
      <TextInput
        {...wrapperOf(props)}
        type={shown ? 'text' : 'password'}
        // Browsers offer the sign-in password where they are told it is off.
        autoComplete="new-password"
        spellCheck={false}
        autoFocus={next === 'field'}
        rightSection={
          <ActionIcon
            size={24}
            disabled={disabled}
            aria-label={shown ? t('Hide what is typed') : t('Show what is typed')}
            aria-controls={props.id}
            onClick={() => setShown(!shown)}
          >
            <Eye size={16} aria-hidden />
          </ActionIcon>
        }
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onLeave}
      />
      {saved === undefined ? null : (
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={disabled}
          onClick={() => {
            setNext('replace');
            setShown(false);
            onChange(saved);
          }}
        >
          {t('Keep the saved {label}', { label })}
        </Button>
      )}
    </div>
  );
}

type SavedProps = FieldProps & {
  /** ISO time. */
  setAt: string;
  focused: boolean;
  /** The field takes its place. */
  onExchange: () => void;
};

function SavedSecret({ field, id, problem, disabled, onChange, setAt, focused, onExchange }: SavedProps) {
  const exchange = () => {
    onExchange();
    onChange(undefined);
  };
  const label = field.label.toLowerCase();
  return (
    <div className={classes.saved}>
      <span className={classes.label}>{field.label}</span>
      <div className={classes.savedLine}>
        <IconLock size={14} aria-hidden />
        <span className={classes.savedText}>{tx('Set {time}', { time: <RelativeTime time={setAt} /> })}</span>
        <Button
          id={id}
          autoFocus={focused}
          variant="default"
          size="xs"
          disabled={disabled}
          aria-label={t('Replace {label}', { label })}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onClick={exchange}
        >
          {t('Replace')}
        </Button>
        {field.required ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            disabled={disabled}
            aria-label={t('Remove {label}', { label })}
            onClick={exchange}
          >
            {t('Remove')}
          </Button>
        )}
      </div>
      {helpOf(field) === undefined ? null : <p className={classes.help}>{helpOf(field)}</p>}
      {problem === undefined ? null : (
        <p className={classes.problem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
