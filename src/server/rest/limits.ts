/**
 * Limits on one request. Each is listed in docs/security.md. A request above a limit is refused before its SQL is
 * built.
 */

/** Selected columns of one level, aliases included. The first `*` is free, another one counts as all its columns. */
export const maxColumns = 100
/** Selected columns of all levels together. */
export const maxTotalColumns = 300
/** Embedded resources of one request. */
export const maxEmbeds = 20
/** Nesting depth of embedded resources. */
export const maxEmbedDepth = 6
/** Filters, including those inside trees. */
export const maxFilters = 200
/**
 * Filters in the SQL text. Those of an embedded resource are repeated for each condition or order that refers to it.
 */
export const maxRepeatedFilters = 1000
/**
 * Subqueries on embedded resources in conditions and orders, counted in the same way: PostgreSQL plans each as a join.
 */
export const maxRepeatedEmbeds = 40
/** Columns in the order of one level. */
export const maxOrderTerms = 20
/** Arrows into one JSON column. */
export const maxJsonSteps = 16
/** Parameters of the query string. */
export const maxParameters = 400
/** Rows of one body. */
export const maxBodyRows = 10_000
/** Keys of an object in a body. */
export const maxKeys = 1600
/** Bytes of the JSON text of an answer's rows. Less than the limit of the database connection (`result-limits.ts`). */
export const maxRowsBytes = 32_000_000
