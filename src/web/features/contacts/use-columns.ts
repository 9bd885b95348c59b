import { useMemo, useState } from 'react'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { useSession } from '#web/data/session/session.ts'
import { listOf } from '#web/lib/read-unknown.ts'

/** The maximum number of custom field columns that fit. */
export const maxColumns = 4

interface ColumnChoice {
  /** The custom fields that are columns, in their order. */
  columns: readonly CustomField[]
  /** All custom fields that can be columns. */
  fields: readonly CustomField[]
  choose: (ids: readonly string[]) => void
}

/**
 * Returns the custom fields that are columns of the list of contacts: the person's choice, stored for the brand on this device, and the
 * field by which the list is sorted.
 */
export function useColumns(sortedId: string | null): ColumnChoice {
  const brandId = useActiveBrand().brand?.id
  const key = `banyan-columns-${useSession().session?.userId}-${brandId}`
  const fields = useCustomFields('contacts')
  const [choice, setChoice] = useState(() => ({ key, ids: storedIds(key) }))
  if (choice.key !== key) setChoice({ key, ids: storedIds(key) })
  const { ids } = choice
  const columns = useMemo(() => {
    const sortedFields = fields.filter(({ id }) => id === sortedId)
    const otherFields = fields.filter(({ id }) => ids.includes(id) && id !== sortedId)
    const shownFields = new Set([...sortedFields, ...otherFields].slice(0, maxColumns))
    return fields.filter((field) => shownFields.has(field))
  }, [fields, ids, sortedId])
  const choose = (to: readonly string[]) => {
    setChoice({ key, ids: to })
    try {
      localStorage.setItem(key, JSON.stringify(to))
    } catch {
      // If the storage is full or blocked, the choice is not stored.
    }
  }
  return { columns, fields, choose }
}

function storedIds(key: string): readonly string[] {
  try {
    return listOf(JSON.parse(localStorage.getItem(key) ?? '[]')).filter((id) => typeof id === 'string')
  } catch {
    return []
  }
}
