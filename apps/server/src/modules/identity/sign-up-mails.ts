import { CODE_LIVES_MS } from './mail-codes.ts';

type MailText = { subject: string; text: string };

export function signUpCodeMail({ productName, code }: { productName: string; code: string }): MailText {
  return {
    subject: `Your code for ${productName}`,
    text: [
      `Your code is ${code}.`,
      '',
      `Enter it to finish signing up for ${productName}. It works once, within ${CODE_LIVES_MS / 60_000} minutes, in the browser you began in.`,
      'If you did not sign up, ignore this mail: without the code nothing happens.',
    ].join('\n'),
  };
}

export function signUpKnownMail({ productName }: { productName: string }): MailText {
  return {
    subject: `You already have an account for ${productName}`,
    text: [
      `Somebody, probably you, tried to sign up for ${productName} with this address.`,
      'There is an account with it already: sign in instead. If you forgot your password, choose a new one there.',
      '',
      'If it was not you, ignore this mail: nothing was changed.',
    ].join('\n'),
  };
}
