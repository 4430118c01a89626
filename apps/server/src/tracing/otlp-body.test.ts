import { expect, it } from 'vitest';
import { otlpBody } from './otlp-body.ts';
import type { EndedSpan } from './recording-tracer.ts';

const span: EndedSpan = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '00f067aa0ba902b7',
  name: 'cases.list',
  kind: 'server',
  startMs: 1_795_468_800_000,
  endMs: 1_795_468_800_012.345,
  attributes: {
    'http.route': '/x',
    status: 200,
    ratio: 0.5,
    duplicate: false,
    absent: undefined,
    long: 'x'.repeat(201),
  },
  failed: true,
};

it('is what collectors read: ids in hexadecimal digits, numbers of 64 bits as text, kinds and states by number', () => {
  const body = otlpBody({ resource: { 'service.name': 'airdeck' }, release: '1.2.3' }, [
    span,
    { ...span, parentSpanId: undefined, kind: 'client', attributes: {}, failed: false },
  ]);
  expect(JSON.parse(body)).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'airdeck' } }] },
        scopeSpans: [
          {
            scope: { name: 'airdeck', version: '1.2.3' },
            spans: [
              {
                traceId: span.traceId,
                spanId: span.spanId,
                parentSpanId: span.parentSpanId,
                name: 'cases.list',
                kind: 2,
                startTimeUnixNano: '1795468800000000000',
                endTimeUnixNano: '1795468800012345000',
                attributes: [
                  { key: 'http.route', value: { stringValue: '/x' } },
                  { key: 'status', value: { intValue: '200' } },
                  { key: 'ratio', value: { doubleValue: 0.5 } },
                  { key: 'duplicate', value: { boolValue: false } },
                  { key: 'long', value: { stringValue: 'x'.repeat(200) } },
                ],
                status: { code: 2 },
              },
              {
                traceId: span.traceId,
                spanId: span.spanId,
                name: 'cases.list',
                kind: 3,
                startTimeUnixNano: '1795468800000000000',
                endTimeUnixNano: '1795468800012345000',
                attributes: [],
                status: {},
              },
            ],
          },
        ],
      },
    ],
  });
});
