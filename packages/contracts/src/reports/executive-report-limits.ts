export const executiveReportLimits = {
  /** Months back from the present one that can be reported. */
  monthsBack: 24,
  /** Files are removed after it, and their rows with them. */
  keptDays: 400,
  recipientsMax: 50,
  /** How long the link of a mail opens the file. */
  mailedLinkDays: 14,
} as const;
