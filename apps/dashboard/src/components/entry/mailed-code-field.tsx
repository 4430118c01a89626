import { t } from '../../language/translate.ts';
import { TextField } from '../../ui/text-field.tsx';

export const MAILED_CODE_DIGITS = 8;

type Props = { value: string; onChange: (code: string) => void; autoFocus?: boolean };

/** The code of a mail. Pasted with spaces or a whole line around it, only its digits are taken. */
export function MailedCodeField({ value, onChange, autoFocus = false }: Props) {
  return (
    <TextField
      label={t('Code from the mail')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      required
      pattern={`\\d{${MAILED_CODE_DIGITS}}`}
      title={t('{MAILED_CODE_DIGITS} digits', { MAILED_CODE_DIGITS })}
      value={value}
      onChange={(text) => onChange(mailedCodeOf(text))}
    />
  );
}

/** The first run of eight digits, spaces and dashes aside; otherwise whatever digits there are. */
export function mailedCodeOf(text: string): string {
  const joined = text.replace(/(?<=\d)[\s-](?=\d)/g, '');
  return (joined.match(/\d{8}/)?.[0] ?? joined.replace(/\D/g, '')).slice(0, MAILED_CODE_DIGITS);
}
