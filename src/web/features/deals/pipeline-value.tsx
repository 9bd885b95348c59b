import { Suspense, useRef, useState } from 'react'
import type { Board } from '#web/data/deals.ts'
import { formatSums, shownSums } from '#web/lib/money.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

const PipelineFigures = lazyComponent(async () => (await import('./pipeline-figures.tsx')).default)

/**
 * The button with the value of the pipeline in one currency, and the number of the pipeline's other currencies. A press shows the value and the
 * weighted value in each currency.
 */
export function PipelineValue({ board }: { board: Board }) {
  const pipeline = shownSums(board.pipeline)
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLDListElement>(null)
  const otherCurrencyCount = board.isCounting ? 0 : pipeline.length - 1
  const close = (restoreFocus: boolean) => {
    setOpen(false)
    if (restoreFocus) frame.current?.querySelector('button')?.focus()
  }
  return (
    <dl ref={frame} className="mr-1 min-w-26 shrink-0 text-right @max-lg:hidden">
      <dt className="text-ink3 text-xs">Pipeline value</dt>
      <dd className="num font-semibold text-14/5">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-label={board.isCounting ? undefined : formatSums(pipeline)}
          disabled={board.isCounting}
          onClick={() => setOpen(!open)}
          onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
          className="-mx-1.5 rounded-badge px-1.5 enabled:hover:bg-hover aria-expanded:bg-hover"
        >
          {board.isCounting ? '…' : formatSums(pipeline.slice(0, 1))}
          {otherCurrencyCount > 0 && <span className="font-normal text-ink3"> +{otherCurrencyCount}</span>}
        </button>
        <Suspense>
          {open && <PipelineFigures pipeline={pipeline} columns={board.columns} anchor={frame} onClose={close} />}
        </Suspense>
      </dd>
    </dl>
  )
}
