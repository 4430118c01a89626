import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { xmlText } from '../xml.ts';
import { awsAction, nullableText } from './aws-action.ts';
import { awsQuery } from './aws-client.ts';
import { managedPolicyArn } from './aws-hosts.ts';
import { getIamUser, inputUser, unlessGone, userInput } from './iam-user.ts';

/** Denies every action of every service, whatever else allows it. Kept by AWS. */
const DENY_ALL = 'AWSDenyAll';

const user = { type: 'string' };
const changed = { type: 'boolean', description: 'False when it was so already.' };

const getUser = awsAction({
  verb: 'get_user',
  friendly_name: 'Get IAM user',
  description: 'Reads a user of IAM.',
  effect: 'reads',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: {
    user,
    id: nullableText,
    arn: nullableText,
    path: nullableText,
    created_at: nullableText,
    password_last_used_at: { ...nullableText, description: 'Null when the password was never used or there is none.' },
    permissions_boundary: nullableText,
  },

  async run(context) {
    const found = await getIamUser(context, inputUser(context));
    return {
      user: xmlText(found, 'UserName') ?? '',
      id: xmlText(found, 'UserId'),
      arn: xmlText(found, 'Arn'),
      path: xmlText(found, 'Path'),
      created_at: xmlText(found, 'CreateDate'),
      password_last_used_at: xmlText(found, 'PasswordLastUsed'),
      permissions_boundary: xmlText(found, 'PermissionsBoundary', 'PermissionsBoundaryArn'),
    };
  },
});

const disableUser = awsAction({
  verb: 'disable_user',
  friendly_name: 'Disable IAM user',
  description: `Attaches the policy ${DENY_ALL}, which stops everything the user may do, with open sessions too. Undone by Enable IAM user.`,
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: { user, policy_arn: { type: 'string' } },

  async run(context) {
    const userName = inputUser(context);
    const policyArn = managedPolicyArn(context.config, DENY_ALL);
    await awsQuery(context, {
      service: 'iam',
      action: 'AttachUserPolicy',
      parameters: { UserName: userName, PolicyArn: policyArn },
      idempotent: true,
    });
    return { user: userName, policy_arn: policyArn };
  },
});

const enableUser = awsAction({
  verb: 'enable_user',
  friendly_name: 'Enable IAM user',
  description: `Takes the policy ${DENY_ALL} away again.`,
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: { user, changed },

  async run(context) {
    const userName = inputUser(context);
    const parameters = { UserName: userName, PolicyArn: managedPolicyArn(context.config, DENY_ALL) };
    const isChanged = await unlessGone(context, userName, () =>
      awsQuery(context, { service: 'iam', action: 'DetachUserPolicy', parameters, idempotent: true }),
    );
    return { user: userName, changed: isChanged };
  },
});

const deleteLoginProfile = awsAction({
  verb: 'delete_login_profile',
  friendly_name: 'Delete console password',
  description: 'Deletes the password a user signs in to the console with. Access keys and open sessions go on working.',
  effect: 'destroys',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: { user, changed },

  async run(context) {
    const userName = inputUser(context);
    const isChanged = await unlessGone(context, userName, () =>
      awsQuery(context, {
        service: 'iam',
        action: 'DeleteLoginProfile',
        parameters: { UserName: userName },
        idempotent: true,
      }),
    );
    return { user: userName, changed: isChanged };
  },
});

export const iamUserActions: readonly ActionDefinition[] = [getUser, disableUser, enableUser, deleteLoginProfile];
