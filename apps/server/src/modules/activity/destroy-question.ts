import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { Question } from '../../http/confirmation.ts';

const FIELDS_MAX = 4;
const VALUE_MAX = 120;

type Asked = Pick<ActionDefinition, 'friendly_name' | 'vendor' | 'product' | 'input_schema'>;

/** What is asked before an action that destroys is run by hand: where, and what exactly. Secret fields are left out. */
export function destroyQuestion(action: Asked, input: JsonObject): Omit<Question, 'object'> {
  const { friendly_name: name, vendor, product } = action;
  const where = vendor === product ? vendor : `${vendor} ${product}`;
  const what = fieldTexts(action.input_schema, input).join(', ');
  return {
    title: refusal('ASK_ACTION_RUN', { action: name }),
    text: [
      what === '' ? refusal('ASK_ACTION_DESTROYS', { where }) : refusal('ASK_ACTION_DESTROYS_WHAT', { where, what }),
    ],
    action_label: refusal('ASK_LABEL_RUN'),
  };
}

/** `Notification “Mail to the team”`: the values somebody typed, under the names of the form. */
function fieldTexts(schema: JsonObject, input: JsonObject): string[] {
  const properties = objectOf(schema.properties);
  return Object.entries(properties)
    .map(([name, property]) => ({ name, field: objectOf(property), value: input[name] }))
    .filter(({ field, value }) => field.secret !== true && (typeof value === 'string' || typeof value === 'number'))
    .filter(({ value }) => value !== '')
    .slice(0, FIELDS_MAX)
    .map(({ name, field, value }) => {
      const label = typeof field.title === 'string' ? field.title : name;
      return `${label} “${clipped(String(value))}”`;
    });
}

function clipped(text: string): string {
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 1)}…` : text;
}
