import './app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { catchInstallOffer } from '#web/lib/install-prompt.ts'
import { recoverFromMissingParts } from '#web/lib/missing-parts.ts'
import { followTheme } from '#web/lib/theme.ts'
import { addWebManifestLink } from '#web/lib/web-manifest.ts'
import { afterStart } from '#web/lib/after-start.ts'
import { prepareLiveRegions } from '#web/ui/live-region.ts'
import { RouterPages } from '#web/ui/outlet.tsx'
import { showStoredToast } from '#web/ui/toast.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { DeviceContext } from '#web/data/browser/device.ts'
import { openUsableDevice } from '#web/data/browser/open-usable-device.ts'
import { requestPersistence } from '#web/data/browser/persist-storage.ts'
import { createAppRouter } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Dialogs and menus have entries in the history (ui/back-layers.ts). After a reload, none of them is open.
addEventListener('popstate', (event) => window.backLayers?.stepped(event))
if (history.state?.layers) history.go(-history.state.layers)

followTheme()
catchInstallOffer()
recoverFromMissingParts()
prepareLiveRegions()
// #root contains the first paint from index.html until a page replaces it.
void openUsableDevice().then(async ({ device, isStored }) => {
  addEventListener('appinstalled', () => void requestPersistence(device))
  const router = createAppRouter(device)
  await router.start().catch(console.error)
  createRoot(root).render(
    <StrictMode>
      <DeviceContext value={device}>
        <RouterPages router={router} />
      </DeviceContext>
      <Toaster />
    </StrictMode>,
  )
  if (!isStored) (await import('#web/features/sync/not-stored-notice.tsx')).showNotStoredNotice()
  showStoredToast()
  afterStart(async () => {
    addWebManifestLink()
    // Starts on every page, also on /auth: once the service worker has stored the app's files, the app opens without a network, even if nobody is
    // signed in.
    ;(await import('#web/data/server/service-worker.ts')).startServiceWorker(device)
    ;(await import('#web/ui/cut-text.ts')).watchCutTexts()
  })
})
