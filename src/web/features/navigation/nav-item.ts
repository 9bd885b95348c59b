import type { ReactNode } from 'react'
import type { PagePath } from '#web/lib/routing/declared-pages.ts'

/** An entry of the navigation. */
export interface NavItem {
  to: PagePath
  label: string
  icon: ReactNode
  /** Another page for which this entry is the current one, too. */
  also?: PagePath
  /** On a phone it is in the avatar's menu instead. */
  isInMenu?: boolean
}
