const settingsTabs = ['fields', 'notifications', 'security', 'brand'] as const

/** The search parameters of /crm/settings: the tab; undefined for the team. */
export interface SettingsSearch {
  tab?: (typeof settingsTabs)[number] | undefined
}

/** Reads `?tab=security`. An unknown tab means the team. */
export function parseSettingsSearch({ tab }: Readonly<Record<string, unknown>>): SettingsSearch {
  return { tab: settingsTabs.find((each) => each === tab) }
}
