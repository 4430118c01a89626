import type { Billing } from '@airdeck/contracts/contract/schema';
import { t } from '../../../language/translate.ts';
import { isEmailAddress } from '../../../lib/email-address.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';

export type BillingTexts = Omit<Billing, 'tenant'>;

/** In the order of the form, with what browsers fill them from. */
export const billingFields = [
  { name: 'contact_name', label: t('Contact'), autoComplete: 'name' },
  { name: 'contact_email', label: t('E-mail address'), autoComplete: 'email' },
  { name: 'contact_phone', label: t('Phone'), autoComplete: 'tel' },
  { name: 'address', label: t('Address'), autoComplete: 'street-address' },
  { name: 'city', label: t('City'), autoComplete: 'address-level2' },
  { name: 'state', label: t('State or province'), autoComplete: 'address-level1' },
  { name: 'zip_code', label: t('ZIP or postal code'), autoComplete: 'postal-code' },
] as const satisfies readonly { name: keyof BillingTexts; label: string; autoComplete: string }[];

export type BillingProblems = Partial<Record<keyof BillingTexts, string>>;

export function billingTextsOf({ tenant: _, ...texts }: Billing): BillingTexts {
  return texts;
}

export function billingWords(texts: BillingTexts): FieldWords {
  return Object.fromEntries(billingFields.map(({ name, label }) => [label, texts[name]]));
}

export function isSameBilling(one: BillingTexts, other: BillingTexts): boolean {
  return billingFields.every(({ name }) => one[name].trim() === other[name].trim());
}

export function billingProblemsOf({ contact_email }: BillingTexts): BillingProblems {
  const email = contact_email.trim();
  if (email === '' || isEmailAddress(email)) return {};
  return { contact_email: t('Enter a whole e-mail address, such as billing@example.com, or nothing.') };
}

/** Problems the server named, by field. */
export function refusedBilling(details: readonly { path: string; message: string }[]): BillingProblems {
  return Object.fromEntries(
    billingFields.flatMap(({ name }) => {
      const found = details.find(({ path }) => path === `body.${name}`);
      return found === undefined ? [] : [[name, found.message]];
    }),
  );
}
