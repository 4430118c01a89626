import { t } from '../../language/translate.ts';
import { TextField } from '../../ui/text-field.tsx';

type Props = {
  email: string;
  /** It came with the purchase, so it is not to be typed. */
  isKnown: boolean;
  onChange: (email: string) => void;
};

/** Whose account a step of a purchase is about. */
export function PurchaseEmailField({ email, isKnown, onChange }: Props) {
  return (
    <TextField
      label={t('E-mail address')}
      type="email"
      name="email"
      autoComplete="username"
      required
      maxLength={254}
      readOnly={isKnown}
      value={email}
      onChange={onChange}
    />
  );
}
