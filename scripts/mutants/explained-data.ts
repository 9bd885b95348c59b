import type { Explanation } from './explained.ts'

/**
 * Reasons why mutants of the browser's data may remain unnoticed. 'the same' at the beginning means that the mutant behaves like the
 * original.
 */
export const explainedData: Explanation[] = [
  ...inFile('changes/answer.ts', [
    [
      "JSON.parse(details ?? 'null')",
      "'null' → ''",
      'the same: JSON.parse throws for an empty text, and the error is caught',
    ],
  ]),
  ...inFile('changes/delete-records.ts', [
    [
      'if (oldest !== undefined)',
      'oldest !== undefined → true',
      'the same: with more than 5,000 rows there is always an oldest one',
    ],
  ]),
  ...inFile('changes/mutate.ts', [
    ["given.rowIds[0] ?? ''", "'' → 'mutant'", 'the same: an operation on many rows has at least one row'],
  ]),
  ...inFile('changes/notices.ts', [
    [
      "if (sent.kind === 'settled' && !sent.overtakenBy",
      undefined,
      'the same: there is no notice; the code for its words would be loaded without need',
    ],
  ]),
  ...inFile('changes/outcomes.ts', [
    [
      "if (message.type === 'settled')",
      "message.type === 'settled' → true",
      'the same: no other message has the id of an operation',
    ],
    ['device.clock.clearTimeout(timer)', undefined, 'the same: a promise that is settled ignores the timer'],
  ]),
  ...inFile('changes/queue-lines.ts', [
    ['const noLines: QueueLines', undefined, 'the same: the first reading of the queue replaces these lines'],
  ]),
  ...inFile('changes/record-words.ts', [
    ["table.replaceAll('_', ' ')", "' ' → ''", 'no table of records has two words in its name yet'],
    ["many.replace(/ies$/, 'y')", undefined, 'no table has the letters ies in the middle of its name'],
  ]),
  ...inFile('changes/request.ts', [
    ['.retry(false)', 'false → true', 'the same: the official client repeats only requests that read'],
  ]),
  ...inFile('changes/same-value.ts', [
    [
      "if (typeof a !== 'string' || typeof b !== 'string')",
      '|| → &&',
      'the same: if only one of the two is a text, they are not two moments',
    ],
    [
      'return /^\\d{4}-\\d\\d',
      undefined,
      'the same: Date.parse returns NaN for a text with other characters before or in its year',
    ],
  ]),
  ...inFile('changes/sender.ts', [
    [
      '`banyan-outbox-${session.userId}`',
      undefined,
      'any name works that no other lock has; with one name for all, the users of a browser wait for each other',
    ],
    ['serverPause(device) > 0', '0 → (0 + 1)', 'differs only in a pause of a single millisecond'],
  ]),
  ...inFile('changes/settle.ts', [
    ['candidate.seq > operation.seq', '> → >=', 'the same: an operation on many rows is not rebased on its own answer'],
  ]),
  ...inFile('changes/step-words.ts', [
    [
      "const [field = '', ...more] = Object.keys(values).filter((each) => !isSetWith(each, values))",
      undefined,
      'the same: an edit has at least one field',
    ],
  ]),
  ...inFile('changes/steps.ts', [
    [
      'if (steps.open === step)',
      'steps.open === step → true',
      'the same: no operation is made between two microtasks of the same action',
    ],
  ]),
  ...inFile('changes/undo-step.ts', [
    ["const [rowId = '', ...others] = rowIds", undefined, 'the same: a group has at least one row'],
  ]),
  ...inFile('query/send-questions.ts', [
    ['stop()', undefined, 'affects only memory: the announced answers are already dropped'],
    ['if (waiting.length > 1) return', undefined, 'the same: a second timer finds no waiting question'],
    ['start < all.length; start += questionsPerRequest', '< → <=', 'the same: without questions no request is sent'],
  ]),
  ...inFile('query/contact-names.ts', [
    ['const company = contact.company_id ?', 'contact.company_id → true', 'the same: no company has the id null'],
  ]),
  ...inFile('query/custom-order.ts', [['one < other ? -1 : 1', '< → <=', 'the same: equal values are handled before']]),
  ...inFile('query/figures-of.ts', [
    ["if ('amount_currency' in row)", "'amount_currency' in row → true", 'the same: sums are shown only for deals'],
    ["else addAmount(sums, '', 0, times)", undefined, 'the same: sums are shown only for deals'],
    ['} else if (matches && query.limit === undefined', undefined, 'the same figures, counted in another way'],
  ]),
  ...inFile('query/find-row.ts', [
    ['device.clock.clearTimeout(timer)', undefined, 'the same: a promise that is settled ignores the timer'],
  ]),
  ...inFile('query/subscribed-source.ts', [
    ['private changes = 0', undefined, 'the same: a change id is compared only with other change ids'],
    ['this.changes += 1', '1 → (1 + 1)', 'the same: a change id is compared only with other change ids'],
    ['return this.stops.length > 0', '0 → (0 + 1)', 'the same: a source with subscribers has several subscriptions'],
  ]),
  ...inFile('query/local-rows.ts', [
    [
      'query.limit !== undefined && !indexesOf(data).has(indexKey(query))',
      'query.limit !== undefined && !indexesOf(data).has(indexKey(query)) → false',
      'the same rows, found in another way',
    ],
    [
      'kept.delete(key)',
      undefined,
      'affects only memory: the rows of a query whose index is not kept are sorted again',
    ],
    [
      'if (kept.size <= indexLimit) break',
      undefined,
      'affects only memory: the rows of a query whose index is not kept are sorted again',
    ],
    [
      'kept.delete(oldest)',
      undefined,
      'affects only memory: the rows of a query whose index is not kept are sorted again',
    ],
    [
      'const last = first[limit - 1]',
      undefined,
      'the same rows: a row after the last one is inserted and removed again',
    ],
    ['(last && order(row, last) >= 0)', undefined, 'the same: no two rows are equal in an order'],
    ['order(row, first[position - 1]', undefined, 'the same: no two rows are equal in an order'],
  ]),
  ...inFile('query/match.ts', [
    ['if (only && tests.length === 1) return only', undefined, 'the same: the function below also works for one test'],
    [
      "if (typeof value !== 'string' && typeof value !== 'number') return false",
      undefined,
      'the same: a bound is a text or a number, and a value of another type is refused below',
    ],
    ["operator.startsWith('g') === value > bound", '> → >=', 'the same: equal values are handled before'],
    ['text === bounding ? 0 : text < bounding', '< → <=', 'the same: equal values are handled before'],
  ]),
  ...inFile('query/query.ts', [
    ['sort(([a], [b]) => (a < b ? -1 : 1))', '< → <=', 'the same: no two conditions have the same column'],
  ]),
  ...inFile('query/rows-of.ts', [
    ['merged.ids.map((id) => (id === null ?', 'id === null → false', 'the same: no row has the id null'],
    ['ids.map((id) => (id ? rows.get(id)', 'id → true', 'the same: no row has the id null'],
    ['generation: 0', '0 → (0 + 1)', 'the same: a generation is compared only with others of the same list'],
  ]),
  ...inFile('query/same-number.ts', [
    [
      "(countryCode.exec(digits)?.[0] ?? '')",
      '0 → (0 + 1)',
      'the same: the first group of the pattern is the whole match',
    ],
    ["(countryCode.exec(digits)?.[0] ?? '')", "'' → 'mutant'", 'the same: every number begins with a country code'],
  ]),
  ...inFile('query/search-text.ts', [
    [
      'if (!beyondAscii.test(lower)) return [lower]',
      undefined,
      'the same: nothing in a text of ASCII characters changes',
    ],
    ['/^([17]|2[07]', undefined, 'the same: every number of three digits begins with a country code'],
  ]),
  ...inFile('query/server-figures.ts', [
    ["[{ currency: '', count: answer.total ?? 0, amount: 0 }]", undefined, 'the same: sums are shown only for deals'],
    ['await this.store({ ids: [], total: 0', undefined, 'the same: only the sums are read from stored figures'],
  ]),
  ...inFile('query/server-rows.ts', [
    [
      'if (signal.aborted) return',
      'signal.aborted → false',
      'the same: the aborted question is not sent, and its failure is handled below',
    ],
    ['...(skip > 0 && { skip })', undefined, 'the same: pages have more than one row'],
    ['(index < start || index >= start + ids.length)', '< → <=', 'the same: this position is written below'],
    ['while (this.ids.length < start) this.ids.push(null)', '< → <=', 'the same: this position is written below'],
    [
      'if (ids.length < this.pageSize) this.ids.length',
      undefined,
      'the first page, which is fetched with it, tells where the list ends',
    ],
    ['this.total < this.ids.length) this.ids.length = this.total', '< → <=', 'the same length'],
    ['if (serverPause(this.data.device) > 0)', '0 → (0 + 1)', 'differs only in a pause of a single millisecond'],
  ]),
  ...inFile('query/server-source.ts', [
    ['if (!this.mayStore()) return', '!this.mayStore() → false', 'the same: nothing is stored for such a list'],
  ]),
  ...inFile('query/sums.ts', [
    ['(a.currency < b.currency ? -1 : 1)', '< → <=', 'the same: each currency occurs once'],
    ["return currency === 'GBP' ? 0 : 1", '1 → (1 + 1)', 'the same: pounds come first'],
  ]),
  ...inFile('query/link-counts.ts', [
    ['useMemo(', undefined, 'a component always asks about the same table'],
    [
      'return figures.length === 0 ? []',
      'figures.length === 0 → false',
      'the same: tables without links are left out below',
    ],
  ]),
  ...inFile('query/use-query.ts', [
    ['const noFigures: Figures', '0 → (0 + 1)', 'the same: figures that are not ready are not shown'],
  ]),
  ...inFile('query/use-record.ts', [
    ['useMemo(', undefined, 'a component always asks about the same table'],
    ['const row = id ? rows.get(id) : undefined', 'id → true', 'the same: no row has an empty id'],
  ]),
  ...inFile('sync/live-channel.ts', [
    ['if (!socket) return', '!socket → false', 'the same: a closed brand joins no channel'],
    ['data.device.clock.clearTimeout(timer)', undefined, 'the same: a closed brand joins no channel'],
  ]),
  ...inFile('sync/live-socket.ts', [
    ["url.replace(/^http/, 'ws')", undefined, 'the same: the URL of every server begins with http'],
  ]),
  ...inFile('sync/live.ts', [
    [
      'data.onClose(() => data.device.clock.clearTimeout(timer))',
      undefined,
      'the same: without an open brand nothing is pulled',
    ],
    ["if (change.eventType === 'DELETE') return false", undefined, 'the same: a deleted row has no new version'],
  ]),
  ...inFile('sync/presence.ts', [
    [
      'presence: { key: data.userId, enabled: true }',
      'true → false',
      'the same: the official client enables presence for a channel that listens to it',
    ],
  ]),
  ...inFile('sync/pull-answer.ts', [
    ['if (serverPause(device) > 0)', '0 → (0 + 1)', 'differs only in a pause of a single millisecond'],
    ["'The server asked for a pause.'", undefined, 'the text of this error is not shown'],
    ['if (!(error instanceof RpcError)) throw error', undefined, 'the same: a request rejects with no other error'],
    ['error.status === 413 && limit > 1', '1 → (1 + 1)', 'the same: pages have 1,000 rows, 250, 63, 16, 4 and 1'],
    ['modeFor(data.device, table, 0, null)', '0 → (0 + 1)', 'one row more does not make a table too long'],
  ]),
  ...inFile('sync/pull-schedule.ts', [
    ['running: null, isDue: false, startedAt: 0', undefined, 'the same: the first pull sets both'],
    [
      'since < 0) pullIfVisible(device)',
      undefined,
      'differs only if the clock was set back by less than two milliseconds',
    ],
    ['serverPause(device) > 0', '0 → (0 + 1)', 'differs only in a pause of a single millisecond'],
    ['`banyan-pull-${data.userId}-${data.brandId}`', undefined, 'any name works that no other lock has'],
  ]),
  ...inFile('sync/pull-tables.ts', [['let rows = 0', undefined, 'the same: the first group sets it']]),
  ...inFile('sync/pull.ts', [
    ['?? 0', '0 → (0 + 1)', 'one row more does not make a table too long'],
    ['modeFor(device, table, 0, null)', '0 → (0 + 1)', 'one row more does not make a table too long'],
    [
      'if (present ? mode !== present.mode',
      undefined,
      'the same: a table that is missing in the state is fetched like an incomplete one',
    ],
  ]),
  ...inFile('sync/send-unsent.ts', [
    ['await openQueue(device, session.userId)', undefined, 'the same: the operations to send are read from the disk'],
  ]),
  ...inFile('sync/sync-status.ts', [
    ['globalThis.isSecureContext ?? true', undefined, 'every current browser has this value'],
    ['device.clock.clearTimeout(timer)', undefined, 'the same: an earlier timer shows the status of its own moment'],
  ]),
]

function inFile(
  file: string,
  explanations: readonly (readonly [line: string, change: string | undefined, because: string])[],
): Explanation[] {
  return explanations.map(([line, change, because]) => ({
    file: `src/web/data/${file}`,
    line,
    ...(change !== undefined && { change }),
    because,
  }))
}
