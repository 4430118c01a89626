import type { Criterion } from '@airdeck/contracts/policies/schema';
import { allOf, anyOf } from './criterion-tree.ts';
import { type Aggregation, readAggregation } from './sigma-aggregation.ts';
import { readCondition, type Selections } from './sigma-condition.ts';
import { failed } from './sigma-problem.ts';
import { fieldCriterion, type ValueContext } from './sigma-values.ts';
import { isList, isRecord, type PlainRecord, type PlainValue } from './sigma-yaml.ts';

/** Entries of `detection` that are no selections. */
const notSelections: ReadonlySet<string> = new Set(['condition', 'timeframe']);
const MAX_CONDITIONS = 20;

export type Detection = { readonly criterion: Criterion; readonly aggregation: Aggregation | undefined };

/** Reads the `detection` of a rule. Throws `SigmaProblem`. */
export function readDetection(detection: PlainRecord, context: ValueContext): Detection {
  const names = Object.keys(detection).filter((name) => !notSelections.has(name));
  if (names.length === 0) throw failed('The rule has no selection.');
  const known = new Map<string, Criterion>();
  const selections: Selections = {
    names,
    criterionOf(name) {
      const criterion = known.get(name) ?? selectionCriterion(name, detection[name], context);
      known.set(name, criterion);
      return criterion;
    },
  };
  const conditions = conditionsOf(detection.condition);
  const read = conditions.map((condition) => {
    const bar = condition.indexOf('|');
    const text = bar === -1 ? condition : condition.slice(0, bar);
    const aggregation =
      bar === -1 ? undefined : readAggregation(condition.slice(bar + 1), detection.timeframe, context.fieldOf);
    return { criterion: readCondition(text, selections), aggregation };
  });
  const [only] = read;
  if (read.length === 1 && only !== undefined) return only;
  if (read.some(({ aggregation }) => aggregation !== undefined)) {
    throw failed('A condition that counts must be the only one.');
  }
  return { criterion: anyOf(read.map(({ criterion }) => criterion)), aggregation: undefined };
}

function conditionsOf(condition: PlainValue | undefined): string[] {
  const list = isList(condition) ? condition : [condition];
  const texts = list.filter((one) => typeof one === 'string' && one.trim() !== '');
  if (texts.length === 0 || texts.length !== list.length) throw failed('The rule has no condition.');
  if (texts.length > MAX_CONDITIONS) throw failed(`A rule has at most ${MAX_CONDITIONS} conditions.`);
  return texts.map(String);
}

/** A map: all of its fields. A list: any of its maps, and its plain values as words anywhere in the event. */
function selectionCriterion(name: string, selection: PlainValue | undefined, context: ValueContext): Criterion {
  if (isRecord(selection)) return mapCriterion(name, selection, context);
  const members = isList(selection) ? selection : selection === undefined ? [] : [selection];
  if (members.length === 0) throw failed(`The selection "${name}" is empty.`);
  const maps = members.filter(isRecord).map((map) => mapCriterion(name, map, context));
  const words = members.filter((member) => !isRecord(member));
  const anywhere = words.length === 0 ? [] : [fieldCriterion('', words, context)];
  return anyOf([...maps, ...anywhere]);
}

function mapCriterion(name: string, map: PlainRecord, context: ValueContext): Criterion {
  const entries = Object.entries(map);
  if (entries.length === 0) throw failed(`The selection "${name}" is empty.`);
  return allOf(entries.map(([key, value]) => fieldCriterion(key, value, context)));
}
