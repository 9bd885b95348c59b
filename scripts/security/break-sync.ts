import type { SecurityBreak } from './break.ts'

const simulationTest = {
  test: 'tests/api/simulation.test.ts',
  title:
    'two devices with failing network, disk, clock and process end with the rows of the server, and each acknowledged edit is applied once',
}

/** Breaks of the outbox and of the pull. The simulation must notice most of them. */
export const breaksOfSync: readonly SecurityBreak[] = [
  {
    attack: 'Sync: an operation without a response is dropped',
    file: 'src/web/data/changes/answer.ts',
    from: "if (isTemporaryStatus(status)) return { kind: 'wait' }",
    to: "if (isTemporaryStatus(status)) return { kind: 'applied', rows: null, value: null }",
    ...simulationTest,
  },
  {
    attack: 'Sync: an operation is sent twice, the second time as another one',
    file: 'src/web/data/changes/sender.ts',
    from: "  if (sent.kind === 'wait' || sent.kind === 'session') {",
    to: `  if (sent.kind === 'wait' && operation.kind === 'insert')
    await settleOperation(device, operation, { kind: 'resend', operation: { ...operation, rowId: crypto.randomUUID(), id: crypto.randomUUID(), values: { ...operation.values, id: crypto.randomUUID() } } })
  if (sent.kind === 'wait' || sent.kind === 'session') {`,
    ...simulationTest,
  },
  {
    attack: 'Sync: a tombstone is lost',
    file: 'src/web/data/sync/pull.ts',
    from: 'one.table === table ? [[one.id',
    to: 'one.table === table && answer.tombstones.indexOf(one) % 2 === 1 ? [[one.id',
    ...simulationTest,
  },
  {
    attack: 'Sync: a waiting edit overwrites a colleague’s change unseen',
    file: 'src/web/data/changes/rebase.ts',
    from: 'version: isUpToDate ? row.version : 0',
    to: 'version: row.version',
    ...simulationTest,
  },
  {
    attack: 'Sync: the cursor is stored before its rows',
    file: 'src/web/data/sync/pull.ts',
    from: 'await storeAnswer(data, answer, arrived)',
    to: `await storeState(data, { ...data.state.get(), cursor: answer.cursor })
    await storeAnswer(data, answer, arrived)`,
    test: 'src/web/data/sync/pull.test.ts',
    title: 'a later pull stores its rows before its cursor, so that no row is missed after a crash in between',
  },
  {
    attack: 'Sync: a late answer brings back a row that a colleague has deleted since',
    file: 'src/web/data/store/deletions.ts',
    from: 'if (version <= (recentlyDeleted.get(id) ?? -1)) return false',
    to: 'if (version < 0) return false',
    test: 'src/web/data/sync/pull.test.ts',
    title:
      'an answer to a write does not bring back a row that a colleague has deleted since, unless the row was restored',
  },
  {
    attack: 'Sync: a pull from the beginning that is interrupted leaves deleted rows on the device for good',
    file: 'src/web/data/sync/pull-tables.ts',
    from: '  for (const table of gathered.keys()) await dropMissing(data, table, arrived)\n  const state = data.state.get()',
    to: '  const state = data.state.get()',
    ...simulationTest,
  },
  {
    attack: 'Sync: a pull from the beginning replaces a row that arrived meanwhile by an earlier one',
    file: 'src/web/data/store/store-rows.ts',
    from: 'replace && !current?.has(row.id)',
    to: 'replace',
    ...simulationTest,
  },
]
