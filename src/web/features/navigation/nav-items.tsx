import type { ReactNode } from 'react'
import { BuildingIcon, PeopleIcon, HandshakeIcon, OverviewIcon, SettingsIcon, ChecklistIcon } from '#web/ui/icons.tsx'

interface NavItem {
  to: '/crm/overview' | '/crm/deals' | '/crm/contacts' | '/crm/companies' | '/crm/tasks' | '/crm/settings'
  label: string
  icon: ReactNode
  /** Another page for which this entry is the current one, too. */
  also?: '/crm/import-contacts'
}

/** The sidebar's entries in the order of spec section 2. */
export const navItems: readonly NavItem[] = [
  { to: '/crm/overview', label: 'Overview', icon: <OverviewIcon /> },
  { to: '/crm/deals', label: 'Deals', icon: <HandshakeIcon /> },
  { to: '/crm/contacts', label: 'Contacts', icon: <PeopleIcon />, also: '/crm/import-contacts' },
  { to: '/crm/companies', label: 'Companies', icon: <BuildingIcon /> },
  { to: '/crm/tasks', label: 'Tasks', icon: <ChecklistIcon /> },
  { to: '/crm/settings', label: 'Settings', icon: <SettingsIcon /> },
]
