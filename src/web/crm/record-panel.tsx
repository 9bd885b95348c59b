import { useDevice } from '#web/data/browser/device.ts'
import { type ReactNode, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePeople } from '#web/data/people/people.ts'
import type { ListedTable } from '#web/data/store/record-tables.ts'
import { rowWordsOf, nameOfRecord } from '#web/data/changes/record-words.ts'
import type { TableRows } from '#web/data/server/tables.ts'
import { unlinksInWords } from '#web/data/query/unlinks-in-words.ts'
import { useLinkCounts } from '#web/data/query/link-counts.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { EditedContentContext } from '#web/ui/edit-in-place/edited-content.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { OtherViewers } from './other-viewers.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { PanelSkeleton } from '#web/ui/panel-parts.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { NoteButton } from './note-button.tsx'
import { NoteRequestContext, type NoteRequests } from './note-request.ts'
import { useClosePanel } from './record-link.tsx'
import { StampLine } from './stamp-line.tsx'
import { capitalised, deleteWithUndo } from './delete-with-undo.ts'
import { useOtherBrand } from './use-other-brand.ts'

const RecordMissing = lazyComponent(async () => (await import('./record-missing.tsx')).RecordMissing)

interface RecordPanelProps<Table extends ListedTable> {
  table: Table
  id: string
  /** Renders the fields and the linked records. */
  children: (row: TableRows[Table]) => ReactNode
}

/**
 * The panel of a record beside its list. It shows who else has the record open and who created and changed it. Its menu deletes the record,
 * and says which records will lose their link to it. If the record belongs to another brand of the signed-in person, the app switches to
 * that brand. For a missing record the panel shows who deleted it, or 'Not found'.
 */
export function RecordPanel<Table extends ListedTable>({ table, id, children }: RecordPanelProps<Table>) {
  const device = useDevice()
  const { row, missing } = useRecord(table, id)
  const close = useClosePanel(table)
  const people = usePeople()
  const unlinks = unlinksInWords(useLinkCounts(table, [id]))
  const { one } = rowWordsOf(table)
  const kind = capitalised(one)
  useOtherBrand(table, id, missing)
  const name = row && nameOfRecord(row)
  useDocumentTitle(name || kind)

  const [noteRequest, setNoteRequest] = useState<{ id: string; count: number; kind: NoteRequests['kind'] } | null>(null)
  const { count, kind: noteKind } = noteRequest?.id === id ? noteRequest : { count: 0, kind: 'note' as const }
  const requestNote = (wanted: NoteRequests['kind']) => setNoteRequest({ id, count: count + 1, kind: wanted })

  const [deletedId, setDeletedId] = useState<string | null>(null)
  function remove() {
    // Rendered at once: a field that is removed with its panel saves its text, unless it already has `isDeleted`.
    flushSync(() => setDeletedId(id))
    deleteWithUndo(device, table, [id])
    close()
  }

  return (
    <Panel
      kind={kind}
      contentKey={id}
      onClose={close}
      returnTo={`${one}-${id}`}
      actions={
        <>
          <OtherViewers path={`/crm/${table}/${id}`} />
          {row && table !== 'tasks' && <NoteButton onClick={() => requestNote('note')} />}
        </>
      }
      menu={
        row && (
          <MenuItem danger icon={<DeleteIcon />} hint={unlinks} onSelect={remove}>
            Delete {one}
          </MenuItem>
        )
      }
      footer={
        row && (
          <StampLine
            createdAt={row.created_at}
            createdBy={people.byId(row.created_by)?.name ?? null}
            changedAt={row.updated_at}
            changedBy={people.byId(row.updated_by)?.name ?? null}
          />
        )
      }
    >
      {row ? (
        <NoteRequestContext value={{ count, kind: noteKind, logCall: () => requestNote('call') }}>
          <EditedContentContext value={{ name, isDeleted: deletedId === id }}>{children(row)}</EditedContentContext>
        </NoteRequestContext>
      ) : (
        <Suspense fallback={<PanelSkeleton />}>
          {missing ? <RecordMissing table={table} id={id} /> : <PanelSkeleton />}
        </Suspense>
      )}
    </Panel>
  )
}
