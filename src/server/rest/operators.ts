/** The SQL of the filter operators, by the operators' names in the query (docs/supabase-protocol.md, section 3). */
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

/** The SQL operators whose right operand is a regular expression. */
export const patternOperators: ReadonlySet<string> = new Set(['~', '~*'])

/** The operators that accept `(any)` or `(all)` and then a list of values: `like(any).{a*,b*}`. */
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

/** The SQL functions that convert words into a search query, by the names of the operators of full-text search. */
export const textSearchFunctions: ReadonlyMap<string, string> = new Map([
  ['fts', 'to_tsquery'],
  ['plfts', 'plainto_tsquery'],
  ['phfts', 'phraseto_tsquery'],
  ['wfts', 'websearch_to_tsquery'],
])
