import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { t } from '../language/translate.ts';
import classes from './text-field.module.css';

type Props = Omit<ComponentProps<'input'>, 'id' | 'className' | 'onChange'> & {
  label: string;
  onChange: (value: string) => void;
  /** At the right end, inside the field. */
  action?: ReactNode;
};

/** A labelled field without the UI kit, for the pages before sign-in: they must stay small. */
export function TextField({ label, onChange, action, ...input }: Props) {
  const id = useId();
  return (
    <div className={classes.root}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.box}>
        <input id={id} className={classes.input} onChange={(event) => onChange(event.currentTarget.value)} {...input} />
        {action}
      </div>
    </div>
  );
}

/** A field whose text is hidden until asked for. */
export function PasswordField(props: Omit<Props, 'type' | 'action'>) {
  const [shown, setShown] = useState(false);
  const word = shown ? t('Hide') : t('Show');
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      action={
        <button
          type="button"
          className={classes.reveal}
          aria-label={`${word} ${props.label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          {word}
        </button>
      }
    />
  );
}
