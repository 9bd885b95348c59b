import type { ReactNode } from 'react'
import type { PagePath } from '#web/lib/routing/declared-pages.ts'

/** An item of the navigation. */
export interface NavItem {
  to: PagePath
  label: string
  icon: ReactNode
  /** Another page on which this item also counts as current. */
  also?: PagePath
  /** Whether the phone has the item in the avatar's menu instead of the navigation. */
  isInMenu?: boolean
}
