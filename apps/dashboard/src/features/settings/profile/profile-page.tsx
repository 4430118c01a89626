import { t } from '../../../language/translate.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import classes from '../settings.module.css';
import { ApiKeysBlock } from './api-keys-block.tsx';
import { AppearanceBlock } from './appearance-block.tsx';
import { DeleteAccountBlock } from './delete-account-block.tsx';
import { ExternalAccountsBlock } from './external-accounts-block.tsx';
import { PasskeysBlock } from './passkeys-block.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecurityBlock } from './security-block.tsx';
import { SessionsBlock } from './sessions-block.tsx';

/** Who one is here, how one signs in, and from where. */
export function ProfilePage() {
  return (
    <>
      <PageHeader title={t('Profile')} purpose={t('How others see you, how you see times, and how you sign in.')} />
      <div className={classes.stack}>
        <ProfileForm />
        <AppearanceBlock />
        <SecurityBlock />
        <PasskeysBlock />
        <ExternalAccountsBlock />
        <SessionsBlock />
        <ApiKeysBlock />
        <DeleteAccountBlock />
      </div>
    </>
  );
}
