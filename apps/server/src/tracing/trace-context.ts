/** W3C trace context, level 1: the header `traceparent`. */
export type TraceContext = {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 of them. */
  readonly spanId: string;
  readonly sampled: boolean;
};

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;
const SAMPLED = 1;
/** As many bits as a number holds exactly. */
const SHARE_DIGITS = 13;

/** Undefined for what is none: then a trace of our own begins. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${sampled ? SAMPLED : 0}`;
}

/** Whether a trace is among the share that is kept. Every process says the same of the same trace. */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-SHARE_DIGITS), 16) / 16 ** SHARE_DIGITS < share;
}

function isZero(digits: string): boolean {
  return /^0+$/.test(digits);
}
