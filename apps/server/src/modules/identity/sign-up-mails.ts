import type { WrittenMail } from '../mail/mail-port.ts';
import type { Words } from '../mail/mail-words.ts';
import { CODE_LIVES_MS } from './mail-codes.ts';

export function signUpCodeMail(
  { say }: Words,
  { productName, code }: { productName: string; code: string },
): WrittenMail {
  const minutes = CODE_LIVES_MS / 60_000;
  return {
    subject: say('Your code for {productName}', { productName }),
    text: [
      say('Your code is {code}.', { code }),
      '',
      say(
        'Enter it to finish signing up for {productName}. It works once, within {minutes} minutes, in the browser you began in.',
        { productName, minutes },
      ),
      say('If you did not sign up, ignore this mail: without the code nothing happens.'),
    ].join('\n'),
  };
}

export function signUpKnownMail({ say }: Words, { productName }: { productName: string }): WrittenMail {
  return {
    subject: say('You already have an account for {productName}', { productName }),
    text: [
      say('Somebody, probably you, tried to sign up for {productName} with this address.', { productName }),
      say('There is an account with it already: sign in instead. If you forgot your password, choose a new one there.'),
      '',
      say('If it was not you, ignore this mail: nothing was changed.'),
    ].join('\n'),
  };
}
