import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectsOf, textOf } from '../answer-fields.ts';
import { inputText, optionalText } from '../vendor-action.ts';
import { pagerdutyAction, sendEvent } from './pagerduty-client.ts';

const DEDUP = { max: 255, pattern: /^[^\p{C}]+$/u, like: 'such as case-77' };
const severities = ['critical', 'error', 'warning', 'info'] as const;
const DETAILS_MAX_BYTES = 200_000;

const dedupSchema = {
  type: 'string',
  title: 'Deduplication key',
  description: 'Such as the id of the case. Events with the same key belong to one alert.',
  maxLength: DEDUP.max,
};

const eventOutput = {
  dedup_key: { type: ['string', 'null'], description: 'What the alert is known by, to acknowledge and resolve it.' },
  message: { type: ['string', 'null'] },
};

export const trigger = pagerdutyAction({
  verb: 'trigger',
  friendly_name: 'Trigger alert',
  description: 'Alerts whoever is on call for the service of the routing key.',
  input: {
    summary: { type: 'string', title: 'Summary', minLength: 1, maxLength: 1024 },
    source: {
      type: 'string',
      title: 'Source',
      description: 'What is affected: a host, a service.',
      minLength: 1,
      maxLength: 255,
    },
    severity: { type: 'string', title: 'Severity', enum: [...severities] },
    dedup_key: dedupSchema,
    component: { type: 'string', title: 'Component', maxLength: 255 },
    group: { type: 'string', title: 'Group', maxLength: 255 },
    class: { type: 'string', title: 'Class', maxLength: 255 },
    custom_details: { type: 'object', title: 'Details', description: 'Any facts, as names and values.' },
    links: {
      type: 'array',
      title: 'Links',
      items: {
        type: 'object',
        required: ['href'],
        additionalProperties: false,
        properties: {
          href: { type: 'string', pattern: '^https?://', maxLength: 2000 },
          text: { type: 'string', maxLength: 255 },
        },
      },
      maxItems: 10,
    },
  },
  required: ['summary', 'source', 'severity'],
  output: eventOutput,
  effect: 'changes',
  // Without a key of its own, the key of the step makes a repetition the same alert.
  idempotent: true,

  async run(context) {
    const links = linksOf(context);
    return sendEvent(context, {
      event_action: 'trigger',
      dedup_key: optionalText(context, 'dedup_key', DEDUP) ?? context.idempotencyKey.slice(-DEDUP.max),
      payload: payloadOf(context),
      client: 'AIRdeck',
      ...(links.length === 0 ? {} : { links }),
    });
  },
});

function payloadOf(context: ActionContext): JsonObject {
  const severity = severities.find((one) => one === context.input.severity);
  if (severity === undefined)
    throw new VendorError('VENDOR_REJECTED', `"severity" must be one of ${severities.join(', ')}.`);
  const details = context.input.custom_details;
  if (details !== undefined && Buffer.byteLength(JSON.stringify(details)) > DETAILS_MAX_BYTES) {
    throw new VendorError('VENDOR_REJECTED', '"custom_details" is larger than 200 kB.');
  }
  return {
    summary: inputText(context, 'summary', { max: 1024 }),
    source: inputText(context, 'source', { max: 255 }),
    severity,
    timestamp: context.now().toISOString(),
    component: optionalText(context, 'component', { max: 255 }),
    group: optionalText(context, 'group', { max: 255 }),
    class: optionalText(context, 'class', { max: 255 }),
    custom_details: details,
  };
}

/** Only addresses a browser opens as a page. */
function linksOf({ input }: ActionContext): JsonObject[] {
  return objectsOf(input.links).map((link) => {
    const href = textOf(link, 'href') ?? '';
    if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) {
      throw new VendorError('VENDOR_REJECTED', 'A link must begin with https:// or http://.');
    }
    return { href, text: textOf(link, 'text') ?? href };
  });
}

/** The two later steps of an alert differ in their name only. */
export const laterEvents: readonly ActionDefinition[] = [
  { verb: 'acknowledge', friendly_name: 'Acknowledge alert', description: 'Says that somebody works on an alert.' },
  { verb: 'resolve', friendly_name: 'Resolve alert', description: 'Says that an alert is over.' },
].map((step) =>
  pagerdutyAction({
    ...step,
    input: { dedup_key: { ...dedupSchema, minLength: 1 } },
    required: ['dedup_key'],
    output: eventOutput,
    effect: 'changes',
    idempotent: true,
    run: async (context) =>
      sendEvent(context, { event_action: step.verb, dedup_key: inputText(context, 'dedup_key', DEDUP) }),
  }),
);
