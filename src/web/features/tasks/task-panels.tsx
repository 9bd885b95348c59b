import { useRef, useState } from 'react'
import type { ShownPart } from '#web/crm/list-part.tsx'
import { useCompletedTasks, useOpenTasks } from '#web/data/tasks.ts'
import { formatCount } from '#web/lib/count.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { Segments, TabPanel } from '#web/ui/tabs.tsx'
import { CompletedTasks } from './completed-tasks.tsx'
import { OpenTasks } from './open-tasks.tsx'
import { PlaceholderTask } from './task-row.tsx'

const headHeightPx = 48

export interface TaskPanelsProps {
  /** Whether only tasks of the signed-in person are shown. */
  mine: boolean
  /** The part of the open tasks that is shown. */
  part: ShownPart | undefined
  onShowWhole: () => void
  /** The task whose panel is open. */
  currentId: string | null
  onCreate: () => void
}

/** 'Open Tasks' and 'Completed' side by side; in a narrow window as two segments. */
export function TaskPanels(props: TaskPanelsProps) {
  return useNarrow('(width < 64rem)') ? <SegmentPanels {...props} /> : <DeskPanels {...props} />
}

function DeskPanels(props: TaskPanelsProps) {
  const scroller = useRef<HTMLElement>(null)
  const openTasks = useOpenTasks({ mine: props.mine, where: props.part?.where?.() })
  return (
    <div className="@container flex min-h-50 flex-1 flex-col px-6 pb-6">
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,2.1fr)_minmax(0,1fr)] items-start gap-4 @max-[40rem]:grid-cols-1">
        <Card
          ref={scroller}
          aria-label="Open Tasks"
          tabIndex={0}
          className="@container max-h-full overflow-y-auto outline-offset-[-2px]"
        >
          <div className="sticky top-0 z-10 flex h-12 items-center gap-2.5 border-b border-line bg-surface px-4">
            <h2 className="text-14/5">Open Tasks</h2>
            {openTasks.ready && <CountBadge count={formatCount(openTasks.total)} />}
          </div>
          <OpenBody {...props} scroller={scroller} above={headHeightPx} />
        </Card>
        <Card
          aria-label="Completed"
          tabIndex={0}
          className="max-h-full overflow-y-auto outline-offset-[-2px] @max-[40rem]:hidden"
        >
          <div className="flex h-12 items-center justify-between border-b border-line px-4">
            <h2 className="text-14/5">Completed</h2>
            <span className="text-xs text-ink3">The last 10</span>
          </div>
          <CompletedBody {...props} />
        </Card>
      </div>
    </div>
  )
}

function SegmentPanels(props: TaskPanelsProps) {
  const [shownSegment, setShownSegment] = useState<'open' | 'completed'>('open')
  const scroller = useRef<HTMLDivElement>(null)
  const openTasks = useOpenTasks({ mine: props.mine, where: props.part?.where?.() })
  const openLabel = (
    <span className="inline-flex items-center gap-2">
      Open Tasks {openTasks.ready && <CountBadge count={formatCount(openTasks.total)} />}
    </span>
  )
  return (
    <>
      <div className="px-6 pb-4 max-sm:px-4">
        <Segments
          id="tasks"
          label="Tasks"
          value={shownSegment}
          onChange={setShownSegment}
          tabs={[
            { value: 'open', label: openLabel },
            { value: 'completed', label: 'Completed' },
          ]}
        />
      </div>
      <div
        ref={scroller}
        className="@container min-h-50 flex-1 overflow-y-auto border-t border-line sm:[--row-inset:1.5rem]"
      >
        <TabPanel id="tasks" value={shownSegment}>
          <h2 className="sr-only">{shownSegment === 'open' ? 'Open Tasks' : 'Completed'}</h2>
          {shownSegment === 'open' ? (
            <OpenBody {...props} scroller={scroller} above={0} />
          ) : (
            <CompletedBody {...props} />
          )}
        </TabPanel>
      </div>
    </>
  )
}

function OpenBody({
  mine,
  part,
  onShowWhole,
  currentId,
  onCreate,
  scroller,
  above,
}: TaskPanelsProps & { scroller: React.RefObject<HTMLElement | null>; above: number }) {
  const list = useOpenTasks({ mine, where: part?.where?.() })
  const phase = useSkeleton(list.ready)
  if (phase !== 'content') return <PlaceholderTasks shown={phase === 'skeleton'} />
  const empty = part?.empty ? (
    part.empty(mine, 'Show all open tasks', onShowWhole)
  ) : (
    <EmptyState
      drawing="done"
      title="No open tasks"
      actions={
        <Button icon={<PlusIcon />} onClick={onCreate}>
          Add Task
        </Button>
      }
    />
  )
  return <OpenTasks key={JSON.stringify([mine, part?.where?.()])} {...{ list, currentId, scroller, above, empty }} />
}

function CompletedBody({ mine, currentId }: TaskPanelsProps) {
  const { ready, entries } = useCompletedTasks({ mine })
  const phase = useSkeleton(ready)
  if (phase !== 'content') return <PlaceholderTasks shown={phase === 'skeleton'} />
  if (entries.length === 0) return <p className="px-4 py-6 text-center text-ink3">No completed tasks yet</p>
  return <CompletedTasks entries={entries} currentId={currentId} />
}

function PlaceholderTasks({ shown }: { shown: boolean }) {
  return (
    <div className={shown ? undefined : 'invisible'}>
      {[0, 1, 2, 3, 4].map((index) => (
        <PlaceholderTask key={index} />
      ))}
    </div>
  )
}
