/** The filter operators by their names in the query (docs/supabase-protocol.md, section 3), with their SQL. */
export const comparisonOperators: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['match', '~'],
  ['imatch', '~*'],
  ['cs', '@>'],
  ['cd', '<@'],
  ['ov', '&&'],
  ['sl', '<<'],
  ['sr', '>>'],
  ['nxr', '&<'],
  ['nxl', '&>'],
  ['adj', '-|-'],
  ['isdistinct', 'is distinct from'],
])

/** SQL operators whose right side is a regular expression. */
export const patternOperators: ReadonlySet<string> = new Set(['~', '~*'])

/** Operators that accept `(any)` or `(all)` and a list of values: `like(any).{a*,b*}`. */
export const quantifiableOperators: ReadonlySet<string> = new Set([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
])

/** The operators of full-text search, with the SQL function that converts the words into a search query. */
export const textSearchFunctions: ReadonlyMap<string, string> = new Map([
  ['fts', 'to_tsquery'],
  ['plfts', 'plainto_tsquery'],
  ['phfts', 'phraseto_tsquery'],
  ['wfts', 'websearch_to_tsquery'],
])
