import { StageDot } from '#web/crm/stage-badge.tsx'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CountBadge } from '#web/ui/badge.tsx'
import { CalendarIcon, BuildingIcon, PlusIcon } from '#web/ui/icons.tsx'
import { markPath } from '#web/ui/mark.tsx'
import { type SampleDeal, sampleStages } from './sample-board.ts'

/** A picture of a board beside the form, as an example of the product. It has one accessible name and no controls. */
export function BoardPicture() {
  return (
    <div
      role="img"
      aria-label="A deals pipeline: columns of deals from Qualified over Proposal to Won"
      className="relative h-full min-h-0 overflow-hidden bg-sunken select-none"
    >
      <svg
        viewBox="0 0 24 24"
        className="absolute top-[26%] left-[18%] w-220 fill-accent opacity-[0.07]"
        aria-hidden="true"
      >
        <path d={markPath} />
      </svg>
      <div aria-hidden="true" className="absolute top-[17.3%] left-16 flex items-start gap-3">
        {sampleStages.map((stage, index) => (
          <div
            key={stage.name}
            className={cx('w-80 shrink-0 rounded-column bg-active/70 p-2', ['', 'mt-16', 'mt-32'][index])}
          >
            <div className="flex h-9 items-center gap-2 px-2 pb-1">
              <StageDot stage={stage} />
              <span className={cx('text-13 font-medium text-tone', stageToneClass(stage))}>{stage.name}</span>
              <CountBadge count={stage.count} />
              <span className="num ml-auto text-13 text-ink2">{stage.total}</span>
              <PlusIcon className="ml-2 text-ink2" />
            </div>
            <div className="flex flex-col gap-1.75">
              {stage.deals.map((deal) => (
                <PictureCard key={deal.name} deal={deal} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}

function PictureCard({ deal }: { deal: SampleDeal }) {
  return (
    <div className="flex h-22 flex-col justify-between rounded-card bg-surface px-3 py-2.5 text-13/5 shadow-card">
      <div className="flex justify-between gap-3">
        <span className="truncate font-medium">{deal.name}</span>
        <span className="num font-semibold">{deal.amount}</span>
      </div>
      <div className="flex items-center gap-2 text-ink2">
        <BuildingIcon className="size-3.5 text-ink3" />
        <span className="truncate">{deal.company}</span>
      </div>
      <div className="flex items-center gap-2 text-ink2">
        <Avatar name={deal.contact} size={20} />
        <span className="flex-1 truncate">{deal.contact}</span>
        <CalendarIcon className="size-3.5 text-ink3" />
        <span className="num">{deal.close}</span>
      </div>
    </div>
  )
}
