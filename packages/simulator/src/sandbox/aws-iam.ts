import type { FastifyReply } from 'fastify';
import {
  AWS_ACCESS_KEY_ID,
  AWS_ACCOUNT,
  AWS_EXTERNAL_ID,
  AWS_ROLE,
  type AwsMemory,
  type IamUser,
  openSession,
} from './aws-data.ts';
import { awsError, queryAnswer, xml } from './aws-errors.ts';

const IAM_NAMESPACE = 'https://iam.amazonaws.com/doc/2010-05-08/';
const STS_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

export type QueryCall = {
  readonly form: URLSearchParams;
  readonly accessKeyId: string;
  readonly memory: AwsMemory;
  readonly now: Date;
};

/** IAM with users, their keys, passwords and attached policies. */
export function answerIam({ form, memory }: QueryCall, reply: FastifyReply): FastifyReply {
  const action = form.get('Action') ?? '';
  const run = Object.hasOwn(iamActions, action) ? iamActions[action] : undefined;
  if (run === undefined || form.get('Version') !== '2010-05-08') {
    return awsError(reply, 400, 'InvalidAction', `Could not find operation ${action}`);
  }
  const name = form.get('UserName') ?? '';
  const user = memory.users.get(name);
  if (user === undefined) return missing(reply, `The user with name ${name} cannot be found.`);
  const outcome = run(user, form);
  if (outcome.missing !== undefined) return missing(reply, outcome.missing);
  return queryAnswer(reply, {
    action,
    namespace: IAM_NAMESPACE,
    ...(outcome.result === undefined ? {} : { result: outcome.result }),
  });
}

type Outcome = { readonly result?: string; readonly missing?: string };

const iamActions: Readonly<Record<string, (user: IamUser, form: URLSearchParams) => Outcome>> = {
  GetUser: (user) => ({ result: userXml(user) }),
  ListAccessKeys: listKeys,
  UpdateAccessKey(user, form) {
    const key = user.keys.find(({ id }) => id === form.get('AccessKeyId'));
    if (key === undefined) return { missing: 'The Access Key with this id cannot be found.' };
    key.status = form.get('Status') ?? key.status;
    return {};
  },
  AttachUserPolicy(user, form) {
    user.policies.add(form.get('PolicyArn') ?? '');
    return {};
  },
  DetachUserPolicy: (user, form) =>
    user.policies.delete(form.get('PolicyArn') ?? '') ? {} : { missing: 'The policy was not found.' },
  DeleteLoginProfile(user) {
    if (!user.hasPassword) return { missing: `Login Profile for User ${user.name} cannot be found.` };
    user.hasPassword = false;
    return {};
  },
};

/** One key a page whatever is asked for: IAM may give fewer than `MaxItems` although there are more. */
function listKeys(user: IamUser, form: URLSearchParams): Outcome {
  const offset = Number(form.get('Marker') ?? 0);
  const key = user.keys[offset];
  const member =
    key === undefined
      ? ''
      : `<member><UserName>${xml(user.name)}</UserName><AccessKeyId>${key.id}</AccessKeyId><Status>${xml(key.status)}</Status><CreateDate>${key.createdAt}</CreateDate></member>`;
  const isTruncated = offset + 1 < user.keys.length;
  const marker = isTruncated ? `<Marker>${offset + 1}</Marker>` : '';
  return {
    result: `<AccessKeyMetadata>${member}</AccessKeyMetadata><IsTruncated>${isTruncated}</IsTruncated>${marker}`,
  };
}

function userXml(user: IamUser): string {
  return [
    `<User><Path>/</Path><UserName>${xml(user.name)}</UserName><UserId>${user.id}</UserId>`,
    `<Arn>arn:aws:iam::${AWS_ACCOUNT}:user/${xml(user.name)}</Arn><CreateDate>${user.createdAt}</CreateDate>`,
    `${user.hasPassword ? '<PasswordLastUsed>2026-11-19T09:12:00Z</PasswordLastUsed>' : ''}</User>`,
  ].join('');
}

/** STS: who is asking, and sessions of the one role. */
export function answerSts({ form, memory, now, accessKeyId }: QueryCall, reply: FastifyReply): FastifyReply {
  const action = form.get('Action') ?? '';
  const isRole = accessKeyId !== AWS_ACCESS_KEY_ID;
  if (action === 'GetCallerIdentity') {
    const arn = isRole
      ? `arn:aws:sts::${AWS_ACCOUNT}:assumed-role/AIRdeck/airdeck`
      : `arn:aws:iam::${AWS_ACCOUNT}:user/airdeck`;
    const result = `<Arn>${arn}</Arn><UserId>AIDASANDBOX999999999</UserId><Account>${AWS_ACCOUNT}</Account>`;
    return queryAnswer(reply, { action, namespace: STS_NAMESPACE, result });
  }
  if (action !== 'AssumeRole') return awsError(reply, 400, 'InvalidAction', `Could not find operation ${action}`);
  if (form.get('RoleArn') !== AWS_ROLE || form.get('ExternalId') !== AWS_EXTERNAL_ID || isRole) {
    return awsError(reply, 403, 'AccessDeniedException', 'User is not authorized to perform: sts:AssumeRole');
  }
  const { id, key } = openSession(memory, now);
  const credentials = [
    `<Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${xml(key.secret)}</SecretAccessKey>`,
    `<SessionToken>${xml(key.token)}</SessionToken><Expiration>${new Date(key.expiresMs).toISOString()}</Expiration></Credentials>`,
  ].join('');
  const arn = `<AssumedRoleUser><Arn>${AWS_ROLE}/airdeck</Arn><AssumedRoleId>AROASANDBOX:airdeck</AssumedRoleId></AssumedRoleUser>`;
  return queryAnswer(reply, { action, namespace: STS_NAMESPACE, result: `${credentials}${arn}` });
}

function missing(reply: FastifyReply, message: string): FastifyReply {
  return awsError(reply, 404, 'NoSuchEntity', message);
}
