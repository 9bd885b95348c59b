/** What one request may ask for at most. Each limit is a row of docs/security.md; a request beyond it is refused before its SQL is made. */

/** Selected columns of one level, aliases counted. The first `*` is free, a further one counts as its columns. */
export const MAX_COLUMNS = 100
/** Selected columns of all levels together. */
export const MAX_COLUMNS_IN_ALL = 300
/** Embedded resources of a request. */
export const MAX_EMBEDS = 20
/** Embedded resources inside each other. */
export const MAX_EMBED_DEPTH = 6
/** Filters, those inside trees counted. */
export const MAX_FILTERS = 200
/** Filters of the SQL: those of an embedded resource again for each condition or order that asks for it. */
export const MAX_SPELLED_FILTERS = 1000
/** Looks into embedded resources to judge or order a row, counted in the same way: PostgreSQL plans each as a join. */
export const MAX_SPELLED_EMBEDS = 40
/** Columns that one level is ordered by. */
export const MAX_ORDER_TERMS = 20
/** Arrows into one JSON column. */
export const MAX_JSON_STEPS = 16
/** Parameters of the query string. */
export const MAX_PARAMETERS = 400
/** Rows that one body may hold. */
export const MAX_BODY_ROWS = 10_000
/** Keys of an object in a body. */
export const MAX_KEYS = 1600
/** JSON text of an answer's rows, in bytes: less than the database connection takes (`answer-limits.ts`). */
export const MAX_ROWS_BYTES = 32_000_000
