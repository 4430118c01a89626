import type { NewMail } from '../mail/mail-port.ts';
import type { MailText, Words } from '../mail/mail-words.ts';

type Facts = {
  productName: string;
  /** Where people reach us, from the configuration and never from a request. */
  ownAddress: () => string;
};

export type AccountMails = ReturnType<typeof createAccountMails>;

/** What accounts are told by mail: plain, short, and with links to our own address only. */
export function createAccountMails({ productName, ownAddress }: Facts) {
  function closing({ say }: Words): string {
    return `${say('If this was not you, nothing has happened: you can delete this mail.')}\n\n${productName}`;
  }

  function ownLink(path: string): string {
    return `${ownAddress().replace(/\/$/, '')}${path}`;
  }

  function codeMail(to: string, code: string, why: (words: Words) => string): NewMail {
    return {
      to,
      write: (words) => ({
        subject: words.say('Your {productName} code', { productName }),
        text: [
          why(words),
          words.say(
            'Your code is {code}. It is valid for 10 minutes and works once, in the browser you asked for it in. Enter it here:',
            { code },
          ),
          ownLink(`/confirm-code?email=${encodeURIComponent(to)}`),
          closing(words),
        ].join('\n\n'),
      }),
    };
  }

  function notice(to: string, happened: PlainText): NewMail {
    return {
      to,
      write({ say }) {
        const what = say(happened);
        const alarm = `${say('If this was not you, set a new password at once:')}\n\n${ownLink('/forgot-password')}`;
        return {
          subject: `${productName}: ${what}`,
          text: `${say('{what} for the account {to}.', { what, to })}\n\n${alarm}\n\n${productName}`,
        };
      },
    };
  }

  return {
    recoveryCode: (to: string, code: string) =>
      codeMail(to, code, ({ say }) => say('Somebody asked for a new password for this account.')),
    newPasswordRequired: (to: string, code: string) =>
      codeMail(to, code, ({ say }) => say('An administrator asks you to choose a new password.')),
    /** Without a code, which is asked for in the browser it is then good in. */
    newPasswordWanted: (to: string): NewMail => ({
      to,
      write: ({ say }) => ({
        subject: say('{productName}: choose a new password', { productName }),
        text: [
          say('An administrator asks you to choose a new password.'),
          say('You are signed out until then. Ask for a code here:'),
          ownLink('/forgot-password'),
          productName,
        ].join('\n\n'),
      }),
    }),
    noPassword: (to: string): NewMail => ({
      to,
      write: (words) => ({
        subject: words.say('{productName}: this account has no password', { productName }),
        text: [
          words.say(
            'Somebody asked for a new password, but this account signs in through another service. Choose it here:',
          ),
          ownLink('/login'),
          closing(words),
        ].join('\n\n'),
      }),
    }),
    passwordChanged: (to: string) => notice(to, 'Your password was changed'),
    authenticatorSetUp: (to: string) => notice(to, 'A new authenticator app was set up'),
    recoveryCodesMade: (to: string) => notice(to, 'New recovery codes were made'),
  };
}

type PlainText = Extract<
  MailText,
  'Your password was changed' | 'A new authenticator app was set up' | 'New recovery codes were made'
>;
