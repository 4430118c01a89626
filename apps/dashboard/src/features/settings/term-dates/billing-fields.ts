import type { Billing } from '@airdeck/contracts/contract/schema';
import { t } from '../../../language/translate.ts';
import { isEmailAddress } from '../../../lib/email-address.ts';
import type { BillingBody } from '../../../queries/contract.ts';

/** In the order of the form, with what browsers fill them from. */
export const billingFields = [
  { name: 'contact_name', label: t('Contact'), autoComplete: 'name' },
  { name: 'contact_email', label: t('E-mail address'), autoComplete: 'email' },
  { name: 'contact_phone', label: t('Phone'), autoComplete: 'tel' },
  { name: 'address', label: t('Address'), autoComplete: 'street-address' },
  { name: 'city', label: t('City'), autoComplete: 'address-level2' },
  { name: 'state', label: t('State or province'), autoComplete: 'address-level1' },
  { name: 'zip_code', label: t('ZIP or postal code'), autoComplete: 'postal-code' },
] as const satisfies readonly { name: keyof BillingBody; label: string; autoComplete: string }[];

export type BillingProblems = Partial<Record<keyof BillingBody, string>>;

export function billingBodyOf(billing: Billing): BillingBody {
  const { tenant: _, ...fields } = billing;
  return fields;
}

export function isSameBilling(one: BillingBody, other: BillingBody): boolean {
  return billingFields.every(({ name }) => one[name].trim() === other[name].trim());
}

export function billingProblemsOf({ contact_email }: BillingBody): BillingProblems {
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
