import { useId } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { PasswordField } from '../../ui/text-field.tsx';
import classes from './entry.module.css';

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

type Props = {
  label?: string;
  /** Whose password it is: password managers file it under this. */
  username: string;
  value: string;
  onChange: (password: string) => void;
};

/** A password being chosen. Its length is judged here, how easy it is to guess on the server. */
export function NewPasswordField({ label = t('New password'), username, value, onChange }: Props) {
  const help = useId();
  const left = MIN_LENGTH - [...value].length;
  return (
    <div>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={label}
        name="new-password"
        autoComplete="new-password"
        required
        minLength={MIN_LENGTH}
        maxLength={MAX_LENGTH}
        aria-describedby={help}
        value={value}
        onChange={onChange}
      />
      <div id={help} className={classes.help}>
        {value !== '' && left > 0
          ? plural(left, '{count} more character.', '{count} more characters.')
          : t('{MIN_LENGTH} characters or more. A few words you remember are better than one with signs in it.', {
              MIN_LENGTH,
            })}
      </div>
    </div>
  );
}
