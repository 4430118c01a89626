import type { FastifyReply } from 'fastify';
import { type AwsMemory, offsetOf, pageToken, type TrailEvent } from './aws-data.ts';
import { awsError } from './aws-errors.ts';
import { integerOf, listOf, objectOf, textOf } from './request-values.ts';

const MAX_RESULTS = 50;
const attributes = ['EventId', 'EventName', 'ReadOnly', 'Username', 'EventSource', 'AccessKeyId'] as const;

/** `LookupEvents`: the event history, newest first. */
export function lookupEvents(memory: AwsMemory, body: Record<string, unknown>, reply: FastifyReply): unknown {
  const { NextToken, MaxResults, ...search } = body;
  const count = integerOf(MaxResults, MAX_RESULTS);
  const wanted = objectOf(listOf(search.LookupAttributes)[0]);
  const attribute = attributes.find((name) => name === wanted.AttributeKey);
  const isNarrowed = search.LookupAttributes !== undefined;
  if (count < 1 || count > MAX_RESULTS) {
    return awsError(reply, 400, 'InvalidMaxResultsException', 'A max results value of 1 to 50 is allowed.');
  }
  if (isNarrowed && attribute === undefined) {
    return awsError(reply, 400, 'InvalidLookupAttributesException', 'An invalid lookup attribute is specified.');
  }
  const key = JSON.stringify(search);
  const offset = offsetOf(memory, key, textOf(NextToken));
  if (offset === undefined) {
    return awsError(reply, 400, 'InvalidNextTokenException', 'Invalid token or a token that is not of this search.');
  }
  const from = numberOr(search.StartTime, Number.NEGATIVE_INFINITY);
  const to = numberOr(search.EndTime, Number.POSITIVE_INFINITY);
  const fits = (event: TrailEvent) =>
    event.EventTime >= from &&
    event.EventTime <= to &&
    (attribute === undefined || event[attribute] === wanted.AttributeValue);
  const found = memory.trail.filter(fits).toSorted((a, b) => b.EventTime - a.EventTime);
  const isLast = offset + count >= found.length;
  return {
    Events: found.slice(offset, offset + count),
    ...(isLast ? {} : { NextToken: pageToken(memory, key, offset + count) }),
  };
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
