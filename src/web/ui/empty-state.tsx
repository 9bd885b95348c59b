import type { ReactNode } from 'react'
import { CloudAlertIcon } from './icons.tsx'

export interface EmptyStateProps {
  /** The title, often fixed by the specification. */
  title: string
  /**
   * The drawing above the title. add: there is nothing yet. search: nothing matches. done: everything is done. error: a part could not be
   * loaded.
   */
  drawing: 'add' | 'search' | 'done' | 'error'
  description?: ReactNode
  /** One or two buttons with the next step. */
  actions?: ReactNode
}

/** Shown instead of an empty list: a drawing, a sentence and the next step. */
export function EmptyState({ title, drawing, description, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {drawing === 'error' ? (
        <CloudAlertIcon className="size-8 text-danger" strokeWidth={1.5} />
      ) : (
        <Drawing kind={drawing} />
      )}
      <h2 className="mt-6 text-lg">{title}</h2>
      {description && <p className="mt-1 max-w-72 text-sm text-pretty text-ink2">{description}</p>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

function Drawing({ kind }: { kind: 'add' | 'search' | 'done' }) {
  if (kind === 'search') {
    return (
      <svg
        width="64"
        height="96"
        viewBox="0 0 64 96"
        fill="none"
        strokeWidth="2"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <g className="stroke-line2">
          <path d="M28 2v28" />
          <circle cx="28" cy="54" r="24" />
          <path d="m47 72 14 14" />
        </g>
        <path d="M20 54h16" className="stroke-ctl" />
      </svg>
    )
  }
  return (
    <svg
      width="128"
      height="96"
      viewBox="0 0 128 96"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <g className="stroke-line2">
        <path d="M20 60V46a44 44 0 0 1 88 0v14M64 2v58" />
        <circle cx="20" cy="77" r="16" />
        <circle cx="108" cy="77" r="16" />
      </g>
      <circle cx="64" cy="77" r="16" className="fill-accent-soft stroke-accent" />
      <path d={kind === 'add' ? 'M64 71v12M58 77h12' : 'm58 77.5 4.2 4.2 8-8.6'} className="stroke-accent" />
    </svg>
  )
}
