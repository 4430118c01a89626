import type { ActionContext, ActionDefinition, ConnectorContext } from '@airdeck/connector-kit/definition';
import { collectPages, type VendorPage } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { inputText } from '../vendor-action.ts';
import { type XmlElement, xmlChild, xmlChildren, xmlText } from '../xml.ts';
import { awsAction, nullableText } from './aws-action.ts';
import { AWS, awsQuery } from './aws-client.ts';
import { inputUser, userInput } from './iam-user.ts';

const KEY_ID = { max: 128, pattern: /^\w{16,}$/, like: 'such as AKIAIOSFODNN7EXAMPLE' };

const keyInput: JsonObject = {
  type: 'string',
  title: 'Access key id',
  description: 'Such as AKIAIOSFODNN7EXAMPLE.',
  minLength: 16,
  maxLength: KEY_ID.max,
};

const listAccessKeys = awsAction({
  verb: 'list_access_keys',
  friendly_name: 'List access keys',
  description: 'Lists the access keys of a user and whether they are active.',
  effect: 'reads',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        properties: { access_key_id: { type: 'string' }, status: nullableText, created_at: nullableText },
      },
    },
    is_cut: { type: 'boolean' },
  },

  async run(context) {
    const { items, isCut } = await accessKeys(context, inputUser(context));
    return { keys: items.map(keyFacts), is_cut: isCut };
  },
});

function accessKeys(context: ConnectorContext, userName: string) {
  return collectPages({ vendor: AWS, first: '', fetch: (marker: string) => keyPage(context, userName, marker) });
}

async function keyPage(
  context: ConnectorContext,
  userName: string,
  marker: string,
): Promise<VendorPage<XmlElement, string>> {
  const result = await awsQuery(context, {
    service: 'iam',
    action: 'ListAccessKeys',
    parameters: { UserName: userName, MaxItems: '100', ...(marker === '' ? {} : { Marker: marker }) },
    reads: true,
  });
  const list = xmlChild(result, 'AccessKeyMetadata');
  const next = xmlText(result, 'Marker');
  const isTruncated = xmlText(result, 'IsTruncated') === 'true';
  if (list === undefined || (isTruncated && next === null)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${AWS} answered without a list of access keys.`);
  }
  return { items: xmlChildren(list, 'member'), next: isTruncated && next !== null ? next : undefined };
}

function keyFacts(key: XmlElement): JsonObject & { access_key_id: string } {
  return {
    access_key_id: xmlText(key, 'AccessKeyId') ?? '',
    status: xmlText(key, 'Status'),
    created_at: xmlText(key, 'CreateDate'),
  };
}

type KeyState = 'Active' | 'Inactive';

/** Looks first, so that the answer says whether anything changed; a key of another user is not found. */
async function setKeyState(context: ActionContext, status: KeyState): Promise<JsonObject> {
  const userName = inputUser(context);
  const keyId = inputText(context, 'access_key_id', KEY_ID);
  const { items } = await accessKeys(context, userName);
  const key = items.map(keyFacts).find(({ access_key_id }) => access_key_id === keyId);
  if (key === undefined) {
    throw new VendorError('VENDOR_NOT_FOUND', `The user ${userName} has no access key ${keyId}.`);
  }
  const isChanged = key.status !== status;
  if (isChanged) {
    await awsQuery(context, {
      service: 'iam',
      action: 'UpdateAccessKey',
      parameters: { UserName: userName, AccessKeyId: keyId, Status: status },
      idempotent: true,
    });
  }
  return { user: userName, access_key_id: keyId, status, changed: isChanged };
}

const changes: readonly (readonly [verb: string, name: string, description: string, status: KeyState])[] = [
  [
    'deactivate_access_key',
    'Deactivate access key',
    'Stops an access key from working. It is kept and can be activated again.',
    'Inactive',
  ],
  ['activate_access_key', 'Activate access key', 'Lets a deactivated access key work again.', 'Active'],
];

export const iamKeyActions: readonly ActionDefinition[] = [
  listAccessKeys,
  ...changes.map(([verb, friendly_name, description, status]) =>
    awsAction({
      verb,
      friendly_name,
      description,
      effect: 'changes',
      idempotent: true,
      input: { user: userInput, access_key_id: keyInput },
      required: ['user', 'access_key_id'],
      output: {
        user: { type: 'string' },
        access_key_id: { type: 'string' },
        status: { type: 'string' },
        changed: { type: 'boolean', description: 'False when it was so already.' },
      },
      run: (context) => setKeyState(context, status),
    }),
  ),
];
