import type { SecurityBreak } from './break.ts'

const limitsFile = 'src/server/rest/limits.ts'
const resultSizeFile = 'src/server/rest/result-size.ts'
const buildSqlFile = 'src/server/rest/build-sql.ts'
const sqlJsonFile = 'src/server/rest/sql-json.ts'
const resultStreamFile = 'src/server/db/result-stream.ts'
const byteBudgetFile = 'src/server/http/byte-budget.ts'
const restFile = 'src/server/rest/rest.ts'
const listenerFile = 'src/server/http/listener.ts'
const pullSql = 'supabase/migrations/20261122000011_pull.sql'
const searchSql = 'supabase/migrations/20270103000300_lists_and_searches_at_less_cost.sql'
const boardSql = 'supabase/migrations/20261214000000_pipelines.sql'
const accountSql = 'supabase/migrations/20261122000019_account.sql'
const exportLinesSql = 'supabase/migrations/20270117000000_bounded_export_lines.sql'
const restLimitsTest = 'tests/api/rest-limits.test.ts'
const boundedAnswersTest = 'tests/api/bounded-answers.test.ts'
const unfilteredTest = 'tests/api/rest-unfiltered.test.ts'
const auditLogTest = 'supabase/tests/audit-log.test.ts'

/** Breaks of the limits on requests that use too much memory, and of the refusal of writes without a filter (to all rows of a table). */
export const breaksOfRequestLimits: readonly SecurityBreak[] = [
  limitBreak('a thousand aliases of a column', 'maxColumns = 100', '101 columns'),
  {
    attack: 'many stars in one select',
    file: 'src/server/rest/plan-read.ts',
    from: '++stars > 1',
    to: '++stars > 1000',
    test: restLimitsTest,
    title: 'many stars in a select',
  },
  limitBreak('columns over many embedded resources', 'maxTotalColumns = 300', '301 columns over embeds'),
  limitBreak('many embedded resources', 'maxEmbeds = 20', '21 embeds'),
  limitBreak('embedded resources inside each other', 'maxEmbedDepth = 6', '7 embeds inside each other'),
  limitBreak('unlimited filters', 'maxFilters = 200', 'refused with 400: 201 filters'),
  {
    attack: 'unlimited filters in a tree',
    file: 'src/server/rest/parse-query.ts',
    from: 'condition.terms.reduce((sum, term) => sum + filtersIn(term), 0)',
    to: '1',
    test: restLimitsTest,
    title: '201 filters in a tree',
  },
  limitBreak('unlimited parameters', 'maxParameters = 400', '401 parameters'),
  limitBreak('unlimited columns to order by', 'maxOrderTerms = 20', '21 columns to order by'),
  limitBreak('unlimited steps into JSON', 'maxJsonSteps = 16', '17 steps into JSON'),
  {
    attack: 'unlimited depth of filter trees',
    file: 'src/server/rest/parse-filter.ts',
    from: 'maxFilterDepth = 32',
    to: 'maxFilterDepth = Infinity',
    test: restLimitsTest,
    title: '33 levels of a tree',
  },
  limitBreak('unlimited rows in a body', 'maxBodyRows = 10_000', 'more than 10,000 rows'),
  limitBreak('unlimited keys of an object', 'maxKeys = 1600', 'more than 1,600 keys'),
  {
    attack: 'a query that fills the headers',
    file: listenerFile,
    from: 'maxOtherHeaderBytes = 16 * 1024',
    to: 'maxOtherHeaderBytes = Infinity',
    test: restLimitsTest,
    title: 'more than 16 kB',
  },
  {
    attack: 'an unlimited list of values',
    file: buildSqlFile,
    from: ' limit ${plan.maxRows}) as r`',
    to: ') as r`',
    test: restLimitsTest,
    title: 'a function that returns many values returns at most the maximum number of rows',
  },
  // Statements that count the bytes of their result, and the decision which statements must count them.
  {
    attack: 'rows of a response that fill the memory',
    file: limitsFile,
    from: 'maxRowsBytes = 32_000_000',
    to: 'maxRowsBytes = 2_000_000_000',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: aliases',
  },
  {
    attack: 'aliases of a large column: not counted as copies',
    file: resultSizeFile,
    from: 'let perRow = maxCopiesOfOneColumn(read)',
    to: 'let perRow = 1',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: aliases',
  },
  {
    attack: 'many stars: not counted as copies',
    file: resultSizeFile,
    from: 'return stars + Math.max',
    to: 'return Math.max',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: stars',
  },
  {
    attack: 'nested embeds: not counted as copies',
    file: resultSizeFile,
    from: 'perRow += estimateRows(embeddedRead, relationship.isToOne ? 1 : (embeddedRead.limit ?? Number.POSITIVE_INFINITY))',
    to: 'perRow += estimateRows(below, 1)',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: nested embeds',
  },
  {
    attack: 'a write that returns all rows: not counted',
    file: buildSqlFile,
    from: 'mayBeTooLarge(plan.returning, writesOneRow(plan) ? 1 : null)',
    to: 'false',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: a write',
  },
  {
    attack: 'a write of many rows is treated as a write of one row',
    file: buildSqlFile,
    from: 'return plan.relation.primaryKey.length > 0 && plan.relation.primaryKey.every(isFixed)',
    to: 'return true',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: a write',
  },
  {
    attack: 'a list of new rows is treated as one object',
    file: buildSqlFile,
    from: "return plan.body === 'object'",
    to: 'return true',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: a list of new rows',
  },
  {
    attack: 'rows of a function: not counted',
    file: buildSqlFile,
    from: 'mayBeTooLarge(plan.read, plan.read.limit)',
    to: 'false',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: rows of a function',
  },
  {
    attack: 'an embedded list that is too large by itself: not counted',
    file: 'src/server/rest/sql-read.ts',
    from: 'mayBeTooLarge(read, read.limit))',
    to: 'false)',
    test: restLimitsTest,
    title: 'an embedded list fails as soon as it is too large',
  },
  {
    attack: 'bytes are counted row by row, not summed',
    file: sqlJsonFile,
    from: 'sum(pg_column_size(o.j)) over (rows unbounded preceding)',
    to: '(pg_column_size(o.j))',
    test: restLimitsTest,
    title: 'a response is counted by the statement while it builds the JSON: aliases',
  },
  // Limits on the size of the messages that the database sends.
  {
    attack: 'a function whose response fills the memory',
    file: 'src/server/db/result-limits.ts',
    from: 'maxResultBytes = 32 * 1024 * 1024',
    to: 'maxResultBytes = Infinity',
    test: restLimitsTest,
    title: 'the connection is dropped if the result of a function is too large, and the next request is served',
  },
  {
    attack: 'one message after another, each below the limit',
    file: resultStreamFile,
    from: 'this.#sum += size',
    to: 'this.#sum = size',
    test: 'src/server/db/result-stream.test.ts',
    title: '',
  },
  {
    attack: 'a response is refused only when it is already in memory',
    file: resultStreamFile,
    from: "if (this.#sum > maxResultBytes) return new ResultRefusedError('too large')",
    to: '',
    test: 'src/server/db/result-stream.test.ts',
    title: '',
  },
  // Limits on many requests at the same time.
  {
    attack: 'one user takes all memory for large responses',
    file: byteBudgetFile,
    from: 'use.bytes + more > bytesPerKey || this.#bytes + more > limit',
    to: 'this.#bytes + more > limit',
    test: restLimitsTest,
    title:
      'many large responses to one user at once are refused with 503 beyond the user’s share, and accepted again once clients have gone',
  },
  {
    attack: 'the large responses of many users exceed the memory',
    file: byteBudgetFile,
    from: 'const limit = held + more <= smallRequestBytes ? totalBytes * 1.5 : totalBytes',
    to: 'const limit = Infinity',
    test: restLimitsTest,
    title: 'many large responses to many users at once are refused with 503 beyond the limit for all users together',
  },
  {
    attack: 'the memory share is freed before the client has received the response',
    file: restFile,
    from: 'if (held) response.onSent = () => held?.release()',
    to: 'held?.release()',
    test: restLimitsTest,
    title:
      'many large responses to one user at once are refused with 503 beyond the user’s share, and accepted again once clients have gone',
  },
  {
    attack: 'the memory share of disconnected clients is never freed',
    file: 'src/server/http/slow-reader.ts',
    from: "else response.once('close', done)",
    to: 'else return',
    test: restLimitsTest,
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
    file: listenerFile,
    from: 'request.holdBytes(bodyBudget))',
    to: 'null)',
    test: restLimitsTest,
    title: 'many large bodies of one address at once',
  },
  // Limits of the product's own SQL functions.
  {
    attack: 'pages of pull without a limit in bytes',
    file: pullSql,
    from: 'if v_bytes > v_most and v_rows > 1 then',
    to: 'if false then',
    test: boundedAnswersTest,
    title: 'in pages of at most 8 MB',
  },
  {
    attack: 'pages of pull with as many rows as requested',
    file: pullSql,
    from: 'least(greatest(coalesce(p_limit, 1000), 1), 5000)',
    to: 'greatest(coalesce(p_limit, 1000), 1)',
    test: boundedAnswersTest,
    title: 'a pull returns as many small rows per page as requested, up to 5,000',
  },
  {
    attack: 'a search without a limit in bytes',
    file: searchSql,
    from: '  perform private.assert_answer_size(v_page.bytes);\n',
    to: '',
    test: boundedAnswersTest,
    title: 'a search is refused with 413 if its page is too large',
  },
  {
    attack: 'a board with an unlimited number of stages',
    file: boardSql,
    from: 'least(coalesce(p_cards, 20), 1 + 5000 / greatest(v_stages, 1))::integer',
    to: 'coalesce(p_cards, 20)',
    test: boundedAnswersTest,
    title: 'the board shows fewer cards per stage if there are very many',
  },
  {
    attack: 'a board without a limit in bytes',
    file: boardSql,
    from: '  perform private.assert_answer_size(pg_column_size(v_board));\n',
    to: '',
    test: boundedAnswersTest,
    title: 'the board is refused with 413 if its cards are too large',
  },
  {
    attack: 'an export whose pages have no limit in bytes',
    file: accountSql,
    from: 'or (v_bytes_left < octet_length(v_row.data) and v_rows_left < 2000)',
    to: '',
    test: boundedAnswersTest,
    title: 'the export comes in pages of at most 8 MB, each record once',
  },
  {
    attack: 'an export whose pages have no limit in rows',
    file: accountSql,
    from: 'if v_rows_left = 0 or ',
    to: 'if ',
    test: boundedAnswersTest,
    title: 'the export comes in pages of at most 2,000 records',
  },
  // Writes without a filter, to all rows of a table.
  {
    attack: 'PATCH and DELETE of a whole table',
    file: 'src/server/rest/plan-write.ts',
    from: "  if (kind !== 'insert') refuseUnfiltered(kind, level?.conditions ?? [])\n",
    to: '',
    test: unfilteredTest,
    title: 'PATCH and DELETE with no filter',
  },
  {
    attack: 'a filter on an embedded resource counts as a filter of the table',
    file: 'src/server/rest/plan-write.ts',
    from: 'refuseUnfiltered(kind, level?.conditions ?? [])',
    to: 'refuseUnfiltered(kind, [...query.levels.values()].flatMap((each) => each.conditions))',
    test: unfilteredTest,
    title: 'PATCH and DELETE with a filter on an embedded resource only',
  },
  {
    attack: 'a GET of a function that writes reveals what the function finds',
    file: 'src/server/rest/plan-call.ts',
    from: 'if (root.isReadOnlyCall && routine.mayWrite)',
    to: 'if (false)',
    test: 'tests/api/rest-rpc.test.ts',
    title: 'a function that may write is refused by GET and HEAD before it runs',
  },
  {
    attack: 'a GET of a stable function writes',
    file: restFile,
    from: 'compiled.isReadOnlyCall ? [readOnlyStatement, statement] : [statement]',
    to: '[statement]',
    test: 'tests/api/rest-rpc.test.ts',
    title: 'a stable function that calls a function which writes is refused by GET',
  },
  {
    attack: 'a member fills the audit log by exports',
    file: exportLinesSql,
    from: '    return null;',
    to: '    return new;',
    test: auditLogTest,
    title: 'at most one line per hour for the exports of a person',
  },
  {
    attack: 'exports at the same time fill the audit log',
    file: exportLinesSql,
    from: "  perform pg_advisory_xact_lock(hashtextextended('export ' || new.user_id, 0));",
    to: '',
    test: auditLogTest,
    title: 'at most one line per hour for the exports of a person',
  },
]

/** Returns a break that removes a limit. */
function limitBreak(attack: string, limitText: string, title: string): SecurityBreak {
  return {
    attack,
    file: limitsFile,
    from: limitText,
    to: `${limitText.split(' = ')[0]} = Infinity`,
    test: restLimitsTest,
    title,
  }
}
