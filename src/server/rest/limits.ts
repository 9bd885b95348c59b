/** Limits on one request. docs/security.md lists each of them. A request above a limit is refused before its SQL is built. */

/** Selected columns of one level, including repeated ones. The first `*` is not counted; any other one counts as all columns of the relation. */
export const maxColumns = 100
/** Selected columns of all levels together. */
export const maxTotalColumns = 300
/** Embedded resources of one request. */
export const maxEmbeds = 20
/** Nesting depth of embedded resources. */
export const maxEmbedDepth = 6
/** Filters of the query, including those inside `and` and `or`. */
export const maxFilters = 200
/** Filters in the SQL, which repeats those of an embedded resource for each condition or order that refers to it. */
export const maxRepeatedFilters = 1000
/** Subqueries in the SQL for conditions and orders on embedded resources. PostgreSQL plans each of them as a join. */
export const maxRepeatedEmbeds = 40
/** Columns in the `order` of one level. */
export const maxOrderTerms = 20
/** Arrows (`->`, `->>`) in the path into a JSON column. */
export const maxJsonSteps = 16
/** Parameters of the query string. */
export const maxParameters = 400
/** Rows of one body. */
export const maxBodyRows = 10_000
/** Keys of an object in a body. */
export const maxKeys = 1600
/** Bytes of the JSON text of a response's rows. Less than the limit of the database connection (`result-limits.ts`). */
export const maxRowsBytes = 32_000_000
