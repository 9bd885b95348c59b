import { useEffect, useMemo, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import {
  maxComparedRows,
  type ImportChanges,
  type ImportPreview,
  previewImport,
  readImportChanges,
} from '#web/data/import-changes.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { useTags } from '#web/data/tags.ts'
import { withoutUnchanged } from './changed-fields.ts'
import type { ColumnMap } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'

/** Returns the known contacts that an import has changed. Null until the server responds, on an error, and if `hasAny` is false. */
export function useImportChanges(importId: string, hasAny: boolean): ImportChanges | null {
  const device = useDevice()
  const [changes, setChanges] = useState<ImportChanges | null>(null)
  useEffect(() => {
    if (hasAny)
      readImportChanges(device, importId).then(
        (read) => setChanges(withoutUnchanged(read)),
        () => setChanges(null),
      )
  }, [device, importId, hasAny])
  return changes
}

/**
 * The known contacts that an import of a file would change. `changes` is null until the server responds; `error` is the message if the
 * comparison failed.
 */
export interface PreviewedChanges {
  changes: ImportPreview | null
  /** Whether only the first rows of the file were compared. */
  hasOnlyFirstRows: boolean
  error: string | null
}

const noPreviewYet: PreviewedChanges = { changes: null, hasOnlyFirstRows: false, error: null }
const debounceMs = 250

/**
 * Returns the known contacts that an import of this file would change. The server is asked again when a column is mapped differently, or a
 * custom field or tag changes.
 */
export function useImportPreview(
  open: OpenFile,
  columns: ColumnMap,
  fields: readonly CustomField[],
  isReady: boolean,
): PreviewedChanges {
  const device = useDevice()
  const tags = useTags()
  // The response also depends on the tags, which the server reads.
  const request = useMemo(() => ({ columns, fields, tags }), [columns, fields, tags])
  const [lastPreview, setLastPreview] = useState({ columns, preview: noPreviewYet })
  useEffect(() => {
    if (!isReady) return
    const { columns, fields } = request
    const setPreview = (preview: PreviewedChanges) => setLastPreview({ columns, preview })
    const abortController = new AbortController()
    const compare = async () => {
      const { rows, done } = await open.firstRows(maxComparedRows, columns, fields)
      if (abortController.signal.aborted) return noPreviewYet
      const changes = await previewImport(device, rows, abortController.signal)
      const readCount = changes.comparedRows + changes.tooLongRows.length
      return { changes, hasOnlyFirstRows: !done || readCount < rows.length, error: null }
    }
    const timer = setTimeout(() => {
      compare().then(
        (preview) => !abortController.signal.aborted && setPreview(preview),
        (error: unknown) => !abortController.signal.aborted && setPreview({ ...noPreviewYet, error: messageOf(error) }),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      abortController.abort()
    }
  }, [device, open, request, isReady])
  return lastPreview.columns === columns ? lastPreview.preview : noPreviewYet
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
