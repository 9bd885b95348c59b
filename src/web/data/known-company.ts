import type { Device } from '#web/data/browser/device.ts'
import { findRowLimit, findRow } from '#web/data/query/find-row.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Company } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { companyNamed } from './companies.ts'

/**
 * Returns the company with this name, compared without regard to case: from this device, or from the server if the companies are not complete on this
 * device. Null for an empty name.
 */
export function useKnownCompany(name: string): Company | null {
  return useView(knownCompany, name.trim(), null)
}

/** Finds the company with this name once. Waits for the server's answer if it is needed and the server is reachable. */
export function findKnownCompany(device: Device, name: string): Promise<Company | undefined> {
  const trimmed = name.trim()
  return findRow(device, nameQuery(trimmed), (data) => companyNamed(data, trimmed))
}

function knownCompany(data: BrandData, name: string): View<Company | null> {
  if (!name) return { read: () => null, subscribe: () => () => {} }
  return view(
    [sourceOfView(rowsOf(data, nameQuery(name))), data.tables.companies],
    () => companyNamed(data, name) ?? null,
  )
}

function nameQuery(name: string): Query<'companies'> {
  return { table: 'companies', search: name, order: 'name', limit: findRowLimit }
}
