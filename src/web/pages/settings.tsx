import { Suspense, useEffect } from 'react'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { TeamMembers } from '#web/features/members/team-members.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useNavigate, useShownLocation } from '#web/lib/routing/use-router.ts'
import { afterStart } from '#web/lib/after-start.ts'
import { Card } from '#web/ui/card.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TabPanel } from '#web/ui/tabs.tsx'
import { WordTabs } from '#web/ui/word-tabs.tsx'
import { parseSettingsSearch } from './settings-search.ts'

const loadBrandTab = () => import('./settings-brand.tsx')
const loadFieldsTab = () => import('#web/features/fields/fields-tab.tsx')
const loadSecurityTab = () => import('#web/features/account/security/security-tab.tsx')
const loadNotificationsTab = () => import('#web/features/notifications/notifications-tab.tsx')
const NotificationsTab = lazyComponent(async () => (await loadNotificationsTab()).NotificationsTab)
const SecurityTab = lazyComponent(async () => (await loadSecurityTab()).SecurityTab)
const TagsCard = lazyComponent(async () => (await import('#web/features/tags/tags-card.tsx')).TagsCard)
const FieldsTab = lazyComponent(async () => (await loadFieldsTab()).FieldsTab)
const DealStagesCard = lazyComponent(
  async () => (await import('#web/features/stages/deal-stages-card.tsx')).DealStagesCard,
)
const BrandTab = lazyComponent(async () => (await loadBrandTab()).BrandTab)

const tabs = [
  { value: 'team', label: 'Team' },
  { value: 'fields', label: 'Fields' },
  { value: 'notifications', label: 'Notifications' },
  { value: 'security', label: 'Security' },
  { value: 'brand', label: 'Brand' },
] as const

/** /crm/settings: the team, custom fields, notifications, security and the brand itself (spec section 2); `?tab=` chooses the tab. */
export function SettingsPage() {
  useDocumentTitle('Settings')
  const { tab = 'team' } = parseSettingsSearch(useShownLocation().search)
  const navigate = useNavigate()
  const toSelectBrand = () => void navigate({ to: '/select-brand' })
  const toAuth = () => void navigate({ to: '/auth', replace: true })
  useEffect(() => afterStart(loadBrandTab), [])
  useEffect(() => afterStart(loadSecurityTab), [])
  useEffect(() => afterStart(loadFieldsTab), [])
  useEffect(() => afterStart(loadNotificationsTab), [])
  return (
    <div className="px-6 pt-6 pb-8 max-sm:px-4 max-sm:pt-2">
      <PageHeader title="Settings" />
      <NeedsConnection offline={useIsOffline()}>
        Changes to the team, the brand and your account need a connection.
      </NeedsConnection>
      <WordTabs
        id="settings"
        label="Settings"
        className="mt-4"
        tabs={tabs}
        value={tab}
        onChange={(to) =>
          void navigate({ to: '/crm/settings', search: to === 'team' ? {} : { tab: to }, replace: true })
        }
      />
      <TabPanel id="settings" value={tab} tabIndex={0} className="mt-6 rounded-card max-sm:mt-4">
        {tab === 'team' && (
          <div className={columnClasses}>
            <TeamMembers
              onLeft={toSelectBrand}
              beside={
                <>
                  <Suspense fallback={<Card aria-label="Deal Stages" className="min-h-96" />}>
                    <DealStagesCard />
                  </Suspense>
                  <Suspense fallback={<CardTitle title="Tags" />}>
                    <TagsCard />
                  </Suspense>
                </>
              }
            />
          </div>
        )}
        <Suspense fallback={null}>
          {tab === 'fields' && <FieldsTab />}
          {tab === 'brand' && <BrandTab onGone={toSelectBrand} />}
          {tab === 'notifications' && <NotificationsTab />}
          {tab === 'security' && <SecurityTab onDeleted={toAuth} />}
        </Suspense>
      </TabPanel>
    </div>
  )
}

const columnClasses = 'grid grid-cols-[minmax(0,1.86fr)_minmax(0,1fr)] items-start gap-4 max-lg:grid-cols-1'

/** Shown in place of a card while the card's code is loading. */
function CardTitle({ title }: { title: string }) {
  return (
    <Card aria-label={title} aria-busy className="p-6 max-sm:p-4">
      <h2 className="text-lg">{title}</h2>
    </Card>
  )
}
