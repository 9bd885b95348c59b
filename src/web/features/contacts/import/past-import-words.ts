import type { PastImport } from '#web/data/imports.ts'
import { countOf, formatCount } from '#web/lib/count.ts'

type Counts = Pick<PastImport, 'created' | 'updated' | 'undone_at' | 'deleted_contacts' | 'restored_contacts'>

/**
 * Returns what an import or its undo has done: '1 added, 1,216 rows updated contacts', 'undone, 2 contacts deleted'. The server counts each row that
 * updated a contact, and several rows may be for one contact.
 */
export function pastImportCounts({ created, updated, undone_at, ...undone }: Counts): string {
  if (undone_at) {
    const { deleted_contacts: deleted, restored_contacts: restored } = undone
    const counts = [
      ...(deleted > 0 || restored === 0 ? [`${countOf(deleted, 'contact', 'contacts')} deleted`] : []),
      ...(restored > 0 ? [`${countOf(restored, 'contact', 'contacts')} restored`] : []),
    ]
    return ['undone', ...counts].join(', ')
  }
  const added = `${formatCount(created)} added`
  return updated > 0 ? `${added}, ${countOf(updated, 'row updated a contact', 'rows updated contacts')}` : added
}
