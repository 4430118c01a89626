import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Mail, NewMail } from './mail-port.ts';

type Dependencies = { mail: Mail; log: { warn(fields: object, message: string): void } };

/** What can never be mailed must not keep everybody else's waiting: it is dropped, and said. False where it was. */
export async function queueMailable({ mail, log }: Dependencies, tx: Tx, letter: NewMail): Promise<boolean> {
  try {
    await mail.queue(tx, letter);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ code: error.code, key: letter.key }, 'a message cannot be mailed to this address');
    return false;
  }
}
