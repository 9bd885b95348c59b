import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useRef, useState } from 'react'
import { changeMatching, type Matching } from '#web/data/change-matching.ts'
import { recordMatchingChange } from '#web/data/record-matching-change.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { usePeople } from '#web/data/people/people.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { countOf, formatCount } from '#web/lib/count.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { SelectionBar, selectionActionClasses } from '#web/ui/selection-bar.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.ts'
import { type MatchingQuestion, canUndo, ConfirmMatching } from './confirm-matching.tsx'
import { ExportButton } from './export/export-button.tsx'
import { fieldChangeQuestion, fieldChangeText } from './set-field.ts'
import { SetFieldButton } from './set-field-button.tsx'
import { TagMenu } from './tag-menu.tsx'
import { tagChangeText } from './tag-records.ts'
import { OwnerMenu } from './owner-menu.tsx'
import { beginUndoable } from './undo-action.ts'

interface MatchingSelectionProps {
  matching: Matching
  selection: ListSelection
}

/**
 * The actions for all records that match a list's query. Each action shows its progress while the server works, and can be stopped. All actions
 * except the export ask for confirmation first.
 */
export function MatchingSelection({ matching, selection }: MatchingSelectionProps) {
  const device = useDevice()
  const { members } = usePeople()
  const { one, many } = rowWordsOf(matching.table)
  const [question, setQuestion] = useState<MatchingQuestion | null>(null)
  const [progress, setProgress] = useState<{ count: number; of: number } | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const stopper = useRef<AbortController | null>(null)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const stopOrClear = () => (stopper.current ? stopper.current.abort() : selection.clear())
  useShortcut('Escape', stopOrClear)
  const allRecords = countOf(selection.count, one, many)

  async function run({ change, done }: MatchingQuestion) {
    setQuestion(null)
    stopper.current = new AbortController()
    const ownToast = toast.begin()
    const { brandId } = activeBrandState(device).get()
    const total = selection.count
    const showProgress = (count: number) => isMounted.current && setProgress({ count, of: Math.max(total, count) })
    showProgress(0)
    const result = await changeMatching(device, matching, change, {
      signal: stopper.current.signal,
      onProgress: showProgress,
      onWaiting: (waiting) => isMounted.current && setWaiting(waiting !== null),
    })
    stopper.current = null
    const { length: count } = result.ids
    const isUndoable = canUndo(result) && activeBrandState(device).get().brandId === brandId
    const { run: runInStep, options } = beginUndoable(device)
    if (isUndoable) runInStep(() => recordMatchingChange(device, matching.table, result))
    const toastOptions = isUndoable ? options : {}
    const sentence = done(countOf(count, one, many))
    const { failure } = result
    if (failure)
      ownToast.error(`Error updating ${many}`, {
        description: count > 0 ? `${sentence}. ${failure}` : failure,
        ...toastOptions,
      })
    else ownToast.success(sentence, toastOptions)
    if (!isMounted.current) return
    setProgress(null)
    selection.clear()
  }

  if (progress) {
    return (
      <SelectionBar
        count={progress.of}
        label={`${formatCount(progress.count)} of ${countOf(progress.of, one, many)}`}
        onClear={stopOrClear}
        clearLabel="Stop"
      >
        {isWaiting ? <span className="text-warn">No response, trying again</span> : <Spinner />}
      </SelectionBar>
    )
  }
  return (
    <>
      <SelectionBar
        count={selection.count}
        label={`All ${formatCount(selection.count)} selected`}
        onClear={selection.clear}
      >
        <OwnerMenu
          people={members}
          onChoose={(userId, name) =>
            setQuestion({
              change: { owner_id: userId },
              title: `Give ${allRecords} to ${name}?`,
              done: (records) => `${records} now with ${name}`,
            })
          }
        />
        <TagMenu
          onAdd={(tag) =>
            setQuestion({
              change: { add_tags: [tag.id], remove_tags: [] },
              title: `Tag ${allRecords} ${tag.name}?`,
              done: (records) => tagChangeText(records, tag.name, true),
            })
          }
          onRemove={(tag) =>
            setQuestion({
              change: { add_tags: [], remove_tags: [tag.id] },
              title: `Remove ${tag.name} from ${allRecords}?`,
              done: (records) => tagChangeText(records, tag.name, false),
            })
          }
        />
        <SetFieldButton
          table={matching.table}
          count={selection.count}
          onSet={(field, value) =>
            setQuestion({
              change: { custom: { [field.id]: value } },
              title: fieldChangeQuestion(field, value, allRecords),
              done: (records) => fieldChangeText(field, value, records),
            })
          }
        />
        <ExportButton query={matching} quiet className={selectionActionClasses} />
        <Button
          variant="quiet"
          icon={<DeleteIcon />}
          onClick={() =>
            setQuestion({
              change: { delete: true },
              title: `Delete ${allRecords}?`,
              done: (records) => `${records} deleted`,
            })
          }
          className={`${selectionActionClasses} text-danger!`}
        >
          Delete
        </Button>
      </SelectionBar>
      {question && (
        <ConfirmMatching
          question={question}
          matching={matching}
          count={selection.count}
          onClose={() => setQuestion(null)}
          onConfirm={() => void run(question)}
        />
      )}
    </>
  )
}
