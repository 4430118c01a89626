/** A file ends at whichever comes first; the report says so. */
export const reportLimits = {
  rowsMax: 1_000_000,
  bytesMax: 500_000_000,
  /** Files are removed after it, and reports with them. */
  keptDays: 30,
  schedulesMax: 50,
  /** Days one report of a schedule can cover. */
  coversDaysMax: 366,
  recipientsMax: 20,
} as const;
