import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { virustotalAction } from './virustotal-action.ts';
import { virustotalObject } from './virustotal-client.ts';
import { inputUrl, urlSchema } from './virustotal-url.ts';

export const scanUrl = virustotalAction({
  verb: 'scan_url',
  friendly_name: 'Scan URL',
  description:
    'Submits a URL for analysis. It becomes visible to other users of VirusTotal: never submit one with secrets.',
  input: { url: urlSchema },
  required: ['url'],
  output: { analysis_id: { type: 'string', description: 'For "Get analysis", a minute later.' } },
  effect: 'changes',
  // A second submission analyses the same URL again.
  idempotent: true,

  async run(context) {
    const url = inputUrl(context);
    const analysis = await virustotalObject(context, {
      method: 'POST',
      path: '/urls',
      form: { url },
      idempotent: true,
    });
    const id = textOf(analysis, 'id');
    if (id === null) throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'VirusTotal did not name the analysis.');
    return { analysis_id: id };
  },
});

const ANALYSIS = { max: 300, pattern: /^[A-Za-z0-9+/=_-]+$/, like: 'as "Scan URL" returned it' };

export const getAnalysis = virustotalAction({
  verb: 'get_analysis',
  friendly_name: 'Get analysis',
  description: 'State and verdicts of a submitted analysis.',
  input: { analysis_id: { type: 'string', title: 'Analysis', minLength: 1, maxLength: ANALYSIS.max } },
  required: ['analysis_id'],
  output: {
    status: { type: ['string', 'null'], description: 'queued, in-progress or completed.' },
    malicious: { type: 'integer' },
    suspicious: { type: 'integer' },
    harmless: { type: 'integer' },
    undetected: { type: 'integer' },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const id = inputText(context, 'analysis_id', ANALYSIS);
    const { attributes } = await virustotalObject(context, { path: `/analyses/${segment(id)}` });
    const stats = objectOf(objectOf(attributes).stats);
    return {
      status: textOf(objectOf(attributes), 'status'),
      malicious: numberOf(stats, 'malicious') ?? 0,
      suspicious: numberOf(stats, 'suspicious') ?? 0,
      harmless: numberOf(stats, 'harmless') ?? 0,
      undetected: numberOf(stats, 'undetected') ?? 0,
    };
  },
});
