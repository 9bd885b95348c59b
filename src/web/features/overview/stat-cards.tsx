import { type ReactNode, useId } from 'react'
import { type DashboardFigures, useDashboard } from '#web/data/dashboard.ts'
import { cx } from '#web/lib/class-names.ts'
import { countOf, formatCount } from '#web/lib/count.ts'
import type { ListPart } from '#web/data/list-part.ts'
import { splitSums } from '#web/lib/money.ts'
import { Card } from '#web/ui/card.tsx'
import { CalendarIcon, BuildingIcon, PeopleIcon, HandshakeIcon, ChecklistIcon, TrendIcon } from '#web/ui/icons.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton, type SkeletonPhase, useSkeleton } from '#web/ui/skeleton.tsx'

interface Stat {
  label: string
  icon: ReactNode
  /** The list whose records the figure counts, or whose amounts it sums. */
  to: '/crm/deals' | '/crm/contacts' | '/crm/companies' | '/crm/tasks'
  /** The part of the list that the figure is about. By default, the whole list. */
  show?: ListPart
  figure: (figures: DashboardFigures) => string
  /** The part of the list that the hint counts. */
  hintShows?: ListPart
  hint: (figures: DashboardFigures) => string
}

/** The six figures of spec section 2, in that order. */
const stats: readonly Stat[] = [
  {
    label: 'Active Deals',
    icon: <HandshakeIcon />,
    to: '/crm/deals',
    show: 'open',
    hintShows: 'closing-this-month',
    figure: ({ activeDeals }) => formatCount(activeDeals),
    hint: ({ closeThisMonth }) => countOf(closeThisMonth, 'closes this month', 'close this month'),
  },
  {
    // In pounds (spec section 2), with other currencies below. Without pounds, the first other currency is the figure.
    label: 'Pipeline Value',
    icon: <TrendIcon />,
    to: '/crm/deals',
    show: 'open',
    figure: ({ pipeline }) => splitSums(pipeline).main,
    hint: ({ pipeline }) => splitSums(pipeline).rest,
  },
  {
    label: 'Total Contacts',
    icon: <PeopleIcon />,
    to: '/crm/contacts',
    hintShows: 'added-this-week',
    figure: ({ contacts }) => formatCount(contacts),
    hint: ({ contactsThisWeek }) => `${formatCount(contactsThisWeek)} added this week`,
  },
  {
    label: 'Companies',
    icon: <BuildingIcon />,
    to: '/crm/companies',
    hintShows: 'added-this-week',
    figure: ({ companies }) => formatCount(companies),
    hint: ({ companiesThisWeek }) => `${formatCount(companiesThisWeek)} added this week`,
  },
  {
    label: 'Open Tasks',
    icon: <ChecklistIcon />,
    to: '/crm/tasks',
    hintShows: 'overdue',
    figure: ({ openTasks }) => formatCount(openTasks),
    hint: ({ overdue }) => `${formatCount(overdue)} overdue`,
  },
  {
    label: 'Due This Week',
    icon: <CalendarIcon />,
    to: '/crm/tasks',
    show: 'due-this-week',
    hintShows: 'due-today',
    figure: ({ dueThisWeek }) => formatCount(dueThisWeek),
    hint: ({ dueToday }) => `${formatCount(dueToday)} of them today`,
  },
]

/** Six cards. Each shows a placeholder until its figure is known. The figure, and a hint that counts records, link to the list of these records. */
export function StatCards() {
  const { ready, figures } = useDashboard()
  const phase = useSkeleton(ready)
  const shownFigures = phase === 'content' ? figures : null
  return (
    <div className="grid grid-cols-6 gap-3 max-xl:grid-cols-3 max-sm:grid-cols-2">
      {stats.map((stat) => (
        <StatCard key={stat.label} stat={stat} known={shownFigures} phase={phase} />
      ))}
    </div>
  )
}

function StatCard({ stat, known, phase }: { stat: Stat; known: DashboardFigures | null; phase: SkeletonPhase }) {
  const { label, icon, to, show, hintShows } = stat
  const id = useId()
  return (
    <Card
      aria-label={label}
      aria-busy={!known}
      className="@container relative min-w-0 px-4 py-4 transition-[background-color] duration-[80ms] has-[[data-figure]:hover]:bg-hover max-sm:px-3.5"
    >
      <h2 id={`${id}-label`} className="flex items-center gap-2 text-sm font-normal text-ink2">
        <span className="text-ink3">{icon}</span>
        <span className="truncate">{label}</span>
      </h2>
      {known ? (
        <>
          <Link
            id={`${id}-figure`}
            to={to}
            search={{ show }}
            aria-labelledby={`${id}-label ${id}-figure`}
            data-figure=""
            className="block rounded-card after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
          >
            <Figure text={stat.figure(known)} />
          </Link>
          <p className="num min-h-4 text-xs text-ink2 @max-[8.75rem]:min-h-8">
            {hintShows ? (
              <Link
                to={to}
                search={{ show: hintShows }}
                className="relative z-1 -m-1 inline-block rounded-badge p-1 hover:text-ink hover:underline max-sm:-my-3.5 max-sm:py-3.5"
              >
                {stat.hint(known)}
              </Link>
            ) : (
              stat.hint(known)
            )}
          </p>
        </>
      ) : (
        <div data-placeholder="" className={cx('@max-[8.75rem]:pb-4', phase === 'wait' && 'invisible')}>
          <Skeleton className="mt-2 h-6 w-20" />
          <Skeleton className="mt-2 h-3 w-24" />
        </div>
      )}
    </Card>
  )
}

/** A figure that is wider than its card gets smaller digits, because a cut figure would be wrong. */
function Figure({ text }: { text: string }) {
  return (
    <span
      className="num mt-1 block text-2xl leading-8 font-semibold whitespace-nowrap"
      style={{ fontSize: `min(var(--text-2xl), ${oneCharacterFontCqi / text.length}cqi)` }}
    >
      {text}
    </span>
  )
}

/** Font size at which one character (0.6 em wide) fills 96 % of the card's width without padding, in percent of this width (cqi). */
const oneCharacterFontCqi = 160
