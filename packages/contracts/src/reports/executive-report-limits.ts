export const executiveReportLimits = {
  /** Months back from the present one that can be reported. */
  monthsBack: 24,
  /** Files are removed after it, and their rows with them. */
  keptDays: 400,
  recipientsMax: 50,
  /** How long a link of the dashboard opens the file: a little longer than it is used again (30 minutes, spec §9). */
  linkMinutes: 35,
  /** How long the link of a mail opens the file. */
  mailedLinkDays: 14,
} as const;
