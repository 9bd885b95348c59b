import { Suspense, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { reorder } from '#web/data/change-stages.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DeleteIcon, EditIcon, MoreIcon, PlusIcon, SortIcon } from '#web/ui/icons.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import type { StagesDialogRequest } from './dialog-request.ts'
import { StageRows } from './stage-rows.tsx'
import { toastStageRefusal } from './stage-refusal.ts'

const loadDialogs = () => import('./stage-dialogs.tsx')
const StageDialogs = lazyComponent(async () => (await loadDialogs()).StageDialogs)

/** Settings → Deal Stages: the pipelines of the brand with their stages. Admins and owners can change them; members can only see them. */
export function DealStagesCard() {
  const device = useDevice()
  const { brand } = useActiveBrand()
  const pipelines = usePipelines()
  const { ready, stages } = useDealStages()
  const phase = useSkeleton(ready && pipelines.length > 0)
  const mayChange = brand !== null && brand.role !== 'member'
  const [request, setRequest] = useState<StagesDialogRequest | null>(null)
  const swapWithPrevious = async (pipelineIndex: number) => {
    const ids = pipelines.map(({ id }) => id)
    const [moved = ''] = ids.splice(pipelineIndex, 1)
    toastStageRefusal(
      'Error moving pipeline',
      await reorder(device, 'pipelines', ids.toSpliced(pipelineIndex - 1, 0, moved)),
    )
  }
  return (
    <Card aria-label="Deal Stages" className="p-6 max-sm:p-4">
      <h2 className="text-lg">Deal Stages</h2>
      {!mayChange && phase === 'content' && (
        <p className="mt-1 text-sm text-ink2">Admins and owners change pipelines and stages.</p>
      )}
      {phase === 'skeleton' && (
        <div aria-busy="true" className="mt-4 flex flex-col gap-4 py-2">
          {[0, 1, 2, 3, 4, 5].map((index) => (
            <Skeleton key={index} className="h-4 w-2/3" />
          ))}
        </div>
      )}
      {phase === 'content' &&
        pipelines.map((pipeline, index) => {
          const pipelineStages = stages.filter(({ pipeline_id: of }) => of === pipeline.id)
          return (
            <section key={pipeline.id} aria-label={pipeline.name} className="mt-4 first-of-type:mt-3">
              <div className="flex min-h-8 items-center gap-1">
                <h3 title={pipeline.name} className="min-w-0 flex-1 truncate text-14/5">
                  {pipeline.name}
                </h3>
                {mayChange && (
                  <>
                    <IconButton
                      label={`New stage in ${pipeline.name}`}
                      icon={<PlusIcon />}
                      size={28}
                      onClick={() => setRequest({ kind: 'stage', pipelineId: pipeline.id, stage: null })}
                    />
                    <Menu
                      label={pipeline.name}
                      trigger={
                        <IconButton label={`More for ${pipeline.name}`} icon={<MoreIcon />} size={28} tooltip={false} />
                      }
                    >
                      <MenuItem icon={<EditIcon />} onSelect={() => setRequest({ kind: 'pipeline', pipeline })}>
                        Name and lost reasons
                      </MenuItem>
                      {index > 0 && (
                        <MenuItem icon={<SortIcon />} onSelect={() => void swapWithPrevious(index)}>
                          Move up
                        </MenuItem>
                      )}
                      {index < pipelines.length - 1 && (
                        <MenuItem icon={<SortIcon />} onSelect={() => void swapWithPrevious(index + 1)}>
                          Move down
                        </MenuItem>
                      )}
                      {pipelines.length > 1 && (
                        <MenuItem
                          danger
                          icon={<DeleteIcon />}
                          onSelect={() => setRequest({ kind: 'delete', toDelete: { pipeline } })}
                        >
                          Delete pipeline
                        </MenuItem>
                      )}
                    </Menu>
                  </>
                )}
              </div>
              <StageRows
                label={`Stages of ${pipeline.name}`}
                stages={pipelineStages}
                onEdit={mayChange ? (stage) => setRequest({ kind: 'stage', pipelineId: pipeline.id, stage }) : null}
              />
              {pipelineStages.length === 0 && <p className="text-ink3">No stages yet</p>}
            </section>
          )
        })}
      {mayChange && phase === 'content' && (
        <Button icon={<PlusIcon />} className="mt-4" onClick={() => setRequest({ kind: 'pipeline', pipeline: null })}>
          New pipeline
        </Button>
      )}
      <Suspense fallback={null}>
        {request && <StageDialogs request={request} onAsk={setRequest} onClose={() => setRequest(null)} />}
      </Suspense>
    </Card>
  )
}
