/**
 * Limits on one request. docs/security.md lists each of them. A request above a limit is refused before its SQL is built;
 * only `maxRowsBytes` is checked while the statement runs.
 */

/**
 * Maximum number of selected columns of one level (the requested resource or an embedded one). A repeated column counts each
 * time it is selected. The first `*` is not counted; any other `*` counts as all columns of the relation.
 */
export const maxColumns = 100
/** Maximum number of selected columns of all levels together. */
export const maxTotalColumns = 300
/** Maximum number of embedded resources of one request. */
export const maxEmbeds = 20
/** Maximum nesting depth of embedded resources. */
export const maxEmbedDepth = 6
/** Maximum number of filters of the query, including those inside `and` and `or`. */
export const maxFilters = 200
/**
 * Maximum number of filters in the SQL. The SQL repeats the filters of an embedded resource for each condition or order
 * that refers to this resource.
 */
export const maxSqlFilters = 1000
/**
 * Maximum number of subqueries in the SQL for conditions and orders on embedded resources. PostgreSQL plans each of them as
 * a join.
 */
export const maxSqlSubqueries = 40
/** Maximum number of columns in the `order` of one level. */
export const maxOrderTerms = 20
/** Maximum number of arrows (`->`, `->>`) in a path into a JSON column. */
export const maxJsonSteps = 16
/** Maximum number of parameters of the query string. */
export const maxParameters = 400
/** Maximum number of rows in the body of one request. */
export const maxBodyRows = 10_000
/** Maximum number of keys of an object in a body. */
export const maxKeys = 1600
/**
 * Maximum size of the JSON text of a response's rows (bytes). It is smaller than the limit of the database connection
 * (`result-limits.ts`).
 */
export const maxRowsBytes = 32_000_000
