import type { TracingConfig } from '../config/tracing-variables.ts';
import { otlpBody } from './otlp-body.ts';
import { createRecordingTracer, type RecordingDeps } from './recording-tracer.ts';
import { createSpanExport, type SpanCounts, type SpanExportDeps } from './span-export.ts';
import { noTracer, type Tracer } from './tracer.ts';

/** Of a process that tells a collector what it does, or does not. */
export type Tracing = {
  readonly tracer: Tracer;
  /** Undefined where nothing is told. */
  counts(): SpanCounts | undefined;
  stop(): Promise<void>;
};

export const noTracing: Tracing = {
  tracer: noTracer,
  counts: () => undefined,
  stop: () => Promise.resolve(),
};

export type TracingDeps = Pick<RecordingDeps, 'now' | 'elapsedMs' | 'randomBytes'> &
  Pick<SpanExportDeps, 'log'> & {
    readonly process: { readonly id: string; readonly role: string; readonly host: string; readonly release: string };
  };

export function openTracing(config: TracingConfig | undefined, deps: TracingDeps): Tracing {
  if (config === undefined) return noTracing;
  const { id, role, host, release } = deps.process;
  const origin = {
    resource: {
      ...{ 'service.name': config.serviceName, 'service.version': release, 'service.instance.id': id },
      ...{ 'host.name': host, 'airdeck.role': role },
    },
    release,
  };
  const { url, headers, share } = config;
  const spans = createSpanExport({ ...deps, url, headers, body: (group) => otlpBody(origin, group) });
  return {
    tracer: createRecordingTracer({ ...deps, share, onEnd: spans.add }),
    counts: spans.counts,
    stop: spans.stop,
  };
}
