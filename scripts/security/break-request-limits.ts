import type { SecurityBreak } from './break.ts'

const limits = 'src/server/rest/limits.ts'
const size = 'src/server/rest/result-size.ts'
const build = 'src/server/rest/build-sql.ts'
const json = 'src/server/rest/sql-json.ts'
const stream = 'src/server/db/result-stream.ts'
const budget = 'src/server/http/byte-budget.ts'
const rest = 'src/server/rest/rest.ts'
const listener = 'src/server/http/listener.ts'
const pull = 'supabase/migrations/20261122000011_pull.sql'
const companies = 'supabase/migrations/20261122000006_companies.sql'
const board = 'supabase/migrations/20261214000000_pipelines.sql'
const account = 'supabase/migrations/20261122000019_account.sql'
const asked = 'tests/api/rest-limits.test.ts'
const bounded = 'tests/api/bounded-answers.test.ts'
const unfiltered = 'tests/api/rest-unfiltered.test.ts'

/** Breaks of the limits on requests that use too much memory, and of the refusal of writes without a filter (to all rows of a table). */
export const breaksOfRequestLimits: readonly SecurityBreak[] = [
  limit('a thousand aliases of a column', 'maxColumns = 100', '101 columns'),
  {
    attack: 'many stars in one select',
    file: 'src/server/rest/plan-read.ts',
    from: '++stars > 1',
    to: '++stars > 1000',
    test: asked,
    title: 'many stars in a select',
  },
  limit('columns over many embedded resources', 'maxTotalColumns = 300', '301 columns over embeds'),
  limit('many embedded resources', 'maxEmbeds = 20', '21 embeds'),
  limit('embedded resources inside each other', 'maxEmbedDepth = 6', '7 embeds inside each other'),
  limit('unlimited filters', 'maxFilters = 200', 'refused with 400: 201 filters'),
  {
    attack: 'unlimited filters in a tree',
    file: 'src/server/rest/parse-query.ts',
    from: 'condition.terms.reduce((sum, term) => sum + filtersIn(term), 0)',
    to: '1',
    test: asked,
    title: '201 filters in a tree',
  },
  limit('unlimited parameters', 'maxParameters = 400', '401 parameters'),
  limit('unlimited columns to order by', 'maxOrderTerms = 20', '21 columns to order by'),
  limit('unlimited steps into JSON', 'maxJsonSteps = 16', '17 steps into JSON'),
  {
    attack: 'unlimited depth of filter trees',
    file: 'src/server/rest/parse-filter.ts',
    from: 'maxFilterDepth = 32',
    to: 'maxFilterDepth = Infinity',
    test: asked,
    title: '33 levels of a tree',
  },
  limit('unlimited rows in a body', 'maxBodyRows = 10_000', 'more than 10,000 rows'),
  limit('unlimited keys of an object', 'maxKeys = 1600', 'more than 1,600 keys'),
  {
    attack: 'a query that fills the headers',
    file: listener,
    from: 'maxOtherHeaders = 16 * 1024',
    to: 'maxOtherHeaders = Infinity',
    test: asked,
    title: 'more than 16 kB',
  },
  {
    attack: 'an unlimited list of values',
    file: build,
    from: ' limit ${plan.maxRows}) as r`',
    to: ') as r`',
    test: asked,
    title: 'a function that returns many values returns at most the maximum number of rows',
  },
  // Statements that count the bytes of their result, and the decision which statements must count them.
  {
    attack: 'rows of a response that fill the memory',
    file: limits,
    from: 'maxRowsBytes = 32_000_000',
    to: 'maxRowsBytes = 2_000_000_000',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: aliases',
  },
  {
    attack: 'aliases of a large column: not counted as copies',
    file: size,
    from: 'let perRow = maxCopiesOfOneColumn(read)',
    to: 'let perRow = 1',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: aliases',
  },
  {
    attack: 'many stars: not counted as copies',
    file: size,
    from: 'return stars + Math.max',
    to: 'return Math.max',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: stars',
  },
  {
    attack: 'nested embeds: not counted as copies',
    file: size,
    from: 'perRow += estimateRows(below, relationship.toOne ? 1 : (below.limit ?? Number.POSITIVE_INFINITY))',
    to: 'perRow += estimateRows(below, 1)',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: nested embeds',
  },
  {
    attack: 'a write that returns all rows: not counted',
    file: build,
    from: 'mayBeTooLarge(plan.returning, writesOneRow(plan) ? 1 : null)',
    to: 'false',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: a write',
  },
  {
    attack: 'a write of many rows is treated as a write of one row',
    file: build,
    from: 'return plan.relation.primaryKey.length > 0 && plan.relation.primaryKey.every(isFixed)',
    to: 'return true',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: a write',
  },
  {
    attack: 'a list of new rows is treated as one object',
    file: build,
    from: "return plan.body === 'object'",
    to: 'return true',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: a list of new rows',
  },
  {
    attack: 'rows of a function: not counted',
    file: build,
    from: 'mayBeTooLarge(plan.read, plan.read.limit)',
    to: 'false',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: rows of a function',
  },
  {
    attack: 'an embedded list that is too large by itself: not counted',
    file: 'src/server/rest/sql-read.ts',
    from: 'mayBeTooLarge(read, read.limit))',
    to: 'false)',
    test: asked,
    title: 'an embedded list fails as soon as it is too large',
  },
  {
    attack: 'bytes are counted row by row, not summed',
    file: json,
    from: 'sum(pg_column_size(o.j)) over (rows unbounded preceding)',
    to: '(pg_column_size(o.j))',
    test: asked,
    title: 'a response is counted by the statement while it builds the JSON: aliases',
  },
  // Limits on the size of the messages that the database sends.
  {
    attack: 'a function whose response fills the memory',
    file: 'src/server/db/result-limits.ts',
    from: 'maxResultBytes = 32 * 1024 * 1024',
    to: 'maxResultBytes = Infinity',
    test: asked,
    title: 'the connection is dropped if the result of a function is too large, and the next request is served',
  },
  {
    attack: 'one message after another, each below the limit',
    file: stream,
    from: 'this.#sum += size',
    to: 'this.#sum = size',
    test: 'src/server/db/result-stream.test.ts',
    title: '',
  },
  {
    attack: 'a response is refused only when it is already in memory',
    file: stream,
    from: "if (this.#sum > maxResultBytes) return new ResultRefusedError('too large')",
    to: '',
    test: 'src/server/db/result-stream.test.ts',
    title: '',
  },
  // Many requests at the same time.
  {
    attack: 'one user takes all memory for large responses',
    file: budget,
    from: 'use.bytes + more > perKey || this.#bytes + more > limit',
    to: 'this.#bytes + more > limit',
    test: asked,
    title:
      'many large responses to one user at once are refused with 503 beyond the user’s share, and accepted again once clients have gone',
  },
  {
    attack: 'the large responses of many users exceed the memory',
    file: budget,
    from: 'const limit = held + more <= small ? total * 1.5 : total',
    to: 'const limit = Infinity',
    test: asked,
    title: 'many large responses to many users at once are refused with 503 beyond the limit for all users together',
  },
  {
    attack: 'the memory share is freed before the client has received the response',
    file: rest,
    from: 'if (held) response.onSent = () => held?.release()',
    to: 'held?.release()',
    test: asked,
    title:
      'many large responses to one user at once are refused with 503 beyond the user’s share, and accepted again once clients have gone',
  },
  {
    attack: 'the memory share of disconnected clients is never freed',
    file: 'src/server/http/slow-reader.ts',
    from: "else response.once('close', done)",
    to: 'else return',
    test: asked,
    title:
      'many large responses to one user at once are refused with 503 beyond the user’s share, and accepted again once clients have gone',
  },
  {
    attack: 'a client that never reads keeps a response in memory for ever',
    file: 'src/server/http/slow-reader.ts',
    from: 'const timer = setTimeout(() => response.destroy()',
    to: 'const timer = setTimeout(() => {}',
    test: 'src/server/http/slow-reader.test.ts',
    title: 'a client that has not read a large response is disconnected when its time is over, and not earlier',
  },
  {
    attack: 'the server does not check for clients that never read',
    file: 'src/server/http/send-response.ts',
    from: '  disconnectSlowReader(response, length)\n',
    to: '',
    test: 'src/server/http/slow-reader.test.ts',
    title: '`sendResponse` sets the time limit: a client that does not read its large response is disconnected',
  },
  {
    attack: 'request bodies of one network address fill the memory',
    file: listener,
    from: 'request.holdBytes(bodies))',
    to: 'null)',
    test: asked,
    title: 'many large bodies of one address at once',
  },
  // The product's own functions.
  {
    attack: 'pages of pull without a limit in bytes',
    file: pull,
    from: 'if v_bytes > v_most and v_rows > 1 then',
    to: 'if false then',
    test: bounded,
    title: 'in pages of at most 8 MB',
  },
  {
    attack: 'pages of pull with as many rows as requested',
    file: pull,
    from: 'least(greatest(coalesce(p_limit, 1000), 1), 5000)',
    to: 'greatest(coalesce(p_limit, 1000), 1)',
    test: bounded,
    title: 'a pull returns as many small rows per page as requested, up to 5,000',
  },
  {
    attack: 'a search without a limit in bytes',
    file: companies,
    from: '  perform private.assert_answer_size(v_bytes);\n',
    to: '',
    test: bounded,
    title: 'a search is refused with 413 if its page is too large',
  },
  {
    attack: 'a board with an unlimited number of stages',
    file: board,
    from: 'least(coalesce(p_cards, 20), 1 + 5000 / greatest(v_stages, 1))::integer',
    to: 'coalesce(p_cards, 20)',
    test: bounded,
    title: 'the board shows fewer cards per stage if there are very many',
  },
  {
    attack: 'a board without a limit in bytes',
    file: board,
    from: '  perform private.assert_answer_size(pg_column_size(v_board));\n',
    to: '',
    test: bounded,
    title: 'the board is refused with 413 if its cards are too large',
  },
  {
    attack: 'an export whose pages have no limit in bytes',
    file: account,
    from: 'or (v_bytes_left < octet_length(v_row.data) and v_rows_left < 2000)',
    to: '',
    test: bounded,
    title: 'the export comes in pages of at most 8 MB, each record once',
  },
  {
    attack: 'an export whose pages have no limit in rows',
    file: account,
    from: 'if v_rows_left = 0 or ',
    to: 'if ',
    test: bounded,
    title: 'the export comes in pages of at most 2,000 records',
  },
  // Writes of a whole table.
  {
    attack: 'PATCH and DELETE of a whole table',
    file: 'src/server/rest/plan-mutation.ts',
    from: "  if (kind !== 'insert') refuseUnfiltered(kind, level?.conditions ?? [])\n",
    to: '',
    test: unfiltered,
    title: 'PATCH and DELETE with no filter',
  },
  {
    attack: 'a filter on an embedded resource counts as a filter of the table',
    file: 'src/server/rest/plan-mutation.ts',
    from: 'refuseUnfiltered(kind, level?.conditions ?? [])',
    to: 'refuseUnfiltered(kind, [...query.levels.values()].flatMap((each) => each.conditions))',
    test: unfiltered,
    title: 'PATCH and DELETE with a filter on an embedded resource only',
  },
]

/** Returns a break that removes a limit. */
function limit(attack: string, text: string, title: string): SecurityBreak {
  return { attack, file: limits, from: text, to: `${text.split(' = ')[0]} = Infinity`, test: asked, title }
}
