import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { inputText } from '../vendor-action.ts';
import { type XmlElement, xmlChild, xmlText } from '../xml.ts';
import { AWS, awsQuery } from './aws-client.ts';

const USER = { max: 64, pattern: /^[\w+=,.@-]+$/, like: 'the name of an IAM user, not an ARN' };

export const userInput: JsonObject = {
  type: 'string',
  title: 'IAM user',
  description: 'The name of the user, such as deploy-bot; not an ARN.',
  minLength: 1,
  maxLength: USER.max,
};

export function inputUser(context: Pick<ActionContext, 'input'>): string {
  return inputText(context, 'user', USER);
}

/** Throws `VENDOR_NOT_FOUND` for a user that does not exist. */
export async function getIamUser(context: ConnectorContext, userName: string): Promise<XmlElement> {
  const result = await awsQuery(context, {
    service: 'iam',
    action: 'GetUser',
    parameters: { UserName: userName },
    reads: true,
  });
  const user = xmlChild(result, 'User');
  if (user !== undefined && xmlText(user, 'Arn') !== null) return user;
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${AWS} answered without the user.`);
}

/**
 * Does `change`; "no such entity" is success with nothing changed when `isDone` finds that what should go is gone. IAM says
 * the same for a missing user, which stays a failure.
 */
export async function unlessGone(
  context: ConnectorContext,
  userName: string,
  change: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'VENDOR_NOT_FOUND') throw error;
    await getIamUser(context, userName);
    return false;
  }
}
