import type { AnalyticsSink } from './telemetry-sink.ts';

type Options = { key: string; host: string; release: string };

/** Only what is named here is told; addresses of pages never are. */
const TOLD = new Set(['token', 'distinct_id', '$lib', '$lib_version', '$insert_id', '$time', 'route', 'release']);

/** PostHog, with everything off that it would gather by itself, and without code or flags from its host. */
export async function createPosthogSink({ key, host, release }: Options): Promise<AnalyticsSink> {
  const { default: posthog } = await import('posthog-js/dist/module.no-external');
  posthog.init(key, {
    api_host: host,
    persistence: 'memory',
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_performance: false,
    capture_dead_clicks: false,
    capture_exceptions: false,
    capture_heatmaps: false,
    disable_session_recording: true,
    disable_surveys: true,
    disable_web_experiments: true,
    disable_external_dependency_loading: true,
    advanced_disable_flags: true,
    save_referrer: false,
    save_campaign_params: false,
    before_send: (event) => {
      if (event === null) return null;
      const told = Object.entries(event.properties).filter(([name]) => TOLD.has(name));
      return { ...event, properties: Object.fromEntries(told), $set: {}, $set_once: {} };
    },
  });
  return {
    view: (route) => {
      posthog.capture('$pageview', { route, release });
    },
    person: (id) => {
      if (id === undefined) posthog.reset();
      else posthog.identify(id);
    },
  };
}
