import { useEffect, useEffectEvent } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { pipelineOfDeal } from '#web/data/pipelines.ts'
import type { Pipeline } from '#web/data/server/rows.ts'
import { Button } from '#web/ui/button.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

/**
 * Chooses the pipeline of the board. Opening a deal of another pipeline switches to that pipeline. `shownId` is null while the board shows
 * the stages of all pipelines.
 */
export function PipelineSwitch({
  pipelines,
  shownId,
  openId,
  onChange,
}: {
  pipelines: readonly Pipeline[]
  shownId: string | null
  /** The deal whose panel is open. */
  openId: string | null
  onChange: (id: string | undefined) => void
}) {
  const device = useDevice()
  const shownPipeline = pipelines.find(({ id }) => id === shownId)
  const choose = (id: string) => onChange(id === pipelines[0]?.id ? undefined : id)
  const showPipelineOf = useEffectEvent((dealId: string) => {
    const dealPipelineId = pipelineOfDeal(device, dealId)
    if (shownPipeline && dealPipelineId && dealPipelineId !== shownId) choose(dealPipelineId)
  })
  useEffect(() => {
    if (openId) showPipelineOf(openId)
  }, [openId])
  return (
    <Menu
      label="Pipeline"
      trigger={
        <Button
          aria-label={`Pipeline: ${shownPipeline?.name ?? 'all'}`}
          className="max-w-44 max-sm:max-w-34 max-sm:px-3 @max-4xl:max-w-28"
        >
          <span className="min-w-0 truncate">{shownPipeline?.name ?? 'All pipelines'}</span>
          <ChevronDownIcon className="-mr-1 size-3.5 shrink-0" />
        </Button>
      }
    >
      {pipelines.map(({ id, name }) => (
        <MenuItem key={id} checked={id === shownId} onSelect={() => choose(id)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
