import { type RefObject, useRef } from 'react'
import type { BoardColumn } from '#web/data/deals.ts'
import { type WeightedSums, weightedSumsOf } from '#web/data/weighted-sums.ts'
import { formatMoney, type Money } from '#web/lib/money.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useCloseFromOutside, usePopup } from '#web/ui/use-popup.ts'

interface PipelineFiguresProps {
  pipeline: readonly Money[]
  columns: readonly BoardColumn[]
  anchor: RefObject<HTMLElement | null>
  onClose: (restoreFocus: boolean) => void
}

/** The value of the pipeline in each currency, and the value weighted by the probabilities of its stages. */
export default function PipelineFigures({ pipeline, columns, anchor, onClose }: PipelineFiguresProps) {
  const popup = useRef<HTMLDivElement>(null)
  const weighted = weightedSumsOf(columns)
  usePopup(true, anchor, popup, { align: 'end', gap: 8 })
  useCloseFromOutside(true, [popup, anchor], () => onClose(false))
  useBackCloses(true, () => onClose(true))
  const weightedByCurrency = new Map(weighted?.sums.map(({ currency, amount }) => [currency, amount]))
  return (
    <div
      ref={popup}
      role="dialog"
      aria-label="Pipeline value"
      popover="manual"
      className="rise max-w-[min(20rem,100vw-1rem)] rounded-card bg-raised px-4 py-3 text-left text-sm font-normal text-ink shadow-pop"
    >
      <table className="num w-full">
        <thead className="text-xs text-ink3">
          <tr>
            <th scope="col" className="pb-1 text-left font-normal">
              Currency
            </th>
            <th scope="col" className="pb-1 pl-6 text-right font-normal">
              Open deals
            </th>
            {weighted && (
              <th scope="col" className="pb-1 pl-6 text-right font-normal">
                Weighted
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {pipeline.map(({ currency, amount }) => (
            <tr key={currency}>
              <th scope="row" className="py-0.5 text-left font-normal text-ink2">
                {currency}
              </th>
              <td className="py-0.5 pl-6 text-right font-semibold">{formatMoney(amount, currency)}</td>
              {weighted && (
                <td className="py-0.5 pl-6 text-right">
                  {formatMoney(weightedByCurrency.get(currency) ?? 0, currency)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {weighted && <p className="mt-2 text-xs text-pretty text-ink3">{weightedWords(weighted)}</p>}
    </div>
  )
}

/** Returns a text that says how the weighted value is calculated, and which stages it leaves out. */
function weightedWords({ withoutProbability }: Pick<WeightedSums, 'withoutProbability'>): string {
  const rule = 'Weighted: each amount times the probability of its stage.'
  if (withoutProbability.length === 0) return rule
  return `${rule} Without a probability, and not counted: ${withoutProbability.join(', ')}.`
}
