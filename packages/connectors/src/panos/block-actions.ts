import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { addressInputSchema, inputAddress } from '../ip-address.ts';
import { inputCount, limitSchema } from '../vendor-action.ts';
import { panosAction } from './panos-action.ts';
import { canonicalAddress, changeTag, isTagged, listTagged, TAG_PATTERN, tagOf } from './registered-addresses.ts';

const MAX_MINUTES = 43_200;
const LIST = { fallback: 500, max: 5000 };

const tagInput: JsonObject = {
  type: 'string',
  title: 'Tag',
  description: "The connector's tag when left empty.",
  pattern: TAG_PATTERN,
  maxLength: 127,
};

const output: JsonObject = {
  address: { type: 'string' },
  tag: { type: 'string' },
  changed: { type: 'boolean', description: 'False when the firewall was in this state already.' },
};

const blockAddress = panosAction({
  verb: 'block_address',
  friendly_name: 'Block address',
  description: 'Puts the tag on an address that a dynamic address group in a deny rule collects. No commit is needed.',
  effect: 'changes',
  idempotent: true,
  input: {
    address: addressInputSchema,
    minutes: {
      type: 'integer',
      title: 'For minutes',
      description: 'Empty: until it is unblocked. An address that is blocked already keeps its time.',
      minimum: 1,
      maximum: MAX_MINUTES,
    },
    tag: tagInput,
  },
  required: ['address'],
  output,

  run(context) {
    const { minutes } = context.input;
    const timeoutS =
      typeof minutes === 'number' ? inputCount(context, 'minutes', { fallback: 1, max: MAX_MINUTES }) * 60 : 0;
    return setTag(context, { kind: 'register', wanted: true, ...(timeoutS === 0 ? {} : { timeoutS }) });
  },
});

const unblockAddress = panosAction({
  verb: 'unblock_address',
  friendly_name: 'Unblock address',
  description: 'Takes the tag away from an address.',
  effect: 'changes',
  idempotent: true,
  input: { address: addressInputSchema, tag: tagInput },
  required: ['address'],
  output,

  run: (context) => setTag(context, { kind: 'unregister', wanted: false }),
});

type Wish = { readonly kind: 'register' | 'unregister'; readonly wanted: boolean; readonly timeoutS?: number };

/**
 * PAN-OS refuses to register twice and to unregister what is not there, with nothing but words to tell this from other
 * refusals. So the state is asked: before, and again after a refusal, when somebody else was faster.
 */
async function setTag(context: ActionContext, { kind, wanted, timeoutS }: Wish): Promise<JsonObject> {
  const address = canonicalAddress(inputAddress(context.input, 'address', 'any'));
  const tag = tagOf(context);
  if ((await isTagged(context, address, tag)) === wanted) return { address, tag, changed: false };
  try {
    await changeTag(context, { kind, address, tag, ...(timeoutS === undefined ? {} : { timeoutS }) });
  } catch (error) {
    const isRefusal = error instanceof VendorError && error.code === 'VENDOR_REJECTED';
    if (!isRefusal || (await isTagged(context, address, tag)) !== wanted) throw error;
    return { address, tag, changed: false };
  }
  return { address, tag, changed: true };
}

const listBlocked = panosAction({
  verb: 'list_blocked',
  friendly_name: 'List blocked addresses',
  description: 'Lists the addresses that have the tag.',
  effect: 'reads',
  idempotent: true,
  input: { tag: tagInput, limit: limitSchema(LIST.fallback, LIST.max) },
  output: {
    tag: { type: 'string' },
    addresses: { type: 'array', items: { type: 'string' } },
    is_cut: { type: 'boolean' },
  },
  timeout_s: 60,

  async run(context) {
    const tag = tagOf(context);
    const { items, isCut } = await listTagged(context, tag, inputCount(context, 'limit', LIST));
    return { tag, addresses: [...items], is_cut: isCut };
  },
});

export const blockActions: readonly ActionDefinition[] = [blockAddress, unblockAddress, listBlocked];
