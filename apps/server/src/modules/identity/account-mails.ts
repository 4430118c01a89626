import type { NewMail } from '../mail/mail-port.ts';

type Facts = {
  productName: string;
  /** Where people reach us, from the configuration and never from a request. */
  ownAddress: () => string;
};

export type AccountMails = ReturnType<typeof createAccountMails>;

/** What accounts are told by mail: plain, short, and with links to our own address only. */
export function createAccountMails({ productName, ownAddress }: Facts) {
  const closing = `If this was not you, nothing has happened: you can delete this mail.\n\n${productName}`;

  function ownLink(path: string): string {
    return `${ownAddress().replace(/\/$/, '')}${path}`;
  }

  function codeMail(to: string, code: string, why: string): NewMail {
    return {
      to,
      subject: `Your ${productName} code`,
      text: [
        why,
        `Your code is ${code}. It is valid for 15 minutes and works once. Enter it here:`,
        ownLink(`/confirm-code?email=${encodeURIComponent(to)}`),
        closing,
      ].join('\n\n'),
    };
  }

  function notice(to: string, what: string): NewMail {
    const alarm = `If this was not you, set a new password at once:\n\n${ownLink('/forgot-password')}\n\n${productName}`;
    return { to, subject: `${productName}: ${what}`, text: `${what} for the account ${to}.\n\n${alarm}` };
  }

  return {
    recoveryCode: (to: string, code: string) =>
      codeMail(to, code, 'Somebody asked for a new password for this account.'),
    newPasswordRequired: (to: string, code: string) =>
      codeMail(to, code, 'An administrator asks you to choose a new password.'),
    noPassword: (to: string): NewMail => ({
      to,
      subject: `${productName}: this account has no password`,
      text: `Somebody asked for a new password, but this account signs in through another service. Choose it here:\n\n${ownLink('/login')}\n\n${closing}`,
    }),
    passwordChanged: (to: string) => notice(to, 'Your password was changed'),
    authenticatorSetUp: (to: string) => notice(to, 'A new authenticator app was set up'),
    recoveryCodesMade: (to: string) => notice(to, 'New recovery codes were made'),
  };
}
