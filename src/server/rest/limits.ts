/** What one request may ask for at most. Each limit is a row of docs/security.md; a request beyond it is refused before its SQL is made. */

/** Selected columns of one level, aliases counted. The first `*` is free, a further one counts as its columns. */
export const maxColumns = 100
/** Selected columns of all levels together. */
export const maxTotalColumns = 300
/** Embedded resources of a request. */
export const maxEmbeds = 20
/** Embedded resources inside each other. */
export const maxEmbedDepth = 6
/** Filters, those inside trees counted. */
export const maxFilters = 200
/** Filters of the SQL: those of an embedded resource again for each condition or order that asks for it. */
export const maxSpelledFilters = 1000
/** Looks into embedded resources to judge or order a row, counted in the same way: PostgreSQL plans each as a join. */
export const maxSpelledEmbeds = 40
/** Columns that one level is ordered by. */
export const maxOrderTerms = 20
/** Arrows into one JSON column. */
export const maxJsonSteps = 16
/** Parameters of the query string. */
export const maxParameters = 400
/** Rows that one body may hold. */
export const maxBodyRows = 10_000
/** Keys of an object in a body. */
export const maxKeys = 1600
/** JSON text of an answer's rows, in bytes: less than the database connection takes (`answer-limits.ts`). */
export const maxRowsBytes = 32_000_000
