// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { timeZone } from '#web/data/notification-settings.ts'
import { QuietHours } from './quiet-hours.tsx'

renderInPage()

const deviceZoneName = timeZone().replaceAll('_', ' ')
const otherZone = timeZone() === 'America/New_York' ? 'Asia/Tokyo' : 'America/New_York'

/** Shows the setting on a device whose user has saved quiet hours in this time zone. */
async function showHours(savedZone: string) {
  const { device, network } = await openLoneTab()
  const saved = { time_zone: savedZone, quiet_from: '20:00', quiet_until: '08:00', muted_kinds: [] }
  network.on('POST /rest/v1/rpc/notification_settings', () => ({ body: saved }))
  network.on('POST /rest/v1/rpc/set_notification_settings', () => ({ body: null }))
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <QuietHours />
      </DeviceContext>,
    ),
  )
  await act(() => untilIdle())
  return network
}

const saveButton = () => document.querySelector<HTMLButtonElement>('button[type=submit]')

test('quiet hours that another device has saved in another time zone are shown with this zone, and can be saved in that of this device', async () => {
  const network = await showHours(otherZone)
  expect(document.body.textContent).toContain(
    `Times are those of ${otherZone.replaceAll('_', ' ')}. This device is in ${deviceZoneName}. Save the hours to change them to this time zone.`,
  )
  await act(async () => {
    saveButton()?.click()
    await untilIdle()
  })
  expect(network.of('POST /rest/v1/rpc/set_notification_settings').map(({ body }) => body)).toEqual([
    { p_time_zone: timeZone(), p_quiet_from: '20:00', p_quiet_until: '08:00' },
  ])
})

test('another name for the time zone of this device counts as the same zone', async () => {
  await showHours(timeZone() === 'UTC' ? 'Etc/UTC' : timeZone())
  expect(document.body.textContent).not.toContain('This device is in')
  expect(saveButton()?.getAttribute('aria-disabled')).toBe('true')
})

test('quiet hours in the time zone of this device name only this zone, and unchanged hours cannot be saved', async () => {
  await showHours(timeZone())
  expect(document.body.textContent).toContain(`Times are those of ${deviceZoneName}.`)
  expect(document.body.textContent).not.toContain('This device is in')
  expect(saveButton()?.getAttribute('aria-disabled')).toBe('true')
})
