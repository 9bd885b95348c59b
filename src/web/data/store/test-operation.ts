import type { Operation } from './operation.ts'

/** Makes an operation for tests. By default, it updates the stage of Acme's first deal. */
export function testOperation(parts: Partial<Operation>): Operation {
  return {
    seq: 1,
    id: 'operation-1',
    userId: 'ana',
    brandId: 'acme',
    table: 'deals',
    rowId: 'deal-1',
    kind: 'update',
    values: { stage_id: 'proposal' },
    call: null,
    preview: parts.values ?? { stage_id: 'proposal' },
    base: { stage_id: 'incoming' },
    version: 3,
    lastWriteStands: false,
    at: '2026-11-20T09:31:00.000+00:00',
    title: 'Move “Data migration” to Proposal',
    icon: 'move',
    state: 'waiting',
    reason: null,
    code: null,
    conflicts: [],
    theirsAt: null,
    theirsBy: null,
    ...parts,
  }
}

/** Makes a server row of a deal for tests. */
export function testDeal(parts: Record<string, unknown> = {}) {
  return {
    id: 'deal-1',
    brand_id: 'acme',
    name: 'Data migration',
    amount: 100,
    amount_currency: 'GBP',
    stage_id: 'incoming',
    expected_close_date: null,
    contact_id: null,
    company_id: null,
    rev: 10,
    version: 3,
    created_at: '2026-11-01T09:00:00+00:00',
    updated_at: '2026-11-01T09:00:00+00:00',
    updated_by: 'bo',
    ...parts,
  }
}
