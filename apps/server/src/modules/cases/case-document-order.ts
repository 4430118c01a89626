import type { CaseExport } from '@airdeck/contracts/cases/schema';
import type { Locale } from '@airdeck/domain/display-time';

/** What the thread that lays a case out is given. Apart from it, so that whoever asks does not load what draws pages. */
export type CaseDocumentOrder = {
  whole: CaseExport;
  product: string;
  tenant: string;
  locale: Locale;
  timeZone: string;
  /** False leaves the pages readable as text, for tests. */
  compress: boolean;
};

/** More are no reading matter; the export as JSON has them. */
export const EVENTS_ON_PAPER = 500;
/** The newest; what each found out is on its run. */
export const STORY_ON_PAPER = 1000;
