import { Button, PasswordInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
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
  const [replacing, setReplacing] = useState(false);
  if (mask !== undefined) {
    return <SavedSecret {...props} setAt={mask.set_at} onReplace={() => setReplacing(true)} />;
  }
  const label = field.label.toLowerCase();
  return (
    <div className={classes.secret}>
      <PasswordInput
        {...wrapperOf(props)}
        // Browsers offer the sign-in password where they are told it is off.
        autoComplete="new-password"
        spellCheck={false}
        autoFocus={replacing}
        visibilityToggleButtonProps={{ 'aria-label': `Show ${label}`, tabIndex: 0 }}
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
            setReplacing(false);
            onChange(saved);
          }}
        >
          Keep the saved {label}
        </Button>
      )}
    </div>
  );
}

type SavedProps = FieldProps & {
  /** ISO time. */
  setAt: string;
  onReplace: () => void;
};

function SavedSecret({ field, id, problem, disabled, onChange, setAt, onReplace }: SavedProps) {
  const replace = () => {
    onReplace();
    onChange(undefined);
  };
  const label = field.label.toLowerCase();
  return (
    <div className={classes.saved}>
      <span className={classes.label}>{field.label}</span>
      <div className={classes.savedLine}>
        <IconLock size={14} aria-hidden />
        <span className={classes.savedText}>
          Set <RelativeTime time={setAt} />
        </span>
        <Button
          id={id}
          variant="default"
          size="xs"
          disabled={disabled}
          aria-label={`Replace ${label}`}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onClick={replace}
        >
          Replace
        </Button>
        {field.required ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            disabled={disabled}
            aria-label={`Remove ${label}`}
            onClick={() => onChange(undefined)}
          >
            Remove
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
