import { Suspense } from 'react'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { nouns } from './nouns.ts'

/** The sections that each noun adds to a record's panel. */
export function RelatedRecords({ table, id }: { table: RecordTable; id: string }) {
  return (
    <Suspense>
      {nouns.map(([noun, { related = {} }]) => {
        const Section = related[table]
        return Section && <Section key={noun} id={id} />
      })}
    </Suspense>
  )
}
