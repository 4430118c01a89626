/**
 * The signed answers that links in notices carry. Such a text says which option is meant and until when; whose answer it is,
 * to which question and in which tenant, is authenticated with it but stands nowhere in it, so that it opens nothing to
 * anybody else. It is signed with a key derived from the installation's, and names it: links outlive a change of keys.
 *
 * A link chooses; who follows it still has to sign in and to be an approver, and each counts once (`spendLink`).
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyEncryptionKey, KeyProvider } from '@airdeck/connector-kit/secrets';
import { z } from 'zod';
import type { AnswerLinks, LinkedAnswer } from '../notifications/notifications-port.ts';

const MAC_BYTES = 32;
const saysSchema = z.tuple([z.string().max(100), z.number().int(), z.string().max(100)]);

export type ReadLink = {
  option: string;
  /** Tells one link from another where they are used up. */
  mark: string;
};

export type AnswerLinkReader = {
  /** Undefined for anything that was not signed here for this person and question, or is too old. */
  read(token: string, whose: Pick<LinkedAnswer, 'tenant' | 'prompt' | 'user'>): Promise<ReadLink | undefined>;
};

export function createAnswerLinks(deps: { keys: KeyProvider; now: () => Date }): AnswerLinks & AnswerLinkReader {
  return {
    async signer() {
      const key = await deps.keys.current();
      const signing = signingKey(key);
      return ({ option, expiresAt, ...whose }) => {
        const says = encoded([key.id, expiresAt.getTime(), option]);
        return `${says}.${macOf(signing, says, whose).toString('base64url')}`;
      };
    },
    async read(token, whose) {
      const [says = '', mac = '', ...rest] = token.split('.');
      const said = rest.length === 0 ? decoded(says) : undefined;
      if (said === undefined) return undefined;
      const [keyId, expiresAt, option] = said;
      const key = await deps.keys.get(keyId);
      if (key === undefined) return undefined;
      const given = Buffer.from(mac, 'base64url');
      // One spelling only: decoding forgives characters that do not belong there.
      if (given.length !== MAC_BYTES || given.toString('base64url') !== mac) return undefined;
      if (!timingSafeEqual(macOf(signingKey(key), says, whose), given)) return undefined;
      return expiresAt <= deps.now().getTime() ? undefined : { option, mark: mac };
    },
  };
}

function signingKey({ key }: KeyEncryptionKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'answers to questions', MAC_BYTES));
}

function macOf(key: Buffer, says: string, { tenant, prompt, user }: Pick<LinkedAnswer, 'tenant' | 'prompt' | 'user'>) {
  // Ids have one length and no blanks: the parts cannot be read in another way.
  return createHmac('sha256', key).update(`${tenant} ${prompt} ${user} ${says}`).digest();
}

function encoded(says: z.output<typeof saysSchema>): string {
  return Buffer.from(JSON.stringify(says)).toString('base64url');
}

function decoded(text: string): z.output<typeof saysSchema> | undefined {
  try {
    return saysSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch (error) {
    // Anybody can write anything into an address.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
