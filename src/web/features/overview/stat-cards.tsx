import type { ReactNode } from 'react'
import { type DashboardFigures, useDashboard } from '#web/data/dashboard.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatCount } from '#web/lib/count.ts'
import { splitSums } from '#web/lib/money.ts'
import { Card } from '#web/ui/card.tsx'
import { CalendarIcon, BuildingIcon, PeopleIcon, HandshakeIcon, ChecklistIcon, TrendIcon } from '#web/ui/icons.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'

interface Stat {
  label: string
  icon: ReactNode
  figure: (figures: DashboardFigures) => string
  hint: (figures: DashboardFigures) => string
}

/** The six figures of spec section 2, in that order. */
const stats: readonly Stat[] = [
  {
    label: 'Active Deals',
    icon: <HandshakeIcon />,
    figure: ({ activeDeals }) => formatCount(activeDeals),
    hint: ({ closeThisMonth }) => `${formatCount(closeThisMonth)} close this month`,
  },
  {
    label: 'Pipeline Value',
    icon: <TrendIcon />,
    figure: ({ pipeline }) => poundsOf(pipeline).pounds,
    hint: ({ pipeline }) => poundsOf(pipeline).rest,
  },
  {
    label: 'Total Contacts',
    icon: <PeopleIcon />,
    figure: ({ contacts }) => formatCount(contacts),
    hint: ({ contactsThisWeek }) => `${formatCount(contactsThisWeek)} added this week`,
  },
  {
    label: 'Companies',
    icon: <BuildingIcon />,
    figure: ({ companies }) => formatCount(companies),
    hint: ({ companiesThisWeek }) => `${formatCount(companiesThisWeek)} added this week`,
  },
  {
    label: 'Open Tasks',
    icon: <ChecklistIcon />,
    figure: ({ openTasks }) => formatCount(openTasks),
    hint: ({ overdue }) => `${formatCount(overdue)} overdue`,
  },
  {
    label: 'Due This Week',
    icon: <CalendarIcon />,
    figure: ({ dueThisWeek }) => formatCount(dueThisWeek),
    hint: ({ dueToday }) => `${formatCount(dueToday)} of them today`,
  },
]

/** Six cards; each shows a placeholder until its figure is known. */
export function StatCards() {
  const { ready, figures } = useDashboard()
  const phase = useSkeleton(ready)
  const known = phase === 'content' ? figures : null
  return (
    <div className="grid grid-cols-6 gap-3 max-xl:grid-cols-3 max-sm:grid-cols-2">
      {stats.map((stat) => (
        <Card
          key={stat.label}
          aria-label={stat.label}
          aria-busy={!known}
          className="@container min-w-0 px-4 py-4 max-sm:px-3.5"
        >
          <h2 className="flex items-center gap-2 text-sm font-normal text-ink2">
            <span className="text-ink3">{stat.icon}</span>
            <span className="truncate">{stat.label}</span>
          </h2>
          {known ? (
            <>
              <Figure text={stat.figure(known)} />
              <p className="num min-h-4 text-xs text-ink2 @max-[140px]:min-h-8">{stat.hint(known)}</p>
            </>
          ) : (
            <div data-placeholder="" className={cx('@max-[140px]:pb-4', phase === 'wait' && 'invisible')}>
              <Skeleton className="mt-2 h-6 w-20" />
              <Skeleton className="mt-2 h-3 w-24" />
            </div>
          )}
        </Card>
      ))}
    </div>
  )
}

/** A figure wider than its card gets smaller digits, because a cut figure would be wrong. */
function Figure({ text }: { text: string }) {
  return (
    <p
      className="num mt-1 text-2xl leading-8 font-semibold whitespace-nowrap"
      style={{ fontSize: `min(var(--text-2xl), ${widest / text.length}cqi)` }}
    >
      {text}
    </p>
  )
}

/** The width of a text of one character, 0.6 em, in percent of the card's width. */
const widest = 160

/** The figure is in pounds (spec section 2), £0 if there are none; other currencies are below it. */
function poundsOf(pipeline: DashboardFigures['pipeline']): { pounds: string; rest: string } {
  const inPounds = pipeline.some(({ currency }) => currency === 'GBP')
  const sums = inPounds ? pipeline : [{ currency: 'GBP', amount: 0 }, ...pipeline]
  const { main, rest } = splitSums(sums)
  return { pounds: main, rest }
}
