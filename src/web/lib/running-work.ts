/**
 * The work in this page that a reload would end: a change of all records that match, an export, an import, recovery codes that are not saved yet.
 * See `beginWork`.
 */
export const runningWork = new Set<unknown>()
