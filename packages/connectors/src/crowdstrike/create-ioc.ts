import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textsOf } from '../answer-fields.ts';
import { inputTime } from '../time-input.ts';
import { optionalText } from '../vendor-action.ts';
import { falconAction } from './falcon-action.ts';
import { callFalcon, FALCON, objectsIn } from './falcon-client.ts';
import type { Indicator } from './indicators.ts';
import {
  findIndicator,
  INDICATORS,
  indicatorActions,
  indicatorFacts,
  indicatorOutput,
  inputIndicator,
  valueInput,
} from './indicators.ts';

const severities = ['informational', 'low', 'medium', 'high', 'critical'];
const platforms = ['windows', 'mac', 'linux'];

export const createIoc = falconAction({
  verb: 'create_ioc',
  friendly_name: 'Create indicator',
  description:
    'Puts an indicator of compromise into Falcon, for all hosts. One that is there already is left as it is.',
  effect: 'changes',
  idempotent: true,
  input: {
    value: valueInput,
    action: {
      type: 'string',
      title: 'What Falcon does',
      description: 'Preventing works for files; domains and addresses are only detected.',
      enum: indicatorActions,
      default: 'detect',
    },
    severity: { type: 'string', title: 'Severity', enum: severities, default: 'medium' },
    platforms: {
      type: 'array',
      title: 'Platforms',
      items: { type: 'string', enum: platforms },
      default: platforms,
      maxItems: 3,
    },
    description: { type: 'string', title: 'Description', maxLength: 1000 },
    expiration: {
      type: 'string',
      title: 'Ends at',
      description: 'Such as 2026-12-31T00:00:00Z. Empty: never.',
      maxLength: 40,
    },
  },
  required: ['value'],
  output: { ...indicatorOutput, changed: { type: 'boolean', description: 'False when it was there already.' } },

  // Falcon refuses a second one of the same value, so looking first makes a repeated call succeed.
  async run(context) {
    const indicator = inputIndicator(context);
    const wanted = bodyOf(context, indicator);
    const known = await findIndicator(context, indicator);
    if (known !== undefined) return { ...indicatorFacts(known), changed: false };
    const answer = await callFalcon(context, { method: 'POST', path: INDICATORS, json: { indicators: [wanted] } });
    const [created] = objectsIn(answer);
    if (created === undefined)
      throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${FALCON} answered without the indicator.`);
    return { ...indicatorFacts(created), changed: true };
  },
});

function bodyOf(context: ActionContext, indicator: Indicator): JsonObject {
  const expiration = inputTime(context, 'expiration');
  const description = optionalText(context, 'description', { max: 1000 });
  const chosen = textsOf(context.input.platforms).filter((platform) => platforms.includes(platform));
  return {
    ...indicator,
    action: oneOf(context, 'action', indicatorActions) ?? 'detect',
    severity: oneOf(context, 'severity', severities) ?? 'medium',
    platforms: chosen.length === 0 ? platforms : chosen,
    applied_globally: true,
    ...(description === undefined ? {} : { description }),
    ...(expiration === undefined ? {} : { expiration: expiration.toISOString() }),
  };
}

function oneOf(context: ActionContext, field: string, allowed: readonly string[]): string | undefined {
  const value = optionalText(context, field, { max: 40 });
  if (value === undefined || allowed.includes(value)) return value;
  throw new VendorError('VENDOR_REJECTED', `"${field}" must be one of ${allowed.join(', ')}.`);
}
