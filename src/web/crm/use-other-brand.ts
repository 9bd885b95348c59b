import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useEffectEvent } from 'react'
import { chooseBrand, useActiveBrand } from '#web/data/people/active-brand.ts'
import { nameOfBrand } from '#web/data/people/name-of-brand.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { brandOfRecord } from '#web/data/query/use-record.ts'
import { toast } from '#web/ui/toast.ts'

/** If a missing record is in another brand of the signed-in person, switches to that brand and shows a toast. */
export function useOtherBrand(table: RecordTable, id: string, missing: boolean): void {
  const device = useDevice()
  const { brand } = useActiveBrand()
  const activeId = brand?.id
  const switchTo = useEffectEvent(async (brandId: string) => {
    const name = await nameOfBrand(device, brandId)
    if (!name || brandId === activeId) return
    await chooseBrand(device, brandId)
    toast.success(`Switched to ${name}`)
  })
  useEffect(() => {
    if (!missing || !activeId) return
    let hasLeft = false
    void brandOfRecord(device, table, id).then((brandId) => {
      if (brandId && !hasLeft) void switchTo(brandId)
    })
    return () => {
      hasLeft = true
    }
  }, [device, table, id, missing, activeId])
}
