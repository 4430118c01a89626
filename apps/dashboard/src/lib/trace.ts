/** W3C trace context, one trace per call, so that an error report can be found in the server's log (spec §7). */
export function traceHeaders(): Readonly<Record<string, string>> {
  return { traceparent: `00-${hex(16)}-${hex(8)}-01` };
}

function hex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
