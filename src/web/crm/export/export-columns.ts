import { optionCell, optionsCell } from '#web/crm/options-cell.ts'
import type { Device } from '#web/data/browser/device.ts'
import { brandFieldsOf } from '#web/data/brand-fields.ts'
import { stageById } from '#web/data/deal-stages.ts'
import type { ExportPage } from '#web/data/export-records.ts'
import { peopleView } from '#web/data/people/people.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { tagsIn, tagsView } from '#web/data/tags.ts'
import { isoToLocal } from '#web/lib/dates.ts'
import { fieldOf, listOf, textOf } from '#web/lib/read-unknown.ts'

/** A column of the file that an export writes. `head` is the text in its first line. */
export interface ExportColumn {
  head: string
  cell: (row: AnyRow, page: ExportPage) => string
}

/**
 * Returns the columns of a table's export file, in their order: the record's own columns and the names of linked records, then tags, custom fields
 * (headed by their labels), the owner, the time of creation, and the id. Empty if no brand is open.
 */
export function exportColumns(device: Device, table: OwnedTable): readonly ExportColumn[] {
  const data = openBrand(device).get()
  if (!data) return []
  const tags = tagsView(data).read()
  return [
    ...tableColumns(device, table),
    {
      head: 'Tags',
      cell: (row) =>
        tagsIn(tags, fieldOf(row, 'tag_ids'))
          .map(({ name }) => name)
          .join('; '),
    },
    ...brandFieldsOf(device, table).map(customColumn),
    { head: 'Owner', cell: (row) => ownerName(data, row) },
    { head: 'Created', cell: (row) => formatMoment(textOf(row, 'created_at')) },
    // The import recognises a contact without an email address by its id.
    { head: 'Banyan ID', cell: (row) => row.id },
  ]
}

function tableColumns(device: Device, table: OwnedTable): readonly ExportColumn[] {
  if (table === 'contacts')
    return [
      textColumn('Email', 'email'),
      textColumn('First name', 'first_name'),
      textColumn('Last name', 'last_name'),
      textColumn('Phone', 'phone'),
      textColumn('Job title', 'title'),
      companyColumn,
    ]
  if (table === 'companies')
    return [
      textColumn('Name', 'name'),
      textColumn('Domain', 'domain'),
      textColumn('Phone', 'phone'),
      textColumn('Website', 'website'),
      textColumn('Notes', 'notes'),
    ]
  return [
    textColumn('Deal', 'name'),
    { head: 'Stage', cell: (row) => stageById(device, textOf(row, 'stage_id') ?? '')?.name ?? '' },
    textColumn('Amount', 'amount'),
    textColumn('Currency', 'amount_currency'),
    companyColumn,
    { head: 'Contact', cell: (row, { nameOf }) => nameOf('contacts', row) ?? '' },
    textColumn('Expected close', 'expected_close_date'),
    { head: 'Closed', cell: (row) => formatMoment(textOf(row, 'closed_at')) },
    // A deal that is no longer lost keeps its reason, in case its move is undone.
    {
      head: 'Lost reason',
      cell: (row) =>
        stageById(device, textOf(row, 'stage_id') ?? '')?.kind === 'lost' ? cellText(fieldOf(row, 'lost_reason')) : '',
    },
  ]
}

const companyColumn: ExportColumn = { head: 'Company', cell: (row, { nameOf }) => nameOf('companies', row) ?? '' }

function textColumn(head: string, name: string): ExportColumn {
  return { head, cell: (row) => cellText(fieldOf(row, name)) }
}

/**
 * Makes the column for a custom field. So that the import can read the file, numbers and days are written unformatted ('12400', '2026-11-30'), and
 * options by their labels, or by their ids if the labels would be read as other options.
 */
function customColumn(field: CustomField): ExportColumn {
  const { id, label, type } = field
  return {
    head: label,
    cell: (row) => {
      const value = fieldOf(fieldOf(row, 'custom'), id)
      if (type === 'choice') return optionCell(field, value)
      if (type === 'choices') return optionsCell(field, listOf(value))
      if (typeof value === 'boolean') return value ? 'Yes' : 'No'
      return cellText(value)
    },
  }
}

function cellText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Formats a moment for the file, in the time zone of this device: '2026-11-23 14:05'. */
function formatMoment(iso: string | null): string {
  return isoToLocal(iso).replace('T', ' ')
}

function ownerName(data: BrandData, row: AnyRow): string {
  return peopleView(data).read().byId(textOf(row, 'owner_id'))?.name ?? ''
}
