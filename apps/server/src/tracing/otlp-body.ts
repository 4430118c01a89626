/** Body of an export in the JSON form of OTLP 1.x: ids as hexadecimal digits, 64-bit numbers as text. */
import type { EndedSpan } from './recording-tracer.ts';
import type { Attributes, SpanKind } from './tracer.ts';

const kindNumbers = { internal: 1, server: 2, client: 3, consumer: 5 } as const satisfies Record<SpanKind, number>;
const FAILED = 2;
/** Longer texts are cut. */
const TEXT_MAX = 200;

/** What spans were recorded by. */
export type Origin = { readonly resource: Attributes; readonly release: string };

export function otlpBody({ resource, release }: Origin, spans: readonly EndedSpan[]): string {
  const scopeSpans = [{ scope: { name: 'airdeck', version: release }, spans: spans.map(spanOnTheWire) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans }] });
}

function spanOnTheWire({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failed }: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: kindNumbers[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: keyValues(attributes),
    status: failed ? { code: FAILED } : {},
  };
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value.slice(0, TEXT_MAX) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Of a time today a number holds microseconds, not nanoseconds. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}
