import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { xmlText } from '../xml.ts';
import { awsOwner } from './aws-action.ts';
import { awsQuery } from './aws-client.ts';
import { awsEventOptions, fetchAwsEvents } from './aws-events.ts';
import { REGION_PATTERN } from './aws-hosts.ts';
import { findingActions } from './finding-actions.ts';
import { iamKeyActions } from './iam-key-actions.ts';
import { iamUserActions } from './iam-user-actions.ts';
import { lookupEvents } from './lookup-events.ts';

const properties: JsonObject = {
  region: {
    type: 'string',
    title: 'Region',
    description: 'Such as eu-central-1. GuardDuty and CloudTrail are asked in it; IAM is the same in all of them.',
    pattern: REGION_PATTERN,
    maxLength: 32,
    account: true,
  },
  access_key_id: {
    type: 'string',
    title: 'Access key id',
    description: 'Of an IAM user made for this connector.',
    pattern: '^[A-Z0-9]{16,128}$',
    maxLength: 128,
  },
  secret_access_key: { type: 'string', title: 'Secret access key', minLength: 1, maxLength: 200, secret: true },
  role_arn: {
    type: 'string',
    title: 'Role to take on',
    description: 'Such as arn:aws:iam::123456789012:role/AIRdeck. Empty: the user acts itself.',
    pattern: '^arn:aws[a-z-]*:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]{1,512}$',
    maxLength: 600,
    account: true,
  },
  external_id: {
    type: 'string',
    title: 'External id of the role',
    description: 'As its trust policy demands it.',
    pattern: '^[A-Za-z0-9+=,.@:/_-]{2,1224}$',
    maxLength: 1224,
  },
  detector_id: {
    type: 'string',
    title: 'GuardDuty detector',
    description: 'Empty: the one of the region.',
    pattern: '^[A-Za-z0-9]{1,300}$',
    maxLength: 300,
    account: true,
  },
  endpoint_url: {
    type: 'string',
    title: 'Own endpoint',
    description: 'Only for a service that stands in for AWS. Empty: AWS itself.',
    pattern: '^https?://',
    maxLength: 500,
    destination: true,
  },
};

export const aws: ConnectorDefinition = {
  ...awsOwner,
  version: '1',
  name: 'AWS',
  description: 'Findings of GuardDuty, events of CloudTrail, and answers to stolen credentials in IAM.',
  visible: true,
  category: 'cloud',
  config_schema: {
    type: 'object',
    title: 'AWS',
    required: ['region', 'access_key_id', 'secret_access_key'],
    additionalProperties: false,
    properties,
  },
  event_options_schema: awsEventOptions,
  documentation: {
    url: 'https://docs.aws.amazon.com/guardduty/latest/APIReference/Welcome.html',
    setup: [
      'Make an IAM user for this connector without a console password, and an access key for it.',
      'Better: give the user nothing but sts:AssumeRole on one role, give the role the rights below, and demand an external id in its trust policy.',
      'Paste the key, the ARN of the role and the external id here.',
    ],
    permissions: [
      'guardduty:ListDetectors',
      'guardduty:ListFindings',
      'guardduty:GetFindings',
      'guardduty:ArchiveFindings',
      'cloudtrail:LookupEvents',
      'iam:GetUser',
      'iam:ListAccessKeys',
      'iam:UpdateAccessKey',
      'iam:AttachUserPolicy',
      'iam:DetachUserPolicy',
      'iam:DeleteLoginProfile',
    ],
    notes: [
      'The secret access key signs requests and is never sent.',
      'CloudTrail takes two look-ups a second and gives management events of the last ninety days; for busy accounts send its log files instead.',
      'Events become visible minutes after they happened. What arrives up to a quarter of an hour late is still fetched.',
      'Deactivating an access key does not end sessions that were made with it: use Disable IAM user as well.',
    ],
  },
  unconfirmed: [
    'The answers of STS and of DetachUserPolicy, and the bounds of a CloudTrail look-up, follow common knowledge; GuardDuty and the rest of IAM were checked against published descriptions.',
    'In China and GovCloud, IAM is reached at iam.cn-north-1.amazonaws.com.cn and iam.us-gov.amazonaws.com.',
    'Throttled calls answer 400 or 429 with a code that says so and without saying how long to wait.',
    'An event is in the history of CloudTrail at most a quarter of an hour after it happened.',
  ],
  capabilities: ['test_connection', 'fetch_events', 'actions'],
  actions: [...findingActions, lookupEvents, ...iamKeyActions, ...iamUserActions],
  fetchEvents: fetchAwsEvents,

  // Everybody may ask who they are, whatever else is allowed.
  async testConnection(context) {
    const identity = await awsQuery(context, { service: 'sts', action: 'GetCallerIdentity', reads: true });
    const account = xmlText(identity, 'Account');
    const arn = xmlText(identity, 'Arn');
    return {
      message: arn === null ? 'The key works.' : `Connected to account ${account ?? 'unknown'} as ${arn}.`,
      metadata: { account_id: account, arn },
    };
  },
};
