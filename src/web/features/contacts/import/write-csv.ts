import { csvLine } from '#web/lib/csv-line.ts'
import { downloadBlob } from '#web/lib/download.ts'
import { templateColumns } from './map-columns.ts'

export const templateName = 'contacts_template.csv'

/** The template of spec section 2: the four columns and two sample rows. */
export const template = [
  templateColumns,
  ['siobhan.oneill@northgate.example', 'Siobhán', "O'Neill", 'Northgate Foods'],
  ['kenji@hoshino.example', 'Kenji', 'Watanabe', 'Hoshino Trading, KK'],
]
  .map((fields) => csvLine(fields))
  .join('')

/** Downloads a file. The file starts with a byte order mark, because Excel otherwise does not read it as UTF-8. */
export function downloadCsv(name: string, content: Blob | string): void {
  downloadBlob(
    name,
    typeof content === 'string' ? new Blob(['\uFEFF', content], { type: 'text/csv;charset=utf-8' }) : content,
  )
}
