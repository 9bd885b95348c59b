import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { addPipeline, newPipelineIds, savePipeline } from '#web/data/change-stages.ts'
import type { Pipeline } from '#web/data/server/rows.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { announce } from '#web/ui/live-region.ts'
import { Textarea } from '#web/ui/textarea.tsx'
import { toastStageRefusal } from './stage-refusal.ts'

const maxReasons = 30
const maxReasonLength = 200

/** Edits the name of a pipeline and its lost reasons. `pipeline` is null for a new one, for which only the name is asked. */
export function PipelineDialog({
  open,
  pipeline,
  onClose,
}: {
  open: boolean
  pipeline: Pipeline | null
  onClose: () => void
}) {
  const device = useDevice()
  const [name, setName] = useState(pipeline?.name ?? '')
  const [reasons, setReasons] = useState(pipeline?.lost_reasons.join('\n') ?? '')
  // Another try after a failure uses the same ids, so that the pipeline is added once.
  const [ids] = useState(newPipelineIds)
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const reasonLines = reasons
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const reasonsProblem =
    reasonLines.length > maxReasons
      ? `At most ${maxReasons} reasons`
      : reasonLines.some(({ length }) => length > maxReasonLength)
        ? `A reason has at most ${maxReasonLength} characters`
        : null

  const save = async () => {
    if (pending || reasonsProblem) return
    if (!name.trim()) return setError('Pipeline name required')
    setPending(true)
    const outcome = pipeline
      ? await savePipeline(device, pipeline, { name: name.trim(), lost_reasons: reasonLines })
      : await addPipeline(device, name, ids)
    setPending(false)
    if (toastStageRefusal(pipeline ? 'Error changing pipeline' : 'Error adding pipeline', outcome)) return
    announce(`${name.trim()} ${pipeline ? 'saved' : 'added'}`)
    onClose()
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={() => void save()}
      pending={pending}
      width="small"
      title={pipeline ? 'Edit pipeline' : 'New pipeline'}
      description={!pipeline && 'A new pipeline begins with the stages Incoming, Won and Lost.'}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending}>
            {pipeline ? 'Save' : 'Add pipeline'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Field label="Pipeline name" error={error}>
          <Input
            data-autofocus
            aria-required
            autoComplete="off"
            maxLength={limits.pipelines.name}
            value={name}
            onChange={({ target }) => {
              setName(target.value)
              setError(null)
            }}
          />
        </Field>
        {pipeline && (
          <Field label="Lost reasons" error={reasonsProblem} hint="One on each line; offered when a deal is lost">
            <Textarea rows={5} value={reasons} onChange={({ target }) => setReasons(target.value)} />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
