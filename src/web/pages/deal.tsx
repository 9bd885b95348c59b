import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTasksOfDeal } from '#web/data/related-records.ts'
import { useRecord } from '#web/data/use-record.ts'
import { DealPanel } from '#web/features/deals/deal-panel.tsx'
import { StageHistory } from '#web/features/deals/stage-history.tsx'
import { AlsoHere } from '#web/features/presence/also-here.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { RelatedTasks } from '#web/features/tasks/related-tasks.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Button } from '#web/ui/button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { useClosePanel } from '#web/ui/record-link.tsx'
import { useOtherBrand } from './use-other-brand.ts'

/** /crm/deals/ID: a deal beside the board. */
export function DealPage() {
  const { dealId } = useParams({ from: '/crm/deals/$dealId' })
  const { row, missing } = useRecord('deals', dealId)
  const close = useClosePanel('/crm/deals')
  const tasks = useTasksOfDeal(dealId)
  const [creating, setCreating] = useState(false)
  useDocumentTitle(row?.name ?? 'Deal')
  useOtherBrand('deals', dealId, missing)
  const create = (
    <Button variant="quiet" icon={<PlusIcon />} onClick={() => setCreating(true)} className="-mr-3">
      New Task
    </Button>
  )
  return (
    <>
      <DealPanel
        dealId={dealId}
        missing={missing}
        actions={<AlsoHere address={`/crm/deals/${dealId}`} />}
        onClose={close}
      >
        <RelatedTasks list={tasks} action={create} />
        <StageHistory dealId={dealId} />
      </DealPanel>
      <NewTaskDialog
        open={creating}
        onClose={() => setCreating(false)}
        preset={{ deal: row ? { id: row.id, label: row.name } : null }}
      />
    </>
  )
}
