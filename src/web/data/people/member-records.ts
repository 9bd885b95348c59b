import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useState } from 'react'
import { activeBrandState } from './active-brand.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { isRecordTable } from '#web/data/store/record-tables.ts'
import { isTableName } from '#web/data/server/tables.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { countOf } from '#web/lib/count.ts'
import { numberOf } from '#web/lib/read-unknown.ts'

/** '3 deals, 2 tasks and 1 contact', or '' for none. Null if the request failed. Undefined before the answer. */
export type MemberRecords = string | null | undefined

/**
 * Returns in words how many records a member owns or is assigned to, from the server (RPC member_records). `brandId`: the brand, which need not be
 * open. Default: the active brand.
 */
export function useMemberRecords(userId: string, brandId?: string): MemberRecords {
  const device = useDevice()
  const [words, setWords] = useState<MemberRecords>()
  useEffect(() => {
    const me = sessionState(device).get().session?.userId ?? ''
    const args = { p_brand_id: brandId ?? activeBrandState(device).get().brandId, p_user_id: userId }
    let isCurrent = true
    const show = (records: MemberRecords) => isCurrent && setWords(records)
    show(undefined)
    rpc<Record<string, number>>(device, me, 'member_records', args).then(
      (counts) => show(countsInWords(counts)),
      () => show(null),
    )
    return () => {
      isCurrent = false
    }
  }, [device, userId, brandId])
  return words
}

/** Returns the server's counts of records by table as words, the largest first: '3 deals, 2 tasks and 1 contact'. */
export function countsInWords(counts: unknown): string {
  const tables = typeof counts === 'object' && counts !== null ? Object.keys(counts) : []
  const parts = tables
    .map((table) => ({ table, count: numberOf(counts, table) ?? 0 }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ table, count }) => {
      const isKnown = isTableName(table) && isRecordTable(table)
      const { one, many } = isKnown ? rowWordsOf(table) : { one: 'record', many: 'records' }
      return countOf(count, one, many)
    })
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** Adds counts of records by table. Unknown values count as no records. */
export function sumOfCounts(first: unknown, second: unknown): Record<string, number> {
  const tables = [first, second].flatMap((counts) => Object.keys(counts ?? {}))
  return Object.fromEntries(
    tables.map((table) => [table, (numberOf(first, table) ?? 0) + (numberOf(second, table) ?? 0)]),
  )
}
