import { memo } from 'react'
import type { CompanyEntry } from '#web/data/companies.ts'
import { BrandTile } from '#web/ui/brand-tile.tsx'
import { ExternalIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { websiteOf } from './website.ts'

const shape = 'flex h-38 flex-col rounded-card bg-surface p-4 shadow-card max-sm:h-40'

/** A company; all cards have one height. Undefined: not here yet. */
export const CompanyCard = memo(function CompanyCard({ entry }: { entry: CompanyEntry | undefined }) {
  if (!entry) return <PlaceholderCompany />
  const { name, domain, website, phone, notes } = entry.company
  const bare = !domain && !website && !phone && !notes
  return (
    <article className={shape}>
      <div className="flex items-center gap-3">
        <BrandTile name={name} size={40} />
        <div className="min-w-0">
          <h2 title={name} className="truncate text-[14px]/5">
            {name}
          </h2>
          {domain && (
            <p title={domain} className="truncate text-ink2">
              {domain}
            </p>
          )}
        </div>
      </div>
      {bare ? (
        <p className="mt-3 text-ink3">No additional details</p>
      ) : (
        <>
          {(website || phone) && (
            <div className="mt-3 flex min-w-0 items-center gap-4">
              {website && <Website text={website} />}
              {phone && (
                <span className="num flex shrink-0 items-center gap-1.5 text-ink2">
                  <PhoneIcon className="text-ink3" />
                  {phone}
                </span>
              )}
            </div>
          )}
          {notes && (
            <p title={notes} className="mt-2 line-clamp-2 break-words text-ink2">
              {notes}
            </p>
          )}
        </>
      )}
    </article>
  )
})

function Website({ text }: { text: string }) {
  const { href, label } = websiteOf(text)
  if (!href) {
    return (
      <span title={text} className="min-w-0 truncate text-ink2">
        {label}
      </span>
    )
  }
  return (
    <a
      href={href}
      title={text}
      target="_blank"
      rel="noopener noreferrer"
      className="flex min-w-0 items-center gap-1.5 rounded-badge text-accent-text hover:underline"
    >
      <span className="truncate">{label}</span>
      <ExternalIcon className="shrink-0" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}

export function PlaceholderCompany() {
  return (
    <div aria-hidden="true" className={shape}>
      <div className="flex items-center gap-3">
        <Skeleton className="size-10 rounded-card" />
        <div className="space-y-2">
          <Skeleton className="h-3.5 w-36" />
          <Skeleton className="h-3 w-28" />
        </div>
      </div>
      <Skeleton className="mt-4 h-3 w-44" />
      <Skeleton className="mt-4 h-3 w-full" />
    </div>
  )
}
