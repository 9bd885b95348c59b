import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** An entry of the navigation. */
export interface NavItem {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: ReactNode
  /** Another page for which this entry is the current one, too. */
  also?: '/crm/import-contacts'
  /** On a phone it is in the avatar's menu instead. */
  isInMenu?: boolean
}
